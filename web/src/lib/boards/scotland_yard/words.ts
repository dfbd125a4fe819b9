/** Scotland Yard in words: what is expected, labels, how long things are shown, and the result. */
import type { Action, GameEvent, Legal, Position } from "../../api/types";
import type { ResultColumn } from "../contract";
import type { Pace } from "../../table/frames";
import { t } from "../../words/index.svelte";
import type { Detective, StaticMap, Ticket, YardAction, YardEvent, YardPosition } from "./position";

export const TICKET_WORDS: Record<Ticket, string> = {
  taxi: "Taxi",
  bus: "Bus",
  underground: "Underground",
  black: "Black ticket",
  double: "Double move",
};

export function prompt(position: Position, legal: readonly Legal[] = []): string {
  const { phase, mr_x, moves, reveal_moves, pawn, detectives } = position as unknown as YardPosition;
  if (phase === "choosing") return "choose the detective who moves next";
  if (phase === "moving") {
    const who = pieceName(detectives[pawn!]!, pawn!);
    if (legal.some(({ json }) => json.type === "pass")) {
      return detectives[pawn!]!.stuck ? `${who} has no ticket to use and stays` : `${who} is blocked and stays`;
    }
    return `choose where ${who} goes`;
  }
  if (phase !== "fleeing") return "";
  const shown = reveal_moves.includes(moves + 1) ? "; you will be seen there" : "";
  if (mr_x.double_left === 2) return `make the first move of two${shown}`;
  if (mr_x.double_left === 1) return `make the second move of two${shown}`;
  return `choose where Mr. X goes${shown}`;
}

/** A move: `taxi to station 157`, on a grid `to c3`. */
export function describe(action: Action, position: Position, fixed: unknown): string {
  const { phase, pawn, detectives } = position as unknown as YardPosition;
  const { columns, stations } = fixed as StaticMap;
  const move = action as unknown as YardAction;
  const mover = phase === "moving" && detectives.length > 1 ? `${pieceName(detectives[pawn!]!, pawn!)}: ` : "";
  switch (move.type) {
    case "choose":
      return `${pieceName(detectives[move.detective]!, move.detective)} moves next`;
    case "double":
      return "announce a double move";
    case "pass":
      return `${mover}stay`;
    default:
      if (columns) return `${mover}to ${cellName(move.station, stations[0]!.id, columns)}`;
      return `${mover}${anyOf([move.ticket])} to station ${move.station}`;
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
  return `${bobby ? "bobby" : "detective"} ${index + 1}`;
}

/** `taxi, bus or black ticket` */
export function anyOf(tickets: readonly Ticket[]): string {
  const words = tickets.map((ticket) => TICKET_WORDS[ticket].toLowerCase());
  return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)!}`;
}

/** The name of a cell of a grid as people write it: `c3`. */
export function cellName(cell: number, first: number, columns: number): string {
  const index = cell - first;
  return `${String.fromCharCode(97 + (index % columns))}${Math.floor(index / columns) + 1}`;
}

/** Where Mr. X is, as far as it is known. */
export function whereabouts({ mr_x, moves, phase }: YardPosition, name: (station: number) => string): string {
  if (mr_x.station !== null) {
    const secret = !mr_x.visible && phase !== "placing" ? ", unseen" : "";
    return `at ${name(mr_x.station)}${secret}`;
  }
  if (!mr_x.seen) return "not seen yet";
  const ago = moves - mr_x.seen.move;
  return `seen at ${name(mr_x.seen.station)}, ${ago} move${ago === 1 ? "" : "s"} ago`;
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
    caught: [`caught at ${place}`, `caught him at ${place}`],
    stuck: [`could not move at ${place}`, "surrounded him"],
    escaped: [`escaped at ${place}`, "too late"],
    exhausted: [`escaped at ${place}`, "could not move any more"],
  }[over.ending!] as [string, string];
  return [{ title: "How", values: Array.from({ length: players }, (_, seat) => (seat === 0 ? fugitive : others)) }];
}
