/** What is printed on the cardboard: the wall's pattern (AZ-6) and the floor's penalties (AZ-7). */
import { COLOURS, type Colour } from "./position";

export const PENALTIES = [-1, -1, -2, -2, -2, -3, -3] as const;

/** The colour that is printed on a cell of the coloured wall. */
export const printed = (row: number, column: number): Colour => COLOURS[(column - row + 5) % 5]!;
