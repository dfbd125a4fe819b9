import type { Company } from "../contract";

export const accent = "#7d1f2b"; // oxblood
export const accentAtNight = "#ec9a97";

export const company: Company = {
  evade: { name: "Constable", line: "Runs straight to where Mr. X was last seen." },
  easy: { name: "Rookie", line: "Decides in a blink, after a short look ahead." },
  medium: { name: "Old hand", line: "Half a second a move: plays the chase on from many cells where Mr. X may be." },
  hard: { name: "Inspector", line: "Two seconds a move: seldom leaves a way out unwatched." },
  champion: { name: "Mastermind", line: "Six seconds a move, and few slips: the strongest here." },
};

/** A person hunts first: on so small a grid even the strongest Mr. X is caught by any computer here. */
export const seat = 1;

/** Detectives who only follow what they have seen: from them a careful Mr. X escapes in every other game. */
export const teacher = "evade";

/** Nobody is caught before the first own move. */
export const forPeople = { starts: "apart" };
