/** The five tiles: ground, and layers of motifs over it. Each colour has a pattern that no other has. */
import { corners, cushion, disc, dots, leaves, star } from "./motifs";
import type { Colour } from "./position";

export interface Layer {
  path: string;
  fill?: string;
  stroke?: string;
  width?: number;
}

export interface Design {
  ground: string;
  edge: string; // the darker rim of the glaze
  ink: string; // for a letter on the tile
  letter: string;
  layers: Layer[];
}

export const DESIGNS: Record<Colour, Design> = {
  blue: {
    ground: "#2a5caa",
    edge: "#173c7c",
    ink: "#ffffff",
    letter: "B",
    layers: [
      { path: corners(27), stroke: "#a9c6ec", width: 4 },
      { path: corners(16), fill: "#dfeaf8" },
      { path: leaves(4, 4, 41, 13), fill: "#f3f6fb" },
      { path: leaves(4, 12, 33, 5), fill: "#2a5caa" },
      { path: leaves(4, 8, 33, 9, 1 / 8), fill: "#8fb3e4" },
      { path: disc(50, 50, 6), fill: "#f0c454" },
    ],
  },
  yellow: {
    ground: "#ecb63e",
    edge: "#b57b14",
    ink: "#3c2a06",
    letter: "Y",
    layers: [
      { path: star(16, 47, 33), fill: "#f9dc8b" },
      { path: star(16, 36, 27, 1 / 32), fill: "#c9741c" },
      { path: disc(50, 50, 23), fill: "#fff4d6" },
      { path: leaves(8, 3, 20, 5), fill: "#c9741c" },
      { path: disc(50, 50, 5), fill: "#ecb63e" },
      { path: disc(7, 7, 5) + disc(93, 7, 5) + disc(7, 93, 5) + disc(93, 93, 5), fill: "#c9741c" },
    ],
  },
  red: {
    ground: "#b9432f",
    edge: "#7d2416",
    ink: "#ffffff",
    letter: "R",
    layers: [
      { path: disc(50, 27, 19) + disc(73, 50, 19) + disc(50, 73, 19) + disc(27, 50, 19), fill: "#f4d9c2" },
      { path: disc(50, 27, 13) + disc(73, 50, 13) + disc(50, 73, 13) + disc(27, 50, 13), fill: "#b9432f" },
      { path: cushion(30, 9), fill: "#f4d9c2" },
      { path: cushion(19, 5), fill: "#7d2416" },
      { path: leaves(4, 36, 64, 8, 1 / 8), fill: "#eda46f" },
    ],
  },
  black: {
    ground: "#30343c",
    edge: "#15171b",
    ink: "#ffffff",
    letter: "K",
    layers: [
      { path: "M50 6L94 50L50 94L6 50Z", stroke: "#cdbf9f", width: 4 },
      { path: "M19 19H81V81H19Z", stroke: "#cdbf9f", width: 4 },
      { path: star(8, 27, 13), fill: "#cdbf9f" },
      { path: disc(50, 50, 8), fill: "#30343c" },
      { path: dots(4, 62, 5, 1 / 8), fill: "#8d8672" },
    ],
  },
  white: {
    ground: "#f5f0e4",
    edge: "#b9ad92",
    ink: "#123f44",
    letter: "W",
    layers: [
      { path: "M0 0L100 100M100 0L0 100", stroke: "#9fc9c5", width: 3 },
      { path: corners(22), stroke: "#2e8a88", width: 4 },
      { path: leaves(8, 17, 43, 6), fill: "#2e8a88" },
      { path: disc(50, 50, 16), fill: "#f5f0e4", stroke: "#2e8a88", width: 3.5 },
      { path: leaves(4, 0, 13, 4, 1 / 8), fill: "#d98e4a" },
    ],
  },
};
