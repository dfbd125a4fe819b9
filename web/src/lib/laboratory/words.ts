/** Numbers of tournaments as people read them. */
import { mark, plural, t, words } from "../words/index.svelte";

const number = (value: number, digits: number) =>
  value.toLocaleString(words.language, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** `52 %`. */
export const share = (part: number): string => `${number(100 * part, 0)} %`;

/** `41–63 %`. */
export const between = ([low, high]: readonly number[]): string => `${number(100 * low!, 0)}–${number(100 * high!, 0)} %`;

export const points = (value: number): string => number(value, 1);

/** Points of one game, which are mostly whole. */
export const score = (value: number): string => number(value, Number.isInteger(value) ? 0 : 1);

export const whole = (value: number): string => number(value, 0);

/** The time of a decision: `20 µs`, `12 ms`, `1.3 s`. */
export function decision(seconds: number): string {
  if (seconds < 0.001) return `${number(1e6 * seconds, 0)} µs`;
  if (seconds < 1) return `${number(1000 * seconds, seconds < 0.01 ? 1 : 0)} ms`;
  return `${number(seconds, seconds < 10 ? 1 : 0)} s`;
}

/** The time that is left, in the unit that people would say. */
export function timeLeft(seconds: number): string {
  if (seconds < 50) return t("less than a minute left");
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return plural(minutes, "about {n} minute left", "about {n} minutes left");
  return plural(Math.round(seconds / 3600), "about {n} hour left", "about {n} hours left");
}

const STATUS: Record<string, string> = { playing: mark("Playing"), waiting: mark("Waiting"), stopped: mark("Stopped"), finished: mark("Finished") };

export const statusWord = (status: string): string => t(STATUS[status] ?? status);

/** When it was begun. */
export const moment = (when: string): string =>
  new Date(when).toLocaleString(words.language === "en" ? "en-GB" : words.language, { dateStyle: "medium", timeStyle: "short" });
