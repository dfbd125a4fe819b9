/** Agents as the page's fields know them, and as codes: `mcts:simulations=200,depth=8`. */
import type { GameInfo } from "../api/types";
import { gradesOf } from "../lobby/plan";

export interface Entrant {
  agent: string; // what the picker has chosen: a name, or a level's code
  values: Record<string, string>; // parameters that differ from what is usual
}

type Parameter = GameInfo["agents"][number]["parameters"][number];

const baseOf = (agent: string): string => agent.split(":")[0]!;

/** The values that a level's code brings along. */
export function broughtBy(agent: string): Record<string, string> {
  const [, given = ""] = agent.split(":");
  return Object.fromEntries(given.split(",").filter(Boolean).map((pair) => pair.split("=") as [string, string]));
}

/** The code of an entrant; parameters as usual are left out. */
export function codeOf({ agent, values }: Entrant): string {
  const all = { ...broughtBy(agent), ...values };
  const given = Object.entries(all).filter(([, value]) => value !== "");
  return given.length ? `${baseOf(agent)}:${given.map(([key, value]) => `${key}=${value}`).join(",")}` : baseOf(agent);
}

/** What can be set of an agent: numbers and listed words, never the name of a file. */
export function parametersOf(game: GameInfo, agent: string): Parameter[] {
  const kind = game.agents.find(({ name }) => name === baseOf(agent));
  return (kind?.parameters ?? []).filter(({ choices, default: usual }) => choices.length > 0 || typeof usual !== "string");
}

export const helpOf = (game: GameInfo, agent: string): string =>
  game.agents.find(({ name }) => name === baseOf(agent))?.help ?? "";

/** A first tournament: the levels that a game has, else its first and its last agents. */
export function firstEntrants(game: GameInfo): Entrant[] {
  const levels = gradesOf(game).levels.map(({ agent }) => agent).slice(0, 2);
  const names = game.agents.map(({ name }) => name);
  const wanted = ["random", ...(levels.length ? levels : names.slice(-1))].filter((agent) => names.includes(baseOf(agent)));
  return [...new Set(wanted.length > 1 ? wanted : names.slice(0, 2))].map((agent) => ({ agent, values: {} }));
}

/** One more: the first agent that is not there yet. */
export function nextEntrant(game: GameInfo, entrants: readonly Entrant[]): Entrant {
  const there = new Set(entrants.map(({ agent }) => agent));
  const all = [...gradesOf(game).levels.map(({ agent }) => agent), ...game.agents.map(({ name }) => name)];
  return { agent: all.find((agent) => !there.has(agent)) ?? all[0]!, values: {} };
}
