import type { Company, Limits } from "../contract";

export const accent = "#7d1f2b"; // oxblood
export const accentAtNight = "#ec9a97";

export const company: Company = {
  evade: { name: "Constable", line: "Runs straight to where Mr. X was last seen." },
  beginner: { name: "Trainee", line: "Looks hardly beyond the next move." },
  easy: { name: "Rookie", line: "Decides after a short look ahead." },
  medium: { name: "Old hand", line: "Plays the chase on from many places where Mr. X may be." },
  hard: { name: "Inspector", line: "Seldom leaves a way out unwatched." },
  champion: { name: "Mastermind", line: "Thinks longest and slips seldom: the strongest here." },
};

/** Detectives who only follow what they have seen: nobody here is gentler to a first Mr. X. */
export const teacher = "evade";

/** The first ride, wherever it leads, is not the last. */
export const firstGame = { starts: "apart" };

export const limits: Limits = ({ detectives }, players) => ({
  detectives: { low: players - 1 },
  bobbies: { high: Math.max(0, Number(detectives) - 1) },
});
