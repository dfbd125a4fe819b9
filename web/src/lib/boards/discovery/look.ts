import type { Company } from "../contract";

export const accent = "#14706a"; // sea green
export const accentAtNight = "#74cfc0";

export const company: Company = {
  easy: { name: "Wanderer", line: "Decides in a blink, after a short look ahead." },
  medium: { name: "Surveyor", line: "Half a second a move: tries many tiles that may be drawn next." },
  hard: { name: "Cartographer", line: "Two seconds a move: plays the likely moves on through the next four draws." },
  champion: { name: "Admiral", line: "Six seconds a move, and few slips: the strongest here." },
};
