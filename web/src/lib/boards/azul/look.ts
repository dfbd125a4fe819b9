import type { Company, Limits } from "../contract";

export const accent = "#1f4f9c"; // cobalt
export const accentAtNight = "#8fb4f2";

export const company: Company = {
  easy: { name: "Apprentice", line: "Decides in a blink, after a short look ahead." },
  medium: { name: "Tiler", line: "Half a second a move: tries many ways in which the round may go." },
  hard: { name: "Master tiler", line: "Two seconds a move: weighs every wall before a tile is touched." },
  champion: { name: "Architect", line: "Six seconds a move, and few slips: the strongest here." },
};

export const limits: Limits = (_, players) => ({
  first: { choices: ["random", ...Array.from({ length: players }, (_seat, index) => String(index + 1))] },
});
