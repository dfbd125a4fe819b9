import type { Company, Limits } from "../contract";

export const accent = "#1f4f9c"; // cobalt
export const accentAtNight = "#8fb4f2";

export const company: Company = {
  beginner: { name: "Novice", line: "Looks hardly beyond the next move." },
  easy: { name: "Apprentice", line: "Decides after a short look ahead." },
  medium: { name: "Tiler", line: "Tries many ways in which the round may go." },
  hard: { name: "Master tiler", line: "Weighs every wall before a tile is touched." },
  champion: { name: "Architect", line: "Thinks longest and slips seldom: the strongest here." },
};

export const limits: Limits = (_, players) => ({
  first: { choices: ["random", ...Array.from({ length: players }, (_seat, index) => String(index + 1))] },
});
