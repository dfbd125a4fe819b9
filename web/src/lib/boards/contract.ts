/** What a board is given and what it answers: boards are views, they know no rule. */
import type { Component } from "svelte";
import type { Action, GameEvent, Legal, OptionValue, Position } from "../api/types";
import type { Pace } from "../table/frames";

/** A good move, to be drawn where it would be made; boards may leave hints to the frame's list. */
export interface Hint {
  json: Action;
  whole: readonly Action[]; // all that is decided until the move is complete, `json` first
  rank: number; // 1 is the best
  mark: string; // the rank, or a sign, to be written where the move is made
  value: string; // the chance to win that it leads to, as people read it: `52 %`
  result: number; // the same as the rules count it, from -1 (lost) to 1 (won)
  share: number; // its part of the search's visits, from 0 to 1
  focused: boolean; // the one that is pointed at in the list
}

export interface BoardProps {
  position: Position; // the game's own words, as this seat may know them
  fixed: unknown; // what never changes in the game, such as a map: its `static_to_json`
  legal: readonly Legal[]; // the moves that are possible now; empty when it is not our turn
  seat: number | null; // whose eyes we look through; null for spectators
  actor: number | null; // who is to act
  names: readonly string[]; // by seat
  options: Readonly<Record<string, OptionValue>>; // of the game
  events: readonly GameEvent[]; // what happens in the frame that is shown now, to be animated
  later: readonly GameEvent[]; // events of the same step that follow in later frames
  before: Position | null; // the position before the step that is shown now
  last: readonly GameEvent[]; // the last move, to be marked
  pending: Action | null; // our move that the server has not confirmed yet
  hints?: readonly Hint[]; // good moves that somebody has asked for; they are among the legal ones, or of the past
  speed: number; // factor for durations; 0 without animation
  letters: boolean; // write letters on coloured pieces
  act: (action: Action) => void; // answers with one of the legal actions
  explain: (action: Action) => void; // asks why an action is not possible; the frame shows the reason
  say: (words: string | null) => void; // words for a choice in progress, instead of the prompt
}

/** A column of the result table: what the points consist of. */
export interface ResultColumn {
  title: string;
  values: readonly (string | number)[]; // by seat
}

/** What `boards/<game>/index.ts` exports. */
export interface BoardModule {
  Board: Component<BoardProps>;
  prompt?: (position: Position, legal: readonly Legal[]) => string; // what is expected of the seat to act
  describe?: (action: Action, position: Position, fixed: unknown, names: readonly string[]) => string; // a move, for lists
  describeWhole?: (actions: readonly Action[], position: Position, fixed: unknown, names: readonly string[]) => string; // of several decisions
  pace?: Pace; // how long events are shown
  points?: (position: Position, later: readonly GameEvent[]) => number[]; // by seat, without those of later frames
  results?: (events: readonly GameEvent[], players: number, scores: readonly number[] | null) => ResultColumn[]; // from the last step's events
}

/** What `boards/<game>/reasons.ts` exports, loaded with the first hint: a reason in words; null for one it does not know. */
export type TellReason = (reason: { term: string; values: Readonly<Record<string, unknown>> }, names: readonly string[]) => string | null;

/** Something that a guided game waits for: an event of ours, or something that can be seen. */
export type Moment = { event: string } | { see: string };

export interface GuideStep {
  when?: Moment; // it is not shown before
  at: string; // a selector of what is pointed at
  clear?: string; // a selector of all that must not be covered; else what is pointed at
  words: string;
  until?: Moment | readonly Moment[]; // then the next one follows by itself; of several the first that happens
}

/** What `boards/<game>/guide.ts` exports: a game for newcomers, loaded when wanted. */
export interface Guide {
  glance: readonly { what: string; words: string }[]; // scoring and symbols
  steps: readonly GuideStep[];
}

/** Opponents by their level, each with one true sentence about how it plays. */
export type Company = Readonly<Record<string, { name: string; line: string }>>;

/** What of the game's options makes sense together: others are not offered. */
export type Limits = (
  options: Readonly<Record<string, OptionValue>>,
  players: number,
) => Readonly<Record<string, { choices?: readonly string[]; low?: number; high?: number }>>;

/** What `boards/<game>/look.ts` exports; it is loaded with the page, so keep it small. */
export interface Look {
  accent: string; // the game's one strong colour by day
  accentAtNight: string;
  company?: Company;
  limits?: Limits;
  teacher?: string; // the computer of the guided game, else the easiest
  firstGame?: Readonly<Record<string, OptionValue>>; // options of the guided game
  seat?: number; // where a person sits who has chosen nothing, else the first
  forPeople?: Readonly<Record<string, OptionValue>>; // options of tables at which people sit, unless they say otherwise
}
