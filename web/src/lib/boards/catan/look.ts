import type { Company, Limits } from "../contract";

export const accent = "#8f5a08"; // ochre
export const accentAtNight = "#e6b154";

export const company: Company = {
  beginner: { name: "Settler", line: "Looks hardly beyond the next move." },
  easy: { name: "Shepherd", line: "Decides after a short look ahead." },
  medium: { name: "Trader", line: "Plays the dice of many turns in advance." },
  hard: { name: "Merchant", line: "Knows what every field may yield." },
  champion: { name: "Governor", line: "Thinks longest and slips seldom: the strongest here." },
};

export const limits: Limits = ({ board }) => ({
  tokens: { choices: board === "variable" ? ["spiral", "random"] : ["spiral"] },
});

/** Every game has an island of its own. The rules do not limit the offers of a turn; computers limit theirs themselves. */
export const forPeople = { board: "variable", offers_per_turn: "unlimited" };

/** Newcomers begin on the island that the rules give them. */
export const firstGame = { board: "beginner" };
