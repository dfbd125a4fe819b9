/** Scotland Yard in words: what is expected, labels, how long things are shown, and the result. */
import type { Action, GameEvent, Legal, Position } from "../../api/types";
import type { ResultColumn } from "../contract";
import type { Pace } from "../../table/frames";
import type { Detective, StaticMap, Ticket, YardAction, YardEvent, YardPosition } from "./position";
import { inList, mark, plural, t } from "../../words/index.svelte";

export const TICKET_WORDS: Record<Ticket, string> = {
  taxi: mark("Taxi"),
  bus: mark("Bus"),
  underground: mark("Underground"),
  black: mark("Black ticket"),
  double: mark("Double move"),
};

const FLEEING: Record<number, string> = {
  0: mark("choose where Mr. X goes"),
  1: mark("make the second move of two"),
  2: mark("make the first move of two"),
};

export function prompt(position: Position, legal: readonly Legal[] = []): string {
  const { phase, mr_x, moves, reveal_moves, pawn, detectives } = position as unknown as YardPosition;
  if (phase === "choosing") return t("choose the detective who moves next");
  if (phase === "moving") {
    const who = pieceName(detectives[pawn!]!, pawn!);
    if (legal.some(({ json }) => json.type === "pass")) {
      return t(detectives[pawn!]!.stuck ? "{who} has no ticket to use and stays" : "{who} is blocked and stays", { who });
    }
    return t("choose where {who} goes", { who });
  }
  if (phase !== "fleeing") return "";
  const wish = t(FLEEING[mr_x.double_left]!);
  return reveal_moves.includes(moves + 1) ? t("{wish}; you will be seen there", { wish }) : wish;
}

/** A move: `taxi to station 157`, on a grid `to c3`. */
export function describe(action: Action, position: Position, fixed: unknown): string {
  const { phase, pawn, detectives } = position as unknown as YardPosition;
  const { columns, stations } = fixed as StaticMap;
  const move = action as unknown as YardAction;
  const mover = phase === "moving" && detectives.length > 1 ? `${pieceName(detectives[pawn!]!, pawn!)}: ` : "";
  switch (move.type) {
    case "choose":
      return t("{who} moves next", { who: pieceName(detectives[move.detective]!, move.detective) });
    case "double":
      return t("announce a double move");
    case "pass":
      return mover + t("stay");
    default:
      if (columns) return mover + t("to {place}", { place: cellName(move.station, stations[0]!.id, columns) });
      return mover + t("{ticket} to station {n}", { ticket: anyOf([move.ticket]), n: move.station });
  }
}

/** Who rides and where to, both rides of a double move, all steps of pieces that step together. */
export function describeWhole(actions: readonly Action[], position: Position, fixed: unknown): string {
  const now = position as unknown as YardPosition;
  const [first, ...rest] = actions as unknown as YardAction[];
  if (first!.type === "choose") {
    const moving = { ...now, phase: "moving", pawn: first!.detective } as unknown as Position;
    return rest.map((ride) => describe({ ...ride }, moving, fixed)).join(", ") || describe(actions[0]!, position, fixed);
  }
  if (first!.type === "double") {
    return t("double move: {rides}", { rides: rest.map((ride) => describe({ ...ride }, position, fixed)).join(", ") });
  }
  const pawn = now.pawn ?? 0;
  const waiting = now.detectives.flatMap(({ moved, station }, index) => (index >= pawn && !moved && station !== null ? [index] : []));
  return actions.map((step, k) => describe(step, { ...position, pawn: waiting[k] ?? pawn }, fixed)).join(", ");
}

export function pieceName({ bobby }: Detective, index: number): string {
  return t(bobby ? "bobby {n}" : "detective {n}", { n: index + 1 });
}

const IN_SENTENCES: Record<Ticket, string> = {
  taxi: mark("taxi"),
  bus: mark("bus"),
  underground: mark("underground"),
  black: mark("black ticket"),
  double: mark("double move"),
};

/** A ticket within a sentence. */
export const ticketWord = (ticket: Ticket): string => t(IN_SENTENCES[ticket]);

/** `taxi, bus or black ticket` */
export function anyOf(tickets: readonly Ticket[]): string {
  return inList(tickets.map(ticketWord), "disjunction");
}

/** The name of a cell of a grid as people write it: `c3`. */
export function cellName(cell: number, first: number, columns: number): string {
  const index = cell - first;
  return `${String.fromCharCode(97 + (index % columns))}${Math.floor(index / columns) + 1}`;
}

/** Where Mr. X is, as far as it is known. */
export function whereabouts({ mr_x, moves, phase }: YardPosition, name: (station: number) => string): string {
  if (mr_x.station !== null) {
    const secret = !mr_x.visible && phase !== "placing";
    return t(secret ? "at {place}, unseen" : "at {place}", { place: name(mr_x.station) });
  }
  if (!mr_x.seen) return t("not seen yet");
  const ago = moves - mr_x.seen.move;
  return plural(ago, "seen at {place}, {n} move ago", "seen at {place}, {n} moves ago", { place: name(mr_x.seen.station) });
}

const MOMENTS: Record<string, number> = {
  ride: 700,
  step: 380,
  flight: 800,
  reveal: 1100,
  double: 700,
  pass: 500,
  leave: 700,
  stuck: 700,
  over: 1200,
};

export const pace: Pace = (event, byChance) => (byChance ? 150 : (MOMENTS[event.kind] ?? 0));

/** Who won and how, a column each. */
export function results(events: readonly GameEvent[], players: number): ResultColumn[] {
  const over = events.find((event): event is YardEvent => event.kind === "over");
  if (!over) return [];
  const place = over.name ?? "";
  const [fugitive, others] = {
    caught: [t("caught at {place}", { place }), t("caught him at {place}", { place })],
    stuck: [t("could not move at {place}", { place }), t("surrounded him")],
    escaped: [t("escaped at {place}", { place }), t("too late")],
    exhausted: [t("escaped at {place}", { place }), t("could not move any more")],
  }[over.ending!] as [string, string];
  return [{ title: t("How"), values: Array.from({ length: players }, (_, seat) => (seat === 0 ? fugitive : others)) }];
}
