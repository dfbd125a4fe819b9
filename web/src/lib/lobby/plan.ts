/** The table that is being planned in the lobby. */
import type { GameInfo, MakeTable, OptionInfo, OptionValue, SeatWish } from "../api/types";
import { companyOf, firstGameOf, forPeople, limitsOf, seatOf, teacherOf } from "../boards";
import { roleOf } from "../games";
import { t } from "../words/index.svelte";

export interface SeatPlan {
  kind: "human" | "agent" | "open";
  name: string; // empty: the game's own word for the seat
  agent: string;
}

export interface Plan {
  game: string;
  options: Record<string, OptionValue>;
  seats: SeatPlan[];
  private: boolean;
  hints: boolean; // players may ask which moves are good
  seed: string; // of a table of computers alone
  clock: ClockPlan;
}

/** The time that people have. */
export interface ClockPlan {
  kind: "none" | "minutes" | "days";
  minutes: number; // for the game
  increment: number; // seconds for every turn
  days: number; // for a move
  expired: "lose" | "agent";
}

const NO_CLOCK: ClockPlan = { kind: "none", minutes: 15, increment: 10, days: 2, expired: "lose" };

/** The clock as the server wants it; null for none, or for one that makes no sense. */
export function clockOf({ kind, minutes, increment, days, expired }: ClockPlan): MakeTable["clock"] {
  if (kind === "minutes" && minutes > 0) return { minutes, increment: increment || 0, expired };
  return kind === "days" && days > 0 ? { increment: 0, days, expired } : null;
}

/** Who else plays, where all others are alike; `null` where they are not. */
export type Opponents = { kind: "agent"; agent: string } | { kind: "open" | "human" } | null;

/** A first plan: one person against computers of a level. */
export function firstPlan(game: GameInfo, ownName: string, level = ""): Plan {
  const own = seatOf(game.name);
  const seats = Array.from({ length: game.default_players }, (_, seat) => newSeat(game, seat === own, level));
  if (seats[own]) seats[own].name = ownName;
  const options = Object.fromEntries(game.options.map((option) => [option.name, option.default as OptionValue]));
  return withKnown({ game: game.name, options, seats, private: false, hints: true, seed: "", clock: NO_CLOCK }, forPeople(game.name));
}

/** The plan with those of the wished options that its game has. */
function withKnown(plan: Plan, wished: Readonly<Record<string, OptionValue>>): Plan {
  const known = Object.entries(wished).filter(([name]) => name in plan.options);
  return { ...plan, options: { ...plan.options, ...Object.fromEntries(known) } };
}

const LEVELS = ["beginner", "easy", "medium", "hard", "champion"]; // what a newcomer looks for, where a game has it
const USUAL = ["easy", "heuristic", "medium"]; // what a newcomer should meet

export interface Level {
  level: string; // the word for it
  agent: string; // the code that makes it
}

/** The levels of a game from weak to strong, and all other computers as the game lists them. */
export function gradesOf(game: GameInfo): { levels: Level[]; others: GameInfo["agents"] } {
  const has = (name: string) => game.agents.some((agent) => agent.name === name);
  const levels = LEVELS.filter(has).map((level) => ({ level, agent: level }));
  return { levels, others: game.agents.filter(({ name }) => !LEVELS.includes(name)) };
}

/** The level that a code stands for; null for a computer of researchers. */
export const levelOf = (game: GameInfo, agent: string): string | null =>
  gradesOf(game).levels.find((grade) => grade.agent === agent)?.level ?? null;

/** A new seat; computers get the wanted level, else one for newcomers, else the last kind that the game lists. */
export function newSeat(game: GameInfo, human: boolean, wanted = ""): SeatPlan {
  const level = gradesOf(game).levels.find(({ agent }) => agent === wanted)?.agent;
  const usual = USUAL.find((name) => game.agents.some((agent) => agent.name === name)) ?? game.agents.at(-1)?.name;
  return { kind: human ? "human" : "agent", name: "", agent: level ?? usual ?? "random" };
}

/** Where the person at this screen sits; null if only computers and guests play. */
export function ownSeat(plan: Plan): number | null {
  const seat = plan.seats.findIndex(({ kind }) => kind === "human");
  return seat < 0 ? null : seat;
}

/** The person at this screen takes another seat, and the name goes along; null only watches. */
export function sitAt(game: GameInfo, plan: Plan, seat: number | null, ownName: string): Plan {
  const old = ownSeat(plan);
  const seats = [...plan.seats];
  if (seat === null) {
    const level = seats.find(({ kind }) => kind === "agent")?.agent;
    return { ...plan, seats: seats.map((one) => (one.kind === "human" ? newSeat(game, false, level) : one)) };
  }
  if (old === null) seats[seat] = { ...seats[seat]!, kind: "human", name: ownName };
  else [seats[old], seats[seat]] = [seats[seat]!, seats[old]!];
  return { ...plan, seats };
}

/** A game for newcomers: on the first seat, with hints and kind options, against the easiest or whoever teaches the game. */
export function guidedPlan(game: GameInfo, ownName: string): Plan {
  const plan = withKnown(sitAt(game, firstPlan(game, ownName), 0, ownName), firstGameOf(game.name));
  const agent = teacherOf(game.name);
  return agent ? withOpponents(plan, { kind: "agent", agent }) : plan;
}

