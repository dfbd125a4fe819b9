/** Moves names to where they cover few lines and no station. */
import type { Point } from "./geometry";
import type { Label } from "./scenery";

const STEP = 6;
const REACH = 7; // steps in every direction
const LETTER = 0.82; // width of a letter of the label's size, with its space

/** Every label at the best place near its own; stations weigh more than lines, later labels avoid earlier ones. */
export function settle(labels: readonly Label[], stations: readonly Point[], lines: readonly Point[]): Label[] {
  const placed: Label[] = [];
  for (const label of labels) {
    const [stops, ways] = [near(label, stations), near(label, lines)];
    let [found, least] = [label, Infinity];
    for (let i = -REACH; i <= REACH; i++) {
      for (let j = -REACH; j <= REACH; j++) {
        const there = { ...label, x: label.x + i * STEP, y: label.y + j * STEP };
        const far = (i * i + j * j) * 0.05;
        const crowd = 5 * within(there, stops, 13) + within(there, ways, 2.5) + 20 * placed.filter((other) => meet(there, other)).length;
        if (far + crowd < least) [found, least] = [there, far + crowd];
      }
    }
    placed.push(found);
  }
  return placed;
}

/** The points that a label can meet at all. */
function near(label: Label, points: readonly Point[]): Point[] {
  const [dx, dy] = [halfWidth(label) + STEP * REACH + 13, label.size / 2 + STEP * REACH + 13];
  return points.filter(({ x, y }) => Math.abs(x - label.x) < dx && Math.abs(y - label.y) < dy);
}

export const halfWidth = ({ text, size }: Label) => (text.length * size * LETTER) / 2;

function within(label: Label, points: readonly Point[], margin: number): number {
  const [dx, dy] = [halfWidth(label) + margin, label.size / 2 + margin];
  return points.filter(({ x, y }) => Math.abs(x - label.x) < dx && Math.abs(y - label.y) < dy).length;
}

function meet(one: Label, other: Label): boolean {
  const across = Math.abs(one.x - other.x) < halfWidth(one) + halfWidth(other) + 8;
  return across && Math.abs(one.y - other.y) < (one.size + other.size) / 2 + 6;
}
