/** London's river, parks and quarters, in the map's own units; other maps have open land. */
import { closedPath, smooth, type Point } from "./geometry";

export interface Label extends Point {
  text: string;
  size: number;
}

export interface Scenery {
  river: Point[]; // its middle, downstream
  water: string; // its outline
  ripples: string[];
  parks: string[];
  quarters: { outline: string; tint: number }[];
  labels: Label[];
  waterLabels: Label[];
}

type Row = readonly [number, number, number];

/** Middle of the Thames and its width there, from Battersea to Wapping. */
const THAMES: readonly Row[] = [
  [290, 1100, 60],
  [306, 860, 40],
  [324, 796, 32],
  [338, 748, 28],
  [343, 706, 22],
  [364, 676, 26],
  [396, 656, 30],
  [430, 640, 26],
  [472, 634, 26],
  [510, 624, 28],
  [541, 602, 24],
  [559, 574, 24],
  [567, 532, 40],
  [572, 486, 46],
  [578, 444, 46],
  [596, 404, 42],
  [628, 374, 40],
  [672, 356, 40],
  [722, 349, 38],
  [776, 356, 40],
  [826, 366, 38],
  [876, 362, 36],
  [922, 380, 44],
  [972, 396, 54],
  [1050, 404, 62],
  [1160, 392, 70],
  [1500, 420, 90],
];

const PARKS: readonly (readonly [number, number][])[] = [
  [[214, 38], [262, 16], [330, 18], [345, 50], [318, 84], [268, 100], [218, 92], [196, 66]], // Regent's Park
  [[124, 352], [196, 330], [240, 348], [246, 382], [282, 418], [272, 446], [214, 456], [150, 458], [118, 440], [114, 390]], // Hyde Park
  [[322, 424], [352, 414], [376, 430], [374, 462], [350, 472], [324, 462]], // St James's Park
  [[890, 28], [938, 26], [950, 58], [938, 90], [902, 92], [884, 62]], // Victoria Park
  [[206, 708], [246, 700], [284, 704], [270, 722], [222, 730], [190, 722]], // Battersea
  [[716, 692], [762, 676], [800, 694], [798, 724], [752, 734], [712, 722]], // Kennington
  [[872, 600], [912, 600], [930, 622], [914, 646], [880, 640]], // Southwark Park
];

const FAR = 500; // the land goes on beyond the map's edge
const [LEFT, TOP, RIGHT, BOTTOM] = [-FAR, -FAR, 1000 + FAR, 745 + FAR];

/** Areas that differ in tint only; the first is drawn first. */
const QUARTERS: readonly { tint: number; corners: readonly [number, number][] }[] = [
  { tint: 1, corners: [[LEFT, TOP], [400, TOP], [395, -80], [392, 60], [382, 150], [340, 240], [268, 300], [120, 320], [LEFT, 380]] },
  { tint: 2, corners: [[400, TOP], [690, TOP], [690, -80], [672, 60], [612, 190], [560, 300], [520, 350], [400, 330], [330, 270], [382, 150], [392, 60], [395, -80]] },
  { tint: 3, corners: [[690, TOP], [RIGHT, TOP], [RIGHT, 420], [1160, 392], [1050, 404], [922, 380], [776, 356], [628, 374], [590, 300], [630, 190], [672, 60], [690, -80]] },
  { tint: 4, corners: [[LEFT, 390], [110, 325], [290, 400], [300, 470], [262, 600], [290, 690], [324, 796], [300, BOTTOM], [LEFT, BOTTOM]] },
];

const LABELS: readonly [string, number, number, number][] = [
  ["Paddington", 52, 262, 9],
  ["Marylebone", 172, 122, 11],
  ["Regent’s Park", 272, 56, 9],
  ["St Pancras", 452, 26, 10],
  ["Islington", 620, 10, 11],
  ["Clerkenwell", 566, 136, 9],
  ["Shoreditch", 838, 78, 11],
  ["Victoria Park", 917, 54, 7],
  ["Bloomsbury", 440, 222, 11],
  ["Holborn", 606, 208, 9],
  ["Whitechapel", 916, 224, 11],
  ["The City", 690, 262, 11],
  ["Soho", 432, 322, 10],
  ["Strand", 556, 346, 8],
  ["Mayfair", 344, 322, 10],
  ["Hyde Park", 178, 398, 12],
  ["Kensington", 62, 424, 11],
  ["Belgravia", 176, 520, 9],
  ["St James’s", 350, 444, 7],
  ["Westminster", 446, 516, 10],
  ["Chelsea", 70, 662, 12],
  ["Pimlico", 290, 582, 9],
  ["Battersea", 236, 716, 7],
  ["Vauxhall", 462, 680, 9],
  ["Lambeth", 640, 608, 11],
  ["Southwark", 762, 470, 11],
  ["Walworth", 756, 706, 8],
  ["Bermondsey", 892, 520, 11],
  ["Rotherhithe", 930, 690, 10],
];

const closed = (corners: readonly (readonly [number, number])[], steps = 8) =>
  closedPath(smooth(corners.map(([x, y]) => ({ x, y })), true, steps));

/** The two banks of a river as one outline, and lines at a share of its width. */
function banks(rows: readonly Row[]): { middle: Point[]; outline: string; beside: (share: number) => Point[] } {
  const middle = smooth(rows.map(([x, y]) => ({ x, y })));
  const widths = smooth(rows.map(([, , width], k) => ({ x: k, y: width }))).map(({ y }) => y);
  const beside = (share: number) =>
    middle.map((at, k) => {
      const [p, n] = [middle[Math.max(0, k - 1)]!, middle[Math.min(middle.length - 1, k + 1)]!];
      const length = Math.hypot(n.x - p.x, n.y - p.y) || 1;
      const by = (share * widths[k]!) / 2 / length;
      return { x: at.x - (n.y - p.y) * by, y: at.y + (n.x - p.x) * by };
    });
  return { middle, outline: closedPath([...beside(1), ...beside(-1).reverse()]), beside };
}

function london(): Scenery {
  const thames = banks(THAMES);
  const label = ([text, x, y, size]: (typeof LABELS)[number]): Label => ({ text, x, y, size });
  return {
    river: thames.middle,
    water: thames.outline,
    ripples: [-0.45, 0.5].map((share) => closedless(thames.beside(share))),
    parks: PARKS.map((park) => closed(park)),
    quarters: QUARTERS.map(({ tint, corners }) => ({ tint, outline: closed(corners) })),
    labels: LABELS.map(label),
    waterLabels: [{ text: "Thames", x: 946, y: 389, size: 10 }],
  };
}

const closedless = (points: readonly Point[]): string => closedPath(points).slice(0, -1);

const NONE: Scenery = { river: [], water: "", ripples: [], parks: [], quarters: [], labels: [], waterLabels: [] };

/** The scenery that belongs to a map: London's for London's stations, else none. */
export function sceneryOf(mapName: string): Scenery {
  return /london/i.test(mapName) ? london() : NONE;
}
