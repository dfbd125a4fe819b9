/** Catan: why a move is good, in words; the numbers come with the hint. */
import type { TellReason } from "../contract";
import { mark, plural, t, words } from "../../words/index.svelte";

const listed = (found: unknown): string => new Intl.ListFormat(words.language).format((found as string[]).map((name) => t(name)));

/** What can be bought, as the reasons name it; sentences bend these. */
export const GOODS: readonly string[] = [mark("road"), mark("settlement"), mark("city"), mark("development card")];

export const tell: TellReason = ({ term, values }, names) => {
  const n = Number(values.n);
  const name = names[Number(values.seat)] ?? "";
  const resources = values.resources as string[] | undefined;
  switch (term) {
    case "points":
      return plural(n, "{n} point more", "{n} points more");
    case "production":
      return n > 0
        ? plural(n, "produces {n} dot more: {resources}", "produces {n} dots more: {resources}", { resources: listed(resources) })
        : t("your fields produce more");
    case "harbour":
      return resources?.length
        ? t("a harbour: {n} {resources} for 1", { n, resources: listed(resources) })
        : t("a harbour: {n} of a kind for 1", { n });
    case "site":
      return Number(values.roads)
        ? plural(n, "a place with {n} dot is one road away", "a place with {n} dots is one road away")
        : plural(n, "a place with {n} dot can be settled", "a place with {n} dots can be settled");
    case "road":
      return plural(n, "your longest road is {n} long", "your longest road is {n} long");
    case "army":
      return plural(n, "{n} knight in your army", "{n} knights in your army");
    case "purchase":
      return n
        ? plural(n, "{n} card short of a {what}", "{n} cards short of a {what}", { what: String(values.what) })
        : t("then you can pay for a {what}", { what: String(values.what) });
    case "seven":
      return plural(n, "a seven takes {n} card less", "a seven takes {n} cards less");
    case "card":
      return t("a development card");
    case "robbed":
      return plural(n, "keeps {n} dot from {name}", "keeps {n} dots from {name}", { name });
    case "denied":
      return "n" in values ? plural(Number(values.n), "{name} loses a place to settle, with {n} dot", "{name} loses a place to settle, with {n} dots", { name }) : t("{name} loses a place to settle", { name });
    default:
      return null;
  }
};
