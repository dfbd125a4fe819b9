import type { Company, Limits } from "../contract";

export const accent = "#8f5a08"; // ochre
export const accentAtNight = "#e6b154";

export const company: Company = {
  easy: { name: "Shepherd", line: "Decides in a blink, after a short look ahead." },
  medium: { name: "Trader", line: "Half a second a move: plays the dice of many turns in advance." },
  hard: { name: "Merchant", line: "Two seconds a move: knows what every field may yield." },
  champion: { name: "Governor", line: "Six seconds a move, and few slips: the strongest here." },
};

export const limits: Limits = ({ board }) => ({
  tokens: { choices: board === "variable" ? ["spiral", "random"] : ["spiral"] },
});
