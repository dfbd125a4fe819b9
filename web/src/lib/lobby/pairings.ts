/** Games whose sides differ: how often each wins at a planned table, as far as it was measured, and the even ones. */
import type { components } from "../api/schema";
import type { GameInfo, OptionValue } from "../api/types";
import { ownSeat, withOpponents, type Plan } from "./plan";

export type Pairing = components["schemas"]["SidesPairing"];

const EVEN = 0.1; // a game is fair where both sides win a half of the games, give or take this
const PEOPLE = "beginner"; // what a person is taken for against agents that are no level

/** Do the sides of the game play different parts? */
export const sidesDiffer = (game: GameInfo, players: number): boolean =>
  (game.seat_names[String(players)] ?? []).some((name, seat) => name !== `Player ${seat + 1}`);

/** The options of a plan that are not the usual ones. */
const specialOf = (game: GameInfo, options: Readonly<Record<string, OptionValue>>) =>
  JSON.stringify(game.options.filter(({ name, default: usual }) => String(options[name] ?? usual) !== String(usual)).map(({ name }) => [name, String(options[name])]));

/** The measured pairing of a plan in which a person plays computers: equals of theirs, else a beginner. */
export function pairingOf(game: GameInfo, plan: Plan, pairings: readonly Pairing[]): Pairing | null {
  if (plan.seats.length !== 2) return null;
  const special = specialOf(game, plan.options);
  const found = pairings.filter(
    ({ players, options, agents }) =>
      players === plan.seats.length &&
      specialOf(game, options as Record<string, OptionValue>) === special &&
      plan.seats.some(({ kind }) => kind === "agent") &&
      plan.seats.every(({ kind, agent }, seat) => kind !== "agent" || agent === agents[seat]),
  );
  const order = ({ agents }: Pairing) => (agents[0] === agents[1] ? 0 : agents.includes(PEOPLE) ? 1 : 2);
  return found.toSorted((a, b) => order(a) - order(b))[0] ?? null;
}

/** The plan of an even game on the chosen side: equals of the wanted level, else of the one nearest to it. */
export function fairPlan(game: GameInfo, plan: Plan, pairings: readonly Pairing[], levels: readonly string[], wanted: string): Plan | null {
  const own = ownSeat(plan);
  if (own === null) return null;
  const at = Math.max(0, levels.indexOf(wanted));
  const far = ({ agents: [level], share }: Pairing) => Math.abs(levels.indexOf(level!) - at) + Math.abs(share - 0.5);
  const even = pairings.filter(
    ({ agents, players, share }) =>
      players === 2 && agents[0] === agents[1] && levels.includes(agents[0]!) && Math.abs(share - 0.5) <= EVEN,
  );
  const best = even.toSorted((a, b) => far(a) - far(b))[0];
  if (!best) return null;
  const usual = Object.fromEntries(game.options.map((option) => [option.name, option.default as OptionValue]));
  const [me, other] = [plan.seats[own]!, plan.seats.find((_, seat) => seat !== own)!];
  const seats = own === 0 ? [me, other] : [other, me]; // whoever led some of the detectives leads them all
  const options = { ...usual, ...(best.options as Record<string, OptionValue>) };
  return withOpponents({ ...plan, options, seats }, { kind: "agent", agent: best.agents[0]! });
}
