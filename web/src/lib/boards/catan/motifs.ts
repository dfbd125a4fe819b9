/** The drawings of landscapes and resources, as paths around (0, 0) that stand on y = 0 or are centred. */
import type { Resource, Terrain } from "./position";

/** One stroke or area of a drawing; colours are names in palette.css. */
export interface Stroke {
  path: string;
  fill?: string;
  line?: string;
  width?: number;
}

/** What is scattered over a terrain, and how densely. */
export interface Motif {
  strokes: Stroke[];
  scale: number;
  count: number;
  apart: number;
  room: { left: number; up: number; down: number };
}

const ear = (tilt: number): Stroke[] => {
  const grains = [0, 1, 2, 3].flatMap((k) => [-1, 1].map((side) => {
    const [x, y] = [tilt * (12 + 6 * k) * 0.05, -13 - 5.4 * k];
    return `M${x} ${y}q${side * 6} -1 ${side * 5} -7q${-side * 5} 1 ${-side * 5} 7`;
  }));
  return [
    { path: `M0 0Q${tilt * 0.2} -16 ${tilt} -34`, line: "fields-ink", width: 2 },
    { path: grains.join(""), fill: "fields-light", line: "fields-ink", width: 1.4 },
  ];
};

const sheep: Stroke[] = [
  { path: "M-6 -3v5M5 -3v5M-2 -3v5M9 -3v5", line: "pasture-ink", width: 2.2 },
  {
    path: "M-9 -3q-5 -4 -1 -8q0 -6 6 -5q4 -5 8 -1q6 -2 7 4q5 4 0 8q-1 4 -6 2q-4 4 -8 0q-5 3 -6 0",
    fill: "fleece",
    line: "pasture-ink",
    width: 1.6,
  },
  { path: "M-9 -14q-6 -2 -8 3q1 5 5 4q4 -2 3 -7", fill: "pasture-ink" },
];

const conifer: Stroke[] = [
  { path: "M0 0v-8", line: "forest-ink", width: 3.4 },
  { path: "M0 -37L9 -23H5.5L12 -13H7L14 -4H-14L-7 -13H-12L-5.5 -23H-9Z", fill: "forest-ink" },
  { path: "M0 -37L-9 -23H-5.5L-12 -13H-7L-14 -4H-4Z", fill: "forest-light" },
];

const peak: Stroke[] = [
  { path: "M-26 0L-4 -40L4 -33L10 -37L28 0Z", fill: "mountains-light", line: "mountains-ink", width: 1.8 },
  { path: "M-4 -40L4 -33L10 -37L28 0H6L9 -12L1 -20Z", fill: "mountains-ink" },
  { path: "M-4 -40L-12 -25L-6 -28L-2 -22L2 -27L5 -32.3L4 -33Z", fill: "snow" },
];

const kiln: Stroke[] = [
  { path: "M-24 0Q-20 -20 0 -21Q20 -20 24 0Z", fill: "hills-light", line: "hills-ink", width: 1.8 },
  { path: "M-21 -7H21.5M-15 -14H15.5M-12 0v-7M0 0v-7M12 0v-7M-6 -7v-7M6 -7v-7M0 -14v-7", line: "hills-ink", width: 1.5 },
];

const cactus: Stroke[] = [
  { path: "M0 0V-28", line: "desert-ink", width: 6 },
  { path: "M0 -9H-8V-18M0 -13H8V-21", line: "desert-ink", width: 4 },
];

export const MOTIFS: Record<Terrain, Motif> = {
  hills: { strokes: kiln, scale: 0.82, count: 9, apart: 29, room: { left: 18, up: 16, down: 2 } },
  forest: { strokes: conifer, scale: 0.9, count: 17, apart: 19, room: { left: 9, up: 30, down: 0 } },
  pasture: { strokes: sheep, scale: 1, count: 5, apart: 40, room: { left: 15, up: 16, down: 3 } },
  fields: { strokes: ear(5), scale: 0.9, count: 17, apart: 18, room: { left: 6, up: 30, down: 0 } },
  mountains: { strokes: peak, scale: 0.72, count: 9, apart: 25, room: { left: 13, up: 22, down: 0 } },
  desert: { strokes: cactus, scale: 1, count: 5, apart: 40, room: { left: 9, up: 28, down: 0 } },
};

