/** The server's requests as functions; failures are one kind of error with a sentence for people. */
import type * as Api from "./types";
import { personKey } from "../storage";
import { t, words } from "../words/index.svelte";

const PREFIX = "/api/v1";

/** A refusal by the server, or its silence (code `offline`). */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly view?: Api.Trouble["view"],
    readonly rules: readonly string[] = [],
    readonly progress: number | null = null, // of the game that is being made ready
  ) {
    super(message);
  }
}

/** One request; a failure is `Refused`. */
export async function ask<Answer>(method: string, path: string, token?: string | null, body?: unknown): Promise<Answer> {
  const headers: Record<string, string> = { "accept-language": words.language };
  const person = personKey();
  if (person && method === "POST") headers["ludens-profile"] = person; // tables that are made, seats that are taken
  if (token) headers.authorization = `Bearer ${token}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  let response: Response;
  try {
    response = await fetch(PREFIX + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  } catch {
    throw new Refused("offline", t("The server does not answer; try again in a moment."));
  }
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as Answer;
  const trouble = (answer as { error?: Api.Trouble } | null)?.error;
  const sentence = trouble?.message ?? t("The server answered {n}.", { n: response.status });
  throw new Refused(trouble?.code ?? "internal", sentence, trouble?.view, trouble?.rules ?? [], trouble?.progress ?? null);
}

// --- whoever plays here

export const beginAs = (wish: Api.NewProfile) => ask<Api.NewProfileAnswer>("POST", "/me", null, wish);

export const me = (key: string) => ask<Api.Profile>("GET", "/me", key);

export const changeMe = (key: string, change: Api.ProfileChange) => ask<Api.Profile>("PATCH", "/me", key, change);

export const forgetMe = (key: string) => ask<null>("DELETE", "/me", key);

/** A page of my games; `wanted` are the filters of the query. */
export const myGames = (key: string, wanted: Readonly<Record<string, string | number>>) =>
  ask<Api.MyGames>("GET", `/me/games?${new URLSearchParams(Object.entries(wanted).map(([name, value]) => [name, String(value)]))}`, key);

export const myResults = (key: string) => ask<Api.Results>("GET", "/me/results", key);

export const allThatIsMine = (key: string) => ask<Record<string, unknown>>("GET", "/me/export", key);

const table = (id: string) => `/tables/${encodeURIComponent(id)}`;

/** All games, without the parameters of their agents. */
export const games = () => ask<Api.GameInfo[]>("GET", "/games?parameters=false");

export const game = (name: string) => ask<Api.GameInfo>("GET", `/games/${encodeURIComponent(name)}`);

/** The rules for people, in Markdown. */
export const rules = (name: string) => ask<Api.RulesPage>("GET", `/games/${encodeURIComponent(name)}/rules`);

/** The puzzles of a game, the easiest first. */
export const puzzles = (name: string) => ask<Api.PuzzleList>("GET", `/puzzles/${encodeURIComponent(name)}`);

export const puzzle = (name: string, number: number) => ask<Api.Puzzle>("GET", `/puzzles/${encodeURIComponent(name)}/${number}`);

/** What refutes a wrong move of a puzzle. */
export const puzzleTry = (game: string, number: number, move: number) =>
  ask<Api.PuzzleTry>("GET", `/puzzles/${encodeURIComponent(game)}/${number}/tries/${move}`, null);

export const checkPuzzle = (name: string, number: number, move: Api.Action) =>
  ask<Api.CheckAnswer>("POST", `/puzzles/${encodeURIComponent(name)}/${number}/check`, null, { move });

/** How guests reach this server. */
export const network = () => ask<Api.Network>("GET", "/network");

export const listTables = (status: "living" | "ended", limit = 6, before?: number | null) =>
  ask<Api.TableList>("GET", `/tables?status=${status}&limit=${limit}${before ? `&before=${before}` : ""}`);

export const makeTable = (wish: Api.MakeTable) => ask<Api.MadeTable>("POST", "/tables", null, wish);

/** Brings a saved game to the server; it becomes a table to look at, unlisted. */
export const importGame = (saved: unknown) => ask<Api.ImportedTable>("POST", "/tables/import", null, saved);

export const join = (id: string, token: string | null, seat: number, name: string) =>
  ask<Api.Joined>("POST", `${table(id)}/join`, token, { seat, name });

export const changeSeat = (id: string, token: string, seat: number, change: Partial<Api.SeatWish>) =>
  ask<Api.MadeTable>("PATCH", `${table(id)}/seats/${seat}`, token, change);

export const check = (id: string, token: string, move: Api.Action) =>
  ask<Api.CheckAnswer>("POST", `${table(id)}/check`, token, { move });

export const analysis = (id: string, token: string) => ask<Api.Analysis>("GET", `${table(id)}/analysis`, token);

/** What is known of an ended game's review; it is complete when as many decisions are done as there are. */
export const review = (id: string, token: string | null) => ask<Api.GameReview>("GET", `${table(id)}/review`, token);

/** A longer look at one position of an ended game. */
export const look = (id: string, token: string | null, ply: number, wish: { seconds?: number; tried?: readonly number[] }) =>
  ask<Api.Analysis>("GET", `${table(id)}/review/${ply}?${queryOf(wish)}`, token);

/** What may be tried at one position of an ended game, after decisions that have been tried. */
export const trial = (id: string, token: string | null, ply: number, tried: readonly number[]) =>
  ask<Api.Trial>("GET", `${table(id)}/review/${ply}/moves?${queryOf({ tried })}`, token);

const queryOf = ({ seconds, tried = [] }: { seconds?: number; tried?: readonly number[] }): string =>
  new URLSearchParams([
    ...(seconds === undefined ? [] : [["seconds", String(seconds)]]),
    ...tried.map((action) => ["tried", String(action)]),
  ]).toString();

/** A new table that goes on from a position of an ended game. */
export const playOn = (id: string, token: string | null, wish: Api.PlayOn) =>
  ask<Api.MadeTable>("POST", `${table(id)}/continue`, token, wish);

/** Takes the seat's last choice back, also if agents have answered it meanwhile, but never a second time. */
export async function undo(id: string, token: string, seen: Pick<Api.View, "ply" | "undos">): Promise<Api.Undone> {
  let { ply } = seen;
  for (;;) {
    try {
      return await ask<Api.Undone>("POST", `${table(id)}/undo`, token, { ply });
    } catch (refused) {
      const present = refused instanceof Refused && refused.code === "stale_move" ? refused.view : null;
      if (!present || present.undos !== seen.undos || present.ply <= ply) throw refused;
      ply = present.ply;
    }
  }
}

export const resign = (id: string, token: string) => ask<Api.TableInfo>("POST", `${table(id)}/resign`, token);

export const close = (id: string, owner: string) => ask<Api.TableInfo>("POST", `${table(id)}/close`, owner);

export const rematch = (id: string, token: string, others: string[]) =>
  ask<Api.RematchTable>("POST", `${table(id)}/rematch`, token, { tokens: others });

export const viewAt = (id: string, token: string | null, ply: number) =>
  ask<Api.View>("GET", `${table(id)}/view?ply=${ply}`, token);

/** The steps of some plies; the server answers in pages, which are followed to the last. */
export const steps = async (id: string, token: string | null, from: number, to: number, positions: boolean) => {
  const found: Api.Step[] = [];
  for (let next: number | null | undefined = from; next !== null && next !== undefined && next < to; ) {
    const query = `from=${next}&to=${to}&positions=${positions}`;
    const answer: Api.Steps = await ask<Api.Steps>("GET", `${table(id)}/steps?${query}`, token);
    found.push(...(answer.steps as unknown as Api.Step[]));
    next = answer.next;
  }
  return found;
};

export const savedGame = (id: string, token: string | null) =>
  ask<Record<string, unknown>>("GET", `${table(id)}/game`, token);

/** Where a table's live messages come from. */
export function socketAddress(id: string): string {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}${PREFIX}${table(id)}/socket?language=${words.language}`;
}
