import type { Company } from "../contract";

export const accent = "#7d1f2b"; // oxblood
export const accentAtNight = "#ec9a97";

export const company: Company = {
  evade: { name: "Constable", line: "Runs straight to where Mr. X was last seen." },
  beginner: { name: "Trainee", line: "Looks hardly beyond the next move." },
  easy: { name: "Rookie", line: "Decides after a short look ahead." },
  medium: { name: "Old hand", line: "Plays the chase on from many cells where Mr. X may be." },
  hard: { name: "Inspector", line: "Seldom leaves a way out unwatched." },
  champion: { name: "Mastermind", line: "Thinks longest and slips seldom: the strongest here." },
};

/** A person hunts first: on so small a grid even the strongest Mr. X is caught by any computer here. */
export const seat = 1;

/** Detectives who only follow what they have seen: from them a careful Mr. X escapes in every other game. */
export const teacher = "evade";

/** Nobody is caught before the first own move. */
export const forPeople = { starts: "apart" };
