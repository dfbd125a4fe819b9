/** Scotland Yard's map, position, actions and events, as `ludens/games/scotland_yard` writes them. */
import type { GameEvent } from "../../api/types";

export const TICKETS = ["taxi", "bus", "underground", "black", "double"] as const;
export type Ticket = (typeof TICKETS)[number];
export const TRANSPORTS = ["taxi", "bus", "underground", "ferry"] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** What never changes in a game. */
export interface StaticMap {
  name: string;
  columns: number; // of a grid; 0 for a map
  stations: { id: number; x: number; y: number }[];
  connections: [number, number, Transport][];
  detective_starts: number[];
  mrx_starts: number[];
}

/** Tickets left; null is without limit. */
export type Tickets = Partial<Record<Ticket, number | null>>;

export interface Detective {
  seat: number; // whoever moves it
  bobby: boolean;
  station: number | null; // null: not placed yet, or out of the game
  step: number | null; // where it is about to step, on a grid
  moved: boolean;
  stuck?: boolean; // stands there without a ticket to use
  tickets: Tickets;
}

export interface LogEntry {
  move: number;
  ticket: Ticket;
  station: number | null; // where he showed himself
}

export interface YardPosition {
  phase: "placing" | "fleeing" | "choosing" | "moving" | "over";
  round: number;
  max_rounds: number;
  max_moves: number | null;
  current: number;
  pawn: number | null; // the detective that moves
  detectives: Detective[];
  mr_x: {
    station: number | null; // null where it is hidden from us
    tickets: Tickets;
    double_left: number; // moves left of an announced double move
    seen: { station: number; move: number } | null;
    visible: boolean; // he stands openly on the board
  };
  moves: number;
  log: LogEntry[];
  reveal_moves: number[];
  possible: number[];
  weights: Record<string, number> | null;
  ending: "caught" | "stuck" | "escaped" | "exhausted" | null;
  log_length: number; // entries that the travel log can get
  winner: "mr_x" | "detectives" | null;
}

export type YardAction =
  | { type: "ride"; ticket: Ticket; station: number }
  | { type: "choose"; detective: number }
  | { type: "double" }
  | { type: "pass" };

/** Every event may name a detective, a ticket and a station; which ones depends on its kind. */
export type YardEvent = GameEvent & {
  detective?: number;
  ticket?: Ticket;
  station?: number;
  name?: string;
  move?: number;
  ending?: NonNullable<YardPosition["ending"]>;
};
