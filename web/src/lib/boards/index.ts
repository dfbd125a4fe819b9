/** Finds boards by the game's name; every board is a chunk of its own, loaded when its table is opened. */
import type { Component } from "svelte";
import type { OptionValue } from "../api/types";
import { words } from "../words/index.svelte";
import type { BoardModule, Company, Guide, Limits, Look, TellReason } from "./contract";

const boards = import.meta.glob<BoardModule>("./*/index.ts");
const guides = import.meta.glob<{ guide: Guide }>("./*/guide.ts");
const reasons = import.meta.glob<{ tell: TellReason }>("./*/reasons.ts");
const pictures = import.meta.glob<{ default: Component }>("./*/Picture.svelte");
const looks = import.meta.glob<Look>("./*/look.ts", { eager: true });

const FALLBACK = "fallback";
const USUAL: Look = { accent: "#5b4a8a", accentAtNight: "#b7a6e6" };

/** The catalogue of a game's words: both hunts share theirs. */
export const wordsOf = (game: string): string => game.replace(/_grid$/, "");

/** The game's own board, or the one that shows any game in words. */
export async function loadBoard(game: string): Promise<BoardModule> {
  const load = boards[`./${game}/index.ts`] ?? boards[`./${FALLBACK}/index.ts`]!;
  return (await Promise.all([load(), words.bring(wordsOf(game))]))[0];
}

/** The game for newcomers; null where nobody has written it. */
export async function loadGuide(game: string): Promise<Guide | null> {
  const [found] = await Promise.all([guides[`./${game}/guide.ts`]?.(), words.bring(wordsOf(game))]);
  return found?.guide ?? null;
}

/** How a game tells why a move is good. */
export async function loadReasons(game: string): Promise<TellReason> {
  const [found] = await Promise.all([reasons[`./${game}/reasons.ts`]?.(), words.bring(wordsOf(game))]);
  return found?.tell ?? (() => null);
}

export const hasGuide = (game: string): boolean => `./${game}/guide.ts` in guides;

/** The game's picture for the lobby. */
export async function loadPicture(game: string): Promise<Component> {
  const load = pictures[`./${game}/Picture.svelte`] ?? pictures[`./${FALLBACK}/Picture.svelte`]!;
  return (await load()).default;
}

const lookOf = (game: string): Look => looks[`./${game}/look.ts`] ?? USUAL;

/** The computers that a game introduces by name. */
export const companyOf = (game: string): Company => lookOf(game).company ?? {};

/** Which options of a game make sense together. */
export const limitsOf = (game: string): Limits => lookOf(game).limits ?? (() => ({}));

/** What a game's options are at a table of people. */
export const forPeople = (game: string): Readonly<Record<string, OptionValue>> => lookOf(game).forPeople ?? {};

/** Where a person sits who has chosen nothing. */
export const seatOf = (game: string): number => lookOf(game).seat ?? 0;

/** Against whom a game is learned; null for the usual computer. */
export const teacherOf = (game: string): string | null => lookOf(game).teacher ?? null;

/** What a game's options are in the guided game. */
export const firstGameOf = (game: string): Readonly<Record<string, OptionValue>> => lookOf(game).firstGame ?? {};

/** The game's colours as style properties. */
export function accentStyle(game: string): string {
  const look = lookOf(game);
  return `--accent-day: ${look.accent}; --accent-night: ${look.accentAtNight}`;
}
