import type { Company } from "../contract";

export const accent = "#7d1f2b"; // oxblood
export const accentAtNight = "#ec9a97";

export const company: Company = {
  chase: { name: "Constable", line: "Runs straight to where Mr. X may be." },
  easy: { name: "Rookie", line: "Decides in a blink, after a short look ahead." },
  medium: { name: "Old hand", line: "Half a second a move: plays the chase on from many cells where Mr. X may be." },
  hard: { name: "Inspector", line: "Two seconds a move: seldom leaves a way out unwatched." },
  champion: { name: "Mastermind", line: "Six seconds a move, and few slips: the strongest here." },
};

/** A person hunts first: on so small a grid even the strongest Mr. X is caught by any computer here. */
export const seat = 1;

/** Detectives who run straight at Mr. X: against them the guided game as Mr. X is open. */
export const teacher = "chase";

/** Nobody is caught before the first own move. */
export const forPeople = { starts: "apart" };
