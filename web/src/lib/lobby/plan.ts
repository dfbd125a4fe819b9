/** The table that is being planned in the lobby. */
import type { GameInfo, MakeTable, OptionValue, SeatWish } from "../api/types";

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
}

/** A first plan: one person against computers. */
export function firstPlan(game: GameInfo, ownName: string): Plan {
  const seats = Array.from({ length: game.default_players }, (_, seat) => newSeat(game, seat === 0));
  if (seats[0]) seats[0].name = ownName;
  const options = Object.fromEntries(game.options.map((option) => [option.name, option.default as OptionValue]));
  return { game: game.name, options, seats, private: false, hints: true, seed: "" };
}

const LEVELS = ["easy", "medium", "hard"]; // what a newcomer looks for, where a game has it
const USUAL = ["medium", "heuristic", "easy"]; // what a newcomer should meet

/** The computers that can play a game: the levels from weak to strong, and all others as the game lists them. */
export function gradesOf(game: GameInfo): { levels: GameInfo["agents"]; others: GameInfo["agents"] } {
  const levels = LEVELS.flatMap((level) => game.agents.filter(({ name }) => name === level));
  return { levels, others: game.agents.filter(({ name }) => !LEVELS.includes(name)) };
}

/** A new seat; computers get a middling level, else the last kind that the game lists. */
export function newSeat(game: GameInfo, human: boolean): SeatPlan {
  const level = USUAL.find((wanted) => game.agents.some(({ name }) => name === wanted)) ?? game.agents.at(-1)?.name;
  return { kind: human ? "human" : "agent", name: "", agent: level ?? "random" };
}

/** One seat more; unchanged at the most that the game allows. */
export function withMore(game: GameInfo, plan: Plan): Plan {
  const next = game.players.find((count) => count > plan.seats.length);
  if (next === undefined) return plan;
  const added = Array.from({ length: next - plan.seats.length }, () => newSeat(game, false));
  return { ...plan, seats: [...plan.seats, ...added] };
}

/** Without a seat; unchanged at the fewest that the game allows. */
export function withFewer(game: GameInfo, plan: Plan, seat: number): Plan {
  const next = game.players.findLast((count) => count < plan.seats.length);
  if (next === undefined) return plan;
  const seats = plan.seats.filter((_, index) => index !== seat).slice(0, next);
  return { ...plan, seats };
}

/** What every seat is called: the given name, a computer's kind, or the game's own word. */
export function shownName(game: GameInfo, plan: Plan, seat: number, spoken: (word: string) => string): string {
  const { name, kind, agent } = plan.seats[seat]!;
  if (name) return name;
  if (kind !== "agent") return game.seat_names[String(plan.seats.length)]?.[seat] ?? `Player ${seat + 1}`;
  const twins = plan.seats.filter((other) => other.kind === "agent" && other.agent === agent && !other.name);
  return twins.length > 1 ? `${spoken(agent)} ${twins.indexOf(plan.seats[seat]!) + 1}` : spoken(agent);
}

/** The request that makes the planned table. */
export function wishOf(game: GameInfo, plan: Plan, spoken: (word: string) => string): MakeTable {
  const seats: SeatWish[] = plan.seats.map((seat, index) => ({
    kind: seat.kind,
    ...(seat.kind !== "open" || seat.name ? { name: shownName(game, plan, index, spoken) } : {}),
    ...(seat.kind === "agent" ? { agent: seat.agent } : {}),
  }));
  const seeded = plan.seed.trim() !== "" && seats.every(({ kind }) => kind === "agent");
  return {
    game: plan.game,
    options: plan.options,
    seats,
    private: plan.private && seats.some(({ kind }) => kind === "open"),
    hints: plan.hints,
    ...(seeded ? { seed: Number(plan.seed) } : {}),
  };
}