/** Sparse strokes over the whole hex, under the motif: courses of clay, needles, grass, furrows, rifts, dunes. */
export const GROUND: Record<Terrain, string> = {
  hills: "M-70 -30q20 -14 40 0M20 -58q16 -12 34 0M-62 34q18 -13 36 0M28 44q20 -14 40 0M-20 74q18 -13 36 0M36 -8q18 -12 36 0",
  forest: "M-66 -20l4 -7l4 7M40 -58l4 -7l4 7M58 20l4 -7l4 7M-40 56l4 -7l4 7M8 82l4 -7l4 7M-22 -64l4 -7l4 7M-72 24l4 -7l4 7",
  pasture:
    "M-66 -14q3 -8 1 -13m3 13q1 -6 5 -9M22 -62q3 -8 1 -13m3 13q1 -6 5 -9M60 -20q3 -8 1 -13m3 13q1 -6 5 -9" +
    "M-58 44q3 -8 1 -13m3 13q1 -6 5 -9M54 46q3 -8 1 -13m3 13q1 -6 5 -9" +
    "M-6 82q3 -8 1 -13m3 13q1 -6 5 -9M-30 -58q3 -8 1 -13m3 13q1 -6 5 -9",
  fields:
    "M-84 -34Q0 -70 84 -34M-84 -6Q0 -46 84 -6M-84 22Q0 -16 84 22M-78 48Q0 12 78 48M-40 70Q0 44 40 70M-44 -66Q0 -84 44 -66",
  mountains: "M-74 24l10 8l8 -4M44 -54l8 9l9 -3M-24 70l9 9l10 -5M50 40l10 8l8 -5M-54 -42l8 8l9 -4M66 -8l6 8l7 -3",
  desert:
    "M-76 20q22 -18 44 0t40 0M-20 62q22 -16 42 0t36 -4M-50 -44q20 -16 40 0t36 -2" +
    "M20 -8q24 -16 56 4M-70 -10h4M-40 40h4M52 -38h4M36 38h4M-8 84h4M0 -74h4",
};

const one = (path: string, fill: string, line: string): Stroke => ({ path, fill, line, width: 1.6 });

/** The sign of a resource within ±14. */
export const SIGNS: Record<Resource, Stroke[]> = {
  brick: [
    one("M-12 2h11v8h-11zM1 2h11v8h-11zM-6 -8h12v8h-12z", "hills-light", "hills-ink"),
  ],
  lumber: [
    one(
      "M-12 3h18a4.5 4.5 0 0 1 0 9h-18a4.5 4.5 0 0 1 0 -9M-6 -9h18a4.5 4.5 0 0 1 0 9h-18a4.5 4.5 0 0 1 0 -9",
      "forest-light",
      "forest-ink",
    ),
    { path: "M-12 5.5a2 2 0 0 1 0 4M-6 -6.5a2 2 0 0 1 0 4M-3 7.5h6M3 -4.5h6", line: "forest-ink", width: 1.6 },
  ],
  wool: sheep.map((stroke) => ({ ...stroke })),
  grain: ear(0),
  ore: [
    one("M-12 9L-8 -5L1 -11L11 -4L13 9Z", "mountains-light", "mountains-ink"),
    { path: "M-8 -5L-1 0L1 -11M-1 0L11 -4M-1 0L-3 9", line: "mountains-ink", width: 1.5 },
    { path: "M-1 0L11 -4L13 9H-3Z", fill: "mountains-ink" },
  ],
};

/** Signs that stand on y = 0 are moved to the middle. */
export const SIGN_SHIFT: Record<Resource, number> = { brick: -1, lumber: -1.5, wool: 7, grain: 18, ore: 1 };
export const SIGN_SCALE: Record<Resource, number> = { brick: 1, lumber: 0.92, wool: 1, grain: 0.72, ore: 0.95 };

/** The sign of development cards. */
export const STAR = "M0 -12l3.5 8 8.7 0.8 -6.6 5.7 2 8.6 -7.6 -4.6 -7.6 4.6 2 -8.6 -6.6 -5.7 8.7 -0.8z";

/** The letter of a resource, all different. */
export const LETTERS: Record<Resource, string> = { brick: "B", lumber: "L", wool: "W", grain: "G", ore: "O" };

export const LANDSCAPE: Record<Resource, Terrain> = {
  brick: "hills",
  lumber: "forest",
  wool: "pasture",
  grain: "fields",
  ore: "mountains",
};
