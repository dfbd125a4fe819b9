/** The Discovery: why a move is good, in words; the numbers come with the hint. */
import type { TellReason } from "../contract";
import { plural, t } from "../../words/index.svelte";

export const tell: TellReason = ({ term, values }, names) => {
  const [n, ends, before] = [Number(values.n), Number(values.ends), Number(values.before)];
  const terrain = String(values.terrain);
  const name = names[Number(values.seat)] ?? "";
  switch (term) {
    case "points":
      return plural(n, "{n} point at once", "{n} points at once");
    case "soon":
      return plural(n, "{n} point soon, as the game is expected to go", "{n} points soon, as the game is expected to go");
    case "free":
      return plural(n, "{n} follower in the hand again", "{n} followers in the hand again");
    case "follower":
      return ends
        ? plural(ends, "a follower on {terrain} worth {points} now, {n} side open", "a follower on {terrain} worth {points} now, {n} sides open", { terrain, points: n })
        : t("a follower on closed {terrain} worth {points}", { terrain, points: n });
    case "closed":
      return t("closes your {terrain}: worth {n}, before {before}", { terrain, n, before });
    case "region":
      return plural(ends, "your {terrain} is worth {points} now, {n} side open", "your {terrain} is worth {points} now, {n} sides open", { terrain, points: n });
    case "hindered":
      return plural(ends, "the {terrain} of {name} gets harder to close, {n} side open", "the {terrain} of {name} gets harder to close, {n} sides open", { terrain, name });
    default:
      return null;
  }
};
