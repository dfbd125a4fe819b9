/** What the server says of its games, asked once. */
import * as server from "./api/client";
import type { GameInfo } from "./api/types";

let asked: Promise<GameInfo[]> | null = null;

export function games(): Promise<GameInfo[]> {
  asked ??= server.games().catch((error: unknown) => {
    asked = null; // ask again next time
    throw error;
  });
  return asked;
}

/** The same, asked anew. */
export function freshGames(): Promise<GameInfo[]> {
  asked = null;
  return games();
}

/** What a seat plays in a game with roles, such as `Mr. X`; null where seats are alike. */
export function roleOf(game: GameInfo | undefined, players: number, seat: number): string | null {
  const roles = game?.seat_names[String(players)] ?? [];
  return roles.every((role, index) => role === `Player ${index + 1}`) ? null : (roles[seat] ?? null);
}

/** A word of a program as people write it: `round_limit` → `Round limit`. */
export function spoken(word: string): string {
  const words = word.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
