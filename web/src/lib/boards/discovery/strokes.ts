/** A few pen strokes that say what a terrain is: peaks, blades of grass, waves. Upright however the tile lies. */
import type { Point } from "./curves";
import type { Terrain } from "./position";

const MOTIFS: Record<Terrain, readonly string[]> = {
  mountains: ["m-8 5l6.5-10.5l3 4.4l2.2-2.6l5.3 8.7m-8.5-10.5l-0.6 4.2l1.6 2", "m-6 4l5.6-9l6 9m-6-9l0.8 4l-1.4 2.2"],
  grassland: ["m-4 2q0.4-3.4-1.4-5.4m2.8 5.4q0.2-4.4 0.6-7m0.8 7q0.6-3.6 2.6-5.2", "m-2 2q0.2-3-1.2-4.6m2.6 4.6q0.2-3 1.8-4.8"],
  sea: ["m-8 0q2.7-3.4 5.4 0t5.4 0t5.4 0", "m-5.5 0q2.7-3.2 5.4 0t5.4 0"],
};

/** The strokes at some places as one SVG path. */
export function strokes(terrain: Terrain, places: readonly Point[]): string {
  const motifs = MOTIFS[terrain];
  return places
    .map(({ x, y }, k) => `M${x.toFixed(1)} ${y.toFixed(1)}${motifs[k % motifs.length]}`)
    .join("");
}
