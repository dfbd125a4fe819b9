/** Names for the shapes that the server's OpenAPI document describes, and for its live messages. */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type GameInfo = Schemas["GameInfo"];
export type Network = Schemas["Network"];
export type RulesPage = Schemas["RulesPage"];
export type OptionInfo = Schemas["OptionInfo"];
export type AgentInfo = Schemas["AgentInfo"];
export type TableInfo = Schemas["TableInfo"];
export type TableList = Schemas["TableList"];
export type MadeTable = Schemas["MadeTable"];
export type MakeTable = Schemas["MakeTable"];
export type SeatInfo = Schemas["SeatInfo"];
export type SeatWish = Schemas["SeatWish"];
export type SeatToken = Schemas["SeatToken"];
export type ImportedTable = Schemas["ImportedTable"];
export type Joined = Schemas["Joined"];
export type View = Schemas["View"];
export type Steps = Schemas["Steps"];
export type CheckAnswer = Schemas["CheckAnswer"];
export type RematchTable = Schemas["RematchTable"];
export type Undone = Schemas["Undone"];
export type Legal = Schemas["LegalAction"];
export type Analysis = Schemas["Analysis"];
export type Trial = Schemas["Trial"];
export type Candidate = Schemas["CandidateMove"];
export type Reason = Schemas["MoveReason"];
export type ReviewedDecision = Schemas["ReviewedDecision"];
export type PlayOn = Schemas["PlayOn"];
export type GameReview = Schemas["GameReview"];
export type TurningPoint = Schemas["TurningPoint"];
export type PuzzleList = Schemas["PuzzleList"];
export type PuzzleEntry = Schemas["PuzzleEntry"];
export type PuzzleTry = Schemas["PuzzleTry"];
export type Puzzle = Schemas["Puzzle"];
export type Profile = Schemas["Profile"];
export type NewProfile = Schemas["NewProfile"];
export type NewProfileAnswer = Schemas["NewProfileAnswer"];
export type ProfileChange = Schemas["ProfileChange"];
export type MyGames = Schemas["MyGames"];
export type MyTable = Schemas["MyTable"];
export type MyResult = Schemas["MyResult"];
export type Results = Schemas["Results"];
export type GameRating = Schemas["GameRating"];
export type OptionValue = string | number | boolean;

/** Something that happened, in the game's own words; `sentence` is empty where it goes without saying. */
export interface GameEvent {
  kind: string;
  sentence: string;
  seat?: number;
  [field: string]: unknown;
}

/** One entry of a game's log, as the audience may know it. */
export interface Step {
  ply: number;
  actor: number | null;
  events: GameEvent[];
  position?: Position | null;
  thought?: Schemas["Thought"] | null; // what the agent tells of its move, where that is open
  cut?: boolean; // the clock ended the search early: the agent plays weaker than its level
}

/** A position in the game's own words: only its board knows what is in it. */
export type Position = Record<string, unknown>;

/** An action's JSON form, as the game writes and reads it. */
export type Action = Record<string, unknown>;

export interface Trouble {
  code: string;
  message: string;
  rules?: string[] | null; // numbers of the rules that the sentence cites
  view?: View | null;
  retry_after?: number | null; // seconds, where it passes by itself
  progress?: number | null; // of the game that is being made ready, from 0 to 1
}

/** What the server sends over a table's socket. */
export type ServerMessage =
  | { type: "table"; table: TableInfo }
  | { type: "view"; seat: number | null; from: number; steps: Step[]; view: View }
  | { type: "update"; seat: number | null; from: number; ply: number; steps: Step[]; changes: Partial<View> }
  | { type: "accepted"; id: string; seat: number; ply: number; next_ply: number; repeated: boolean }
  | { type: "refused"; id: string | null; error: Trouble }
  | { type: "error"; error: Trouble }
  | { type: "heartbeat" }
  | { type: "pong" };
