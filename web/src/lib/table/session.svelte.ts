/** One table as this browser knows it: seats, views, the connection and the move on its way. */
import { SvelteMap } from "svelte/reactivity";
import * as server from "../api/client";
import type { Action, ServerMessage, Step, TableInfo, Trouble } from "../api/types";
import { toldBy } from "../lobby/opening";
import type { Preparation } from "../lobby/preparation";
import { anyToken, bySeat, keysOf, rememberKeys, type Keys } from "../storage";
import { toasts } from "../toasts.svelte";
import { end, withHistory, withUpdate, withView, type Audience } from "./audience";
import { keep, kept, newMoveId, type PendingMove } from "./outbox";
import { TableSocket, type Condition } from "./socket";

/** Told of every change of an audience: what it was, what it is, and the steps between if they are known. */
export type Listener = (seat: number | null, before: Audience | undefined, now: Audience, steps: Step[]) => void;

const PATIENCE = 1_000;

export class Session {
  table: TableInfo | null = $state.raw(null);
  condition: Condition = $state("connecting");
  everOpen = $state(false);
  failure: string | null = $state(null); // why there is no such table for us
  preparation: Preparation | null = $state.raw(null); // of the game, while the table cannot be opened yet
  pending: PendingMove | null = $state.raw(null);
  keys: Keys = $state.raw({ seats: {}, touched: 0 });
  readonly audiences = new SvelteMap<number | null, Audience>();
  readonly mine: number[] = $derived(
    Object.keys(this.keys.seats)
      .map(Number)
      .sort((a, b) => a - b),
  );
  private readonly socket: TableSocket;

  constructor(
    readonly id: string,
    invitation: string | null,
    private readonly listener: Listener,
  ) {
    this.keys = invitation ? rememberKeys(id, { invitation }) : keysOf(id);
    this.pending = kept(id);
    this.socket = new TableSocket(server.socketAddress(id), {
      hello: () => this.hello(),
      message: (message) => this.receive(message),
      condition: (condition) => this.changeCondition(condition),
    });
  }

  /** The token of a seat of ours, or whatever lets us see the table. */
  token(seat: number | null): string | null {
    return (seat === null ? undefined : this.keys.seats[seat]) ?? anyToken(this.keys);
  }

  /** Sends a move of a seat of ours; it is sent again until the server has answered. */
  act(seat: number, move: Action): void {
    const known = this.audiences.get(seat);
    if (this.pending || !known) return;
    this.pending = { id: newMoveId(), seat, ply: known.view.ply, move };
    keep(this.id, this.pending);
    this.sendPending();
  }

  /** Takes new seats and says so to the server. */
  hold(tokens: readonly { seat: number; token: string }[]): void {
    this.keys = rememberKeys(this.id, { seats: bySeat(tokens) });
    this.audiences.clear();
    this.socket.renew();
  }

  retryNow(): void {
    this.socket.retryNow();
  }

  end(): void {
    this.socket.end();
  }

  private hello(): object {
    const { seats, owner, invitation } = this.keys;
    const tokens = [...Object.values(seats), ...[owner, invitation].filter((token) => token !== undefined)];
    const known = [...this.audiences.values()];
    if (!known.length) return { tokens, positions: true };
    return { tokens, positions: true, from: Math.min(...known.map(end)), undos: known[0]!.view.undos };
  }

  private changeCondition(condition: Condition): void {
    const opened = condition === "open" && this.condition !== "open";
    this.condition = condition;
    if (condition !== "connecting") this.preparation = null;
    if (!opened) return;
    this.everOpen = true;
    this.sendPending();
  }

  private sendPending(): void {
    if (this.pending) this.socket.send({ type: "move", ...this.pending });
  }

  private settle(): void {
    this.pending = null;
    keep(this.id, null);
  }

  private receive(message: ServerMessage): void {
    switch (message.type) {
      case "table":
        this.table = message.table;
        break;
      case "view":
        this.adopt(message.seat, (known) => withView(known, message), message.steps);
        break;
      case "update":
        this.adopt(message.seat, (known) => known && withUpdate(known, message), message.steps);
        break;
      case "accepted":
        if (message.id === this.pending?.id) this.settle();
        break;
      case "refused":
        if (message.id === this.pending?.id) this.refused(message.error);
        break;
      case "error":
        this.preparation = toldBy(message.error);
        if (!this.preparation) this.failure = message.error.message;
        break;
    }
  }

  private adopt(seat: number | null, change: (known?: Audience) => Audience | undefined, steps: Step[]): void {
    const before = this.audiences.get(seat);
    const now = change(before);
    if (!now) return;
    this.audiences.set(seat, now);
    if (!before && now.first > 0) void this.loadHistory(seat, now);
    this.listener(seat, before, now, steps);
  }

  private async loadHistory(seat: number | null, now: Audience): Promise<void> {
    const earlier = await server.steps(this.id, this.token(seat), 0, now.first, false).catch(() => []);
    const known = this.audiences.get(seat);
    if (known) this.audiences.set(seat, withHistory(known, earlier, now.view.undos));
  }

  private refused(error: Trouble): void {
    if (error.code === "unavailable" || error.code === "too_many") {
      setTimeout(() => this.sendPending(), PATIENCE);
      return;
    }
    this.settle();
    toasts.say(error.message, "warning", error.rules ?? []);
  }
}
