/** The part of the map that is seen: follows the map's growth until somebody moves it. */
import { around, corner, fit, held, moved, showing, zoomed, type Box, type Camera, type Window } from "./camera";
import { SIDE, type Point } from "./curves";
import type { Cell } from "./position";

const CLOSE = 0.8; // pixels for a unit: fingers find the circles on a tile
const NARROW = 560; // pixels; below, the hand lies under the map instead of beside it

const WIDE = 780; // above, there is room for a column of cards at the left

export class View {
  width = $state(900);
  height = $state(640);
  following = $state(true);
  sought: Cell | null = $state.raw(null); // where somebody wants to look for a moment
  private own: Camera = $state.raw({ x: 0, y: 0, scale: 1 });
  readonly narrow: boolean = $derived(this.width <= NARROW);
  readonly window: Window = $derived({
    width: this.width,
    height: this.height,
    covered: this.narrow
      ? { left: 4, top: 40, right: 4, bottom: 92 }
      : { left: this.width > WIDE ? 200 : 4, top: 4, right: 140, bottom: 4 },
  });
  readonly box: Box = $derived.by(() => around(this.cells(), 0));
  readonly camera: Camera = $derived.by(() =>
    this.following ? this.usual() : held(this.own, this.box, this.window),
  );

  /** `cells`: what the map consists of; `focus`: the cell where something small is to be chosen. */
  constructor(
    private readonly cells: () => readonly Cell[],
    private readonly focus: () => Cell | null,
  ) {}

  drag(dx: number, dy: number): void {
    this.take(moved(this.camera, dx, dy));
  }

  zoom(factor: number, at: Point = { x: this.width / 2, y: this.height / 2 }): void {
    this.take(zoomed(this.camera, factor, at));
  }

  pinch(factor: number, at: Point, dx: number, dy: number): void {
    this.take(moved(zoomed(this.camera, factor, at), dx, dy));
  }

  fit(): void {
    this.following = true;
  }

  /** Shows a cell that is looked for; what follows is shown as before. */
  seek(cell: Cell): void {
    if (this.following) this.sought = cell;
    else this.reveal(cell);
  }

  /** Moves no further than needed to see a cell. */
  reveal(cell: Cell): void {
    const at = corner(cell);
    const seen = showing(this.camera, { left: at.x, top: at.y, right: at.x + SIDE, bottom: at.y + SIDE }, this.window);
    if (seen.x !== this.camera.x || seen.y !== this.camera.y) this.take(seen);
  }

  /** The whole map; on a phone the place where fingers have to choose, large enough for them. */
  private usual(): Camera {
    const whole = fit(around(this.cells(), 1), this.window);
    const focus = this.sought ?? this.focus();
    if (!this.narrow || !focus || whole.scale > CLOSE) return whole;
    return held(fit(around([focus], 1.35), this.window), this.box, this.window);
  }

  private take(camera: Camera): void {
    this.own = held(camera, this.box, this.window);
    this.following = false;
  }
}
