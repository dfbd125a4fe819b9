/** Time on a clock, as people read it. */
import type { TableInfo } from "../api/types";
import { plural, t } from "../words/index.svelte";

const two = (n: number) => String(n).padStart(2, "0");

/** `4:07`, `1:02:03`, below ten seconds `7.3`, from two days on `3 days`. */
export function clockWords(seconds: number): string {
  const left = Math.max(0, seconds);
  if (left < 10) return (Math.floor(left * 10) / 10).toFixed(1);
  const whole = Math.floor(left);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  if (hours >= 48) return plural(Math.floor(hours / 24), "{n} day", "{n} days");
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** The clock of a table in a sentence. */
export function agreed({ minutes, increment, days, expired }: NonNullable<TableInfo["clock"]>): string {
  const time = days
    ? plural(days, "{n} day for a move.", "{n} days for a move.")
    : t("{minutes} min for everybody, and {seconds} s for every turn.", { minutes: minutes ?? 0, seconds: increment ?? 0 });
  return `${time} ${expired === "agent" ? t("When time runs out, a computer plays on.") : t("When time runs out, the game is lost.")}`;
}
