import type { Company } from "../contract";

export const accent = "#14706a"; // sea green
export const accentAtNight = "#74cfc0";

export const company: Company = {
  beginner: { name: "Newcomer", line: "Looks hardly beyond the next move." },
  easy: { name: "Wanderer", line: "Decides after a short look ahead." },
  medium: { name: "Surveyor", line: "Tries many tiles that may be drawn next." },
  hard: { name: "Cartographer", line: "Plays the likely moves on through the next four draws." },
  champion: { name: "Admiral", line: "Thinks longest and slips seldom: the strongest here." },
};
