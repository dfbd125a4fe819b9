/** Scotland Yard: why a move is good, in words; the numbers come with the hint. */
import type { TellReason } from "../contract";
import { t, words } from "../../words/index.svelte";

export const tell: TellReason = ({ term, values }) => {
  const figure = (value: unknown) => Number(value).toLocaleString(words.language, { maximumFractionDigits: 1 });
  const told = { n: figure(values.n), before: figure(values.before) };
  switch (term) {
    case "away":
      return t("the detectives are {n} moves away in the mean, before {before}", told);
    case "beside":
      return t("detectives beside Mr. X who can still move: {n}, before {before}", told);
    case "safe":
      return t("ways out that no detective is beside: {n}, before {before}", told);
    case "hiding":
      return t("places where Mr. X may be: {n}, before {before}", told);
    case "spread":
      return t("the detectives are {n} moves from where he may be in the mean, before {before}", told);
    default:
      return null;
  }
};
