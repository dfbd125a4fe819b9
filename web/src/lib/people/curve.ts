/** The curve of a rating as a drawing. */
export interface Point {
  rating: number;
}

const ROOM = 4; // of the drawing, above and below

export const rangeOf = (curve: readonly Point[]): [number, number] => [
  Math.min(...curve.map(({ rating }) => rating)),
  Math.max(...curve.map(({ rating }) => rating)),
];

/** A line through all ratings, from game to game; an even one lies in the middle. */
export function pathOf(curve: readonly Point[], width: number, height: number): string {
  const [low, high] = rangeOf(curve);
  const spread = high - low || 1;
  const points = curve.map(({ rating }, k) => {
    const x = curve.length > 1 ? (k / (curve.length - 1)) * width : 0;
    const part = high > low ? (rating - low) / spread : 0.5;
    return `${x.toFixed(1)} ${(height - ROOM - part * (height - 2 * ROOM)).toFixed(1)}`;
  });
  return `M${points.join("L")}`;
}
