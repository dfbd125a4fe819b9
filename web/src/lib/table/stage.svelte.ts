/** What the table shows now: the newest position, a film of what just happened, or an earlier position. */
import type { GameEvent, Step } from "../api/types";
import { settings } from "../settings.svelte";
import { end, type Audience } from "./audience";
import { framesOf, lastFrames, still, usualPace, type Frame, type Pace } from "./frames";
import { History } from "./history";
import { Session } from "./session.svelte";

const LONGEST_FILM = 20_000;
const LONGEST_BY_HAND = 200_000;

export class Stage {
  readonly session: Session;
  frame: Frame | null = $state.raw(null);
  seat: number | null = $state(null); // whose eyes we look through
  curtain: number | null = $state(null); // the seat that must come to the screen first
  at: number | null = $state(null); // the earlier ply that is looked at; null follows the game
  playing = $state(false); // the replay runs by itself
  pace: Pace = usualPace;
  readonly audience: Audience | undefined = $derived.by(() => this.session.audiences.get(this.seat));
  readonly actor: number | null = $derived.by(() => this.audience?.view.actor ?? null); // of the newest position
  readonly onTurn: number | null = $derived.by(() => this.acting()); // in what is shown
  readonly busy: boolean = $derived.by(() => this.film.length > 0);
  readonly waiting: boolean = $derived.by(() => settings.byHand && this.busy && this.film[0]!.actor !== null);
  readonly legal = $derived.by(() => this.possible());
  readonly last: readonly GameEvent[] = $derived.by(() => this.lastMove());
  private present: number | null = null; // whose turn at the screen it is, behind the curtain
  private film: Frame[] = $state.raw([]);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly history: History;

  /** `hidden`: the game has secrets, so that seats of one screen take turns behind a curtain; undefined: not known yet. */
  constructor(
    id: string,
    invitation: string | null,
    private readonly hidden: () => boolean | undefined,
  ) {
    this.session = new Session(id, invitation, (...change) => this.changed(...change));
    this.history = new History(id);
    this.seat = this.session.mine[0] ?? null;
  }

  end(): void {
    clearTimeout(this.timer);
    this.session.end();
  }

  /** Shows the end of the film at once. */
  skip(): void {
    clearTimeout(this.timer);
    this.film = [];
    if (this.at === null) this.showNewest();
    else void this.lookAt(this.at);
  }

  /** The person of the seat has come to the screen. */
  lift(): void {
    this.seat = this.present = this.curtain;
    this.curtain = null;
    this.showNewest();
  }

  /** Follows the game again. */
  follow(): void {
    this.playing = false;
    this.at = null;
    this.skip();
  }

  /** Shows an earlier position; `filmed` plays what leads from the shown one to it. The newest one is the game itself. */
  async lookAt(ply: number, filmed = false): Promise<void> {
    clearTimeout(this.timer);
    this.film = [];
    const from = this.frame?.ply ?? 0;
    const known = this.audience;
    if (!known) return;
    const newest = ply >= known.view.ply;
    const moving = filmed && settings.filmed && from < ply;
    if (newest && !moving) return this.follow();
    this.at = ply;
    const token = this.session.token(this.seat);
    this.history.forget(known.view.undos, this.session.table?.status ?? "");
    const position = await this.history.position(ply, token);
    if (!position || this.at !== ply) return;
    if (moving) {
      const steps = await this.history.steps(from, ply, token);
      if (this.at !== ply) return;
      const frames = [...framesOf(steps, await this.history.position(from, token), this.pace), still(position, ply)];
      if (this.at !== ply) return;
      if (newest) this.at = null; // the film ends where the game is
      this.show(frames);
    } else this.frame = still(position, ply);
  }

  private changed(seat: number | null, before: Audience | undefined, now: Audience, steps: Step[]): void {
    if (this.session.mine.length && this.seat === null) this.seat = this.session.mine[0]!;
    if (seat !== this.seat) return;
    if (this.at !== null) {
      if (this.at >= now.view.ply) this.follow(); // what we looked at was taken back
      return;
    }
    const continues = before?.view.position && before.view.undos === now.view.undos && steps[0]?.ply === before.view.ply;
    if (!continues || !settings.filmed || document.hidden) {
      clearTimeout(this.timer);
      this.film = [];
      this.showNewest();
      return;
    }
    const most = settings.byHand ? LONGEST_BY_HAND : LONGEST_FILM;
    this.show(lastFrames([...this.film, ...framesOf(steps, before.view.position!, this.pace)], most));
  }

  private show(frames: Frame[]): void {
    const running = this.film.length > 0;
    this.film = frames;
    if (!running || this.frame !== frames[0]) this.nextFrame();
  }

  private nextFrame(): void {
    clearTimeout(this.timer);
    const [next] = this.film;
    if (!next) {
      if (this.at === null) this.showNewest();
      return;
    }
    this.frame = next;
    if (this.waiting) return; // for `goOn`
    this.timer = setTimeout(() => this.goOn(), next.duration * settings.speed);
  }

  /** Shows the next step of the film. */
  goOn(): void {
    this.film = this.film.slice(1);
    this.nextFrame();
  }

  /** The newest position, through the eyes of whoever of us is to act. */
  private showNewest(): void {
    if (this.curtain !== null) return;
    const { mine } = this.session;
    const known = this.session.audiences.get(this.seat);
    const actor = known?.view.actor ?? null;
    const turns = mine.length > 1 && actor !== null && mine.includes(actor);
    if (turns && this.hidden() === undefined) return; // rather nothing than a secret
    if (turns && this.hidden() && actor !== this.present) {
      this.curtain = actor;
      return;
    }
    if (turns) this.seat = actor;
    const shown = this.session.audiences.get(this.seat)?.view ?? known?.view;
    this.frame = shown?.position ? still(shown.position, shown.ply) : null;
  }

  private possible(): Audience["view"]["legal"] {
    const idle = !this.busy && this.at === null && this.curtain === null && !this.session.pending;
    return idle && this.audience && this.frame?.ply === this.audience.view.ply ? this.audience.view.legal : [];
  }

  /** Whose move is shown, or was next at an earlier position: nothing runs ahead of the film. */
  private acting(): number | null {
    if (this.busy) return this.frame?.actor ?? null;
    if (this.at === null) return this.actor;
    const { audience, at } = this;
    return audience?.steps.find(({ ply, actor }) => ply >= at && actor !== null)?.actor ?? this.actor;
  }

  private lastMove(): readonly GameEvent[] {
    const { audience, frame } = this;
    if (!audience || !frame) return [];
    const shown = audience.steps.slice(0, Math.min(frame.ply, end(audience)) - audience.first);
    return shown.findLast((step) => step.actor !== null)?.events ?? [];
  }
}
