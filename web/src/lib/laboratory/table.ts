/** The cross table: who beats whom, rows and columns in the order of strength. */
import type { Cell, Results } from "./requests";

export interface Square {
  share: number; // of the row
  interval: readonly number[];
  wins: number;
  draws: number;
  losses: number;
  games: number;
}

const plain = ({ share, interval, wins, draws, losses, games }: Cell): Square => ({ share, interval, wins, draws, losses, games });

/** The same seen by the other. */
const turned = ({ share, interval, wins, draws, losses, games }: Cell): Square => ({
  share: 1 - share,
  interval: [1 - interval[1]!, 1 - interval[0]!],
  wins: losses,
  draws,
  losses: wins,
  games,
});

/** The players, best first; those without a game follow. */
export function orderOf({ cross_table: { players }, standings }: Pick<Results, "cross_table" | "standings">): string[] {
  const ranked = standings.map(({ agent }) => agent);
  return [...ranked, ...players.filter((name) => !ranked.includes(name))];
}

/** What the row did against the column; `seated` counts only games in which the row sat earlier. */
export function squareOf(table: Results["cross_table"], row: string, column: string, seated: boolean): Square | null {
  const cells = seated ? table.ordered : table.unordered;
  const own = cells.find(({ first, second }) => first === row && second === column);
  if (own) return plain(own);
  const other = seated ? undefined : cells.find(({ first, second }) => first === column && second === row);
  return other ? turned(other) : null;
}

/** Is it certain who is better: does the interval leave out one half? */
export const certain = ({ interval }: Square): boolean => interval[0]! > 0.5 || interval[1]! < 0.5;
