/** Which part of the map the window shows: `x`, `y` is the map's point at the window's corner, `scale` pixels a unit. */
import type { Point } from "./geometry";

export interface Viewport extends Point {
  scale: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface Box extends Point, Size {}

export const MOST = 4; // pixels a unit

/** The box that holds all points, with a margin. */
export function boxAround(points: readonly Point[], margin: number): Box {
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [x, y] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  return { x, y, width: Math.max(...xs) + margin - x, height: Math.max(...ys) + margin - y };
}

/** The scale at which a box is seen as a whole. */
export const wholeScale = (box: Size, window: Size): number =>
  Math.min(window.width / box.width, window.height / box.height);

/** Shows a box in the middle of the window, no larger than a scale. */
export function show(box: Box, window: Size, most = MOST): Viewport {
  const scale = Math.min(wholeScale(box, window), most);
  const [x, y] = [box.x + box.width / 2 - window.width / scale / 2, box.y + box.height / 2 - window.height / scale / 2];
  return { x, y, scale };
}

/** Keeps the window over the map: nothing but map where the map is larger, the map in the middle where it is smaller. */
export function held(view: Viewport, map: Box, window: Size): Viewport {
  const least = wholeScale(map, window);
  const scale = Math.min(Math.max(view.scale, least), Math.max(MOST, least));
  const [width, height] = [window.width / scale, window.height / scale];
  const hold = (at: number, from: number, length: number, seen: number) =>
    seen >= length ? from + (length - seen) / 2 : Math.min(Math.max(at, from), from + length - seen);
  return { x: hold(view.x, map.x, map.width, width), y: hold(view.y, map.y, map.height, height), scale };
}

/** Zooms by a factor; the map's point under `at` (in pixels) stays there. */
export function zoomed(view: Viewport, factor: number, at: Point): Viewport {
  const scale = view.scale * factor;
  return { x: view.x + at.x / view.scale - at.x / scale, y: view.y + at.y / view.scale - at.y / scale, scale };
}

/** Moves the map by pixels. */
export const panned = (view: Viewport, dx: number, dy: number): Viewport => ({
  x: view.x - dx / view.scale,
  y: view.y - dy / view.scale,
  scale: view.scale,
});

export const toWindow = (view: Viewport, point: Point): Point => ({
  x: (point.x - view.x) * view.scale,
  y: (point.y - view.y) * view.scale,
});

/** Are all points in the window, a margin of pixels away from its edge? */
export function sees(view: Viewport, window: Size, points: readonly Point[], margin: number): boolean {
  return points.every((point) => {
    const { x, y } = toWindow(view, point);
    return x >= margin && y >= margin && x <= window.width - margin && y <= window.height - margin;
  });
}

/** The view that shows all points: the same one if it does already, else moved and, if need be, smaller. */
export function bringIn(view: Viewport, map: Box, window: Size, points: readonly Point[], margin: number): Viewport {
  if (!points.length || sees(view, window, points, margin)) return view;
  const box = boxAround(points, margin / view.scale);
  return held(show(box, window, view.scale), map, window);
}