/** Who else plays. */
export function opponentsOf(plan: Plan): Opponents {
  const own = ownSeat(plan);
  const [first, ...others] = plan.seats.filter((_, seat) => seat !== own);
  if (!first || others.some(({ kind, agent }) => kind !== first.kind || (kind === "agent" && agent !== first.agent))) return null;
  return first.kind === "agent" ? { kind: "agent", agent: first.agent } : { kind: first.kind };
}

/** All others shall be so. */
export function withOpponents(plan: Plan, wanted: NonNullable<Opponents>): Plan {
  const own = ownSeat(plan);
  return { ...plan, seats: plan.seats.map((seat, index) => (index === own ? seat : { ...seat, name: "", ...wanted })) };
}

/** So many players; the person at this screen keeps a seat. */
export function withPlayers(game: GameInfo, plan: Plan, players: number): Plan {
  let next = plan;
  while (next.seats.length < players) next = withMore(game, next);
  while (next.seats.length > players) {
    const own = ownSeat(next);
    const last = next.seats.length - 1;
    next = withFewer(game, next, last === own ? last - 1 : last);
  }
  return next;
}

/** One seat more, like the last of the others; unchanged at the most that the game allows. */
export function withMore(game: GameInfo, plan: Plan): Plan {
  const next = game.players.find((count) => count > plan.seats.length);
  if (next === undefined) return plan;
  const own = ownSeat(plan);
  const like = plan.seats.findLast((_, seat) => seat !== own) ?? newSeat(game, false);
  const added = Array.from({ length: next - plan.seats.length }, () => ({ ...like, name: "" }));
  return fitting(game, { ...plan, seats: [...plan.seats, ...added] });
}

/** Without a seat; unchanged at the fewest that the game allows. */
export function withFewer(game: GameInfo, plan: Plan, seat: number): Plan {
  const next = game.players.findLast((count) => count < plan.seats.length);
  if (next === undefined) return plan;
  const seats = plan.seats.filter((_, index) => index !== seat).slice(0, next);
  return fitting(game, { ...plan, seats });
}

/** An option changed. */
export const withOption = (game: GameInfo, plan: Plan, name: string, value: OptionValue): Plan =>
  fitting(game, { ...plan, options: { ...plan.options, [name]: value } });

/** The options of a game, with only what makes sense in the plan. */
export function offered(game: GameInfo, plan: Plan): OptionInfo[] {
  const limits = limitsOf(game.name)(plan.options, plan.seats.length);
  return game.options.map((option) => {
    const { choices, low, high } = limits[option.name] ?? {};
    return {
      ...option,
      choices: choices ? option.choices.filter((choice) => choices.includes(choice)) : option.choices,
      low: Math.max(option.low, low ?? option.low),
      high: Math.min(option.high, high ?? option.high),
    };
  });
}

/** The plan with its options brought into what makes sense. */
function fitting(game: GameInfo, plan: Plan): Plan {
  const options = { ...plan.options };
  for (const { name, choices, low, high, default: usual } of offered(game, plan)) {
    const value = options[name]!;
    if (choices.length && !choices.includes(String(value))) options[name] = usual as OptionValue;
    else if (!choices.length && typeof value === "number") options[name] = Math.min(high, Math.max(low, value));
  }
  return { ...plan, options };
}

/** What every seat is called: the given name, a computer's own, or the game's word. */
export function shownName(game: GameInfo, plan: Plan, seat: number, spoken: (word: string) => string): string {
  const { name, kind, agent } = plan.seats[seat]!;
  if (name) return name;
  if (kind !== "agent") return t(roleOf(game, plan.seats.length, seat) ?? "Player {n}", { n: seat + 1 });
  const known = companyOf(game.name)[levelOf(game, agent) ?? agent]?.name;
  const own = known ? t(known) : spoken(levelOf(game, agent) ?? agent);
  const twins = plan.seats.filter((other) => other.kind === "agent" && other.agent === agent && !other.name);
  return twins.length > 1 ? `${own} ${twins.indexOf(plan.seats[seat]!) + 1}` : own;
}

/** The request that makes the planned table. */
export function wishOf(game: GameInfo, plan: Plan, spoken: (word: string) => string): MakeTable {
  const seats: SeatWish[] = plan.seats.map((seat, index) => ({
    kind: seat.kind,
    ...(seat.kind !== "open" || seat.name ? { name: shownName(game, plan, index, spoken) } : {}),
    ...(seat.kind === "agent" ? { agent: seat.agent } : {}),
  }));
  const clock = seats.every(({ kind }) => kind === "agent") ? null : clockOf(plan.clock);
  const seeded = plan.seed.trim() !== "" && seats.every(({ kind }) => kind === "agent");
  return {
    game: plan.game,
    options: plan.options,
    seats,
    private: plan.private && seats.some(({ kind }) => kind === "open"),
    hints: plan.hints,
    ...(clock ? { clock } : {}),
    ...(seeded ? { seed: Number(plan.seed) } : {}),
  };
}
