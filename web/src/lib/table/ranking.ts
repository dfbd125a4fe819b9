/** Who came first: by what the game is worth to each seat, then by points. */

export interface Ranked {
  seat: number;
  rank: number; // from 1; equal seats share it
}

/** Seats from best to worst. Seats of one side share their rank; so do seats that nothing tells apart. */
export function ranking(
  returns: readonly number[] | null,
  scores: readonly number[] | null,
  sides: readonly number[],
  seats: number,
): Ranked[] {
  const teams = new Set(sides).size < sides.length;
  const worth = (seat: number): [number, number] => [returns?.[seat] ?? 0, teams ? 0 : (scores?.[seat] ?? 0)];
  const compare = (a: number, b: number) => {
    const [returnA, scoreA] = worth(a);
    const [returnB, scoreB] = worth(b);
    return returnB - returnA || scoreB - scoreA;
  };
  const order = Array.from({ length: seats }, (_, seat) => seat).sort((a, b) => compare(a, b) || a - b);
  return order.map((seat) => ({ seat, rank: 1 + order.findIndex((other) => compare(other, seat) === 0) }));
}
