/** Moves stations that stand too close to each other apart, so that their numbers can be large. */
import { distance, type Point } from "./geometry";

const ROUNDS = 60;

/** The places with at least about `gap` between any two; whatever had room stays where it was. */
export function spread(places: readonly Point[], gap: number): Point[] {
  const moved = places.map(({ x, y }) => ({ x, y }));
  const close = closePairs(places, gap * 2.5);
  for (let round = 0; round < ROUNDS; round++) {
    let calm = true;
    for (const [i, j] of close) {
      const [a, b] = [moved[i]!, moved[j]!];
      const apart = distance(a, b);
      if (apart >= gap - 0.05) continue;
      calm = false;
      const push = (gap - apart) / 2 / (apart || 1);
      const [dx, dy] = apart ? [(b.x - a.x) * push, (b.y - a.y) * push] : [gap / 2, 0];
      a.x -= dx;
      a.y -= dy;
      b.x += dx;
      b.y += dy;
    }
    if (calm) break;
  }
  return moved;
}

function closePairs(places: readonly Point[], within: number): [number, number][] {
  const pairs: [number, number][] = [];
  places.forEach((a, i) => {
    for (let j = i + 1; j < places.length; j++) if (distance(a, places[j]!) < within) pairs.push([i, j]);
  });
  return pairs;
}
