/** Azul: why a move is good, in words; the numbers come with the hint. */
import type { TellReason } from "../contract";
import { plural, t } from "../../words/index.svelte";

export const tell: TellReason = ({ term, values }, names) => {
  const n = Number(values.n);
  const line = Number(values.line);
  switch (term) {
    case "points":
      return "line" in values
        ? plural(n, "line {line} is full: {n} point more after tiling", "line {line} is full: {n} points more after tiling", { line })
        : plural(n, "{n} point more after tiling", "{n} points more after tiling");
    case "line":
      return t("line {line}: {n} of {size} filled", { line, n, size: Number(values.size) });
    case "column":
      return plural(n, "{n} tile in column {column}", "{n} tiles in column {column}", { column: Number(values.column) });
    case "colour":
      return plural(n, "{n} {colour} tile on the wall", "{n} {colour} tiles on the wall", { colour: String(values.colour) });
    case "wall":
      return n > 0
        ? plural(n, "free places beside it bring {n} point more", "free places beside it bring {n} points more")
        : t("the wall grows together");
    case "marker":
      return t("you begin the next round");
    case "denied": {
      const told = plural(n, "takes {n} {colour} tile that {name} needs for line {line}", "takes {n} {colour} tiles that {name} needs for line {line}", {
        colour: String(values.colour),
        name: names[Number(values.seat)] ?? "",
        line,
      });
      const points = Number(values.points ?? 0);
      return points > 0 ? plural(points, "{what}: {n} point for them", "{what}: {n} points for them", { what: told }) : told;
    }
    default:
      return null;
  }
};
