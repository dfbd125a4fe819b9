/** Notes on the positions of a game: they stay in this browser, and go along with a shared link and a file. */
import { read, write } from "../storage";

export type Notes = Readonly<Record<number, string>>; // by ply

const KEY = "ludens.notes";
const MOST_GAMES = 100;
const LONGEST = 2000; // letters of a note

type Kept = Record<string, { notes: Notes; touched: number }>;

export const notesOf = (table: string): Notes => read<Kept>(KEY, {})[table]?.notes ?? {};

/** Keeps the notes of a table; an empty note is none. */
export function keepNotes(table: string, notes: Notes): Notes {
  const kept = Object.fromEntries(
    Object.entries(notes)
      .filter(([ply, text]) => /^\d+$/.test(ply) && typeof text === "string" && text.trim() !== "")
      .map(([ply, text]) => [ply, text.slice(0, LONGEST)]),
  );
  const all = { ...read<Kept>(KEY, {}), [table]: { notes: kept, touched: Date.now() } };
  const games = Object.entries(all)
    .filter(([, game]) => Object.keys(game.notes).length > 0)
    .sort(([, a], [, b]) => b.touched - a.touched);
  write(KEY, Object.fromEntries(games.slice(0, MOST_GAMES)));
  return kept;
}

/** The notes as a part of a link, empty where there are none. */
export function asFragment(notes: Notes): string {
  if (!Object.keys(notes).length) return "";
  const bytes = new TextEncoder().encode(JSON.stringify(notes));
  return `notes=${btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** The notes of a link; null where it has none that can be read. */
export function fromFragment(hash: string): Notes | null {
  const packed = new URLSearchParams(hash.replace(/^#/, "")).get("notes");
  if (!packed) return null;
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const notes: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return notes !== null && typeof notes === "object" && !Array.isArray(notes) ? (notes as Notes) : null;
  } catch {
    return null;
  }
}
