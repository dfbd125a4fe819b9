/** Shows a film: one position, or what leads from it to the next. */
import type { GameEvent, Position, Step } from "../lib/api/types";
import { entriesOf, entryAt, type Entry } from "../lib/moves/entries";
import { framesOf, still, type Frame, type Pace } from "../lib/table/frames";
import { stepsOf, type Film } from "./film";

const PAUSE = 350; // milliseconds between two moves
const UNMOVED_PAUSE = 900; // without animation positions need time to be seen

export class Projector {
  frame: Frame = $state.raw(null!);
  playing = $state(false);
  readonly entries: Entry[];
  readonly stops: number[]; // the plies that can be shown: before the first move, and after each
  readonly now: number = $derived.by(() => entryAt(this.entries, this.target) + 1); // which of them
  readonly last: readonly GameEvent[] = $derived.by(() => this.lastMove());
  readonly actor: number | null = $derived.by(() => this.acting());
  private target = $state(0); // the ply that is shown, or that the moving pictures lead to
  private readonly steps: Step[];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly film: Film,
    private readonly pace: Pace,
    private readonly speed: () => number,
  ) {
    this.steps = stepsOf(film);
    this.entries = entriesOf(this.steps);
    this.stops = [0, ...this.entries.map(({ to }) => to)];
    this.frame = still(film.start, 0);
  }

  /** Shows a stop; `filmed` plays what leads there from the one before. */
  go(stop: number, filmed = false): void {
    clearTimeout(this.timer);
    const from = this.frame.ply;
    this.target = this.stops[Math.max(0, Math.min(stop, this.stops.length - 1))]!;
    const moving = filmed && this.speed() > 0 && from < this.target;
    const frames = moving ? framesOf(this.steps.slice(from, this.target), this.at(from), this.pace) : [];
    this.show([...frames, still(this.at(this.target), this.target)]);
  }

  /** Plays the game by itself, from the beginning if it is at its end. */
  toggle(): void {
    this.playing = !this.playing;
    if (!this.playing) return this.go(this.now);
    if (this.now >= this.stops.length - 1) this.go(0);
    this.goOn();
  }

  end(): void {
    clearTimeout(this.timer);
    this.playing = false;
  }

  private at(ply: number): Position {
    return ply === 0 ? this.film.start : this.steps[ply - 1]!.position!;
  }

  private show([next, ...rest]: Frame[]): void {
    if (!next) return this.goOn();
    this.frame = next;
    if (!rest.length) return this.goOn();
    this.timer = setTimeout(() => this.show(rest), next.duration * this.speed());
  }

  private goOn(): void {
    clearTimeout(this.timer);
    if (!this.playing) return;
    if (this.now >= this.stops.length - 1) {
      this.playing = false;
      return;
    }
    this.timer = setTimeout(() => this.go(this.now + 1, true), this.speed() ? PAUSE * this.speed() : UNMOVED_PAUSE);
  }

  private lastMove(): readonly GameEvent[] {
    return this.steps.slice(0, this.frame.ply).findLast(({ actor }) => actor !== null)?.events ?? [];
  }

  private acting(): number | null {
    if (this.frame.duration > 0) return this.frame.actor;
    return this.steps.slice(this.frame.ply).find(({ actor }) => actor !== null)?.actor ?? null;
  }
}
