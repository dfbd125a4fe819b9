/** The tile in the hand while it is turned and tried out on the map. */
import { fitting, same, turnedOn, type Choices, type OpenCell } from "./choices";
import type { Scheme, TileAction } from "./position";

export class Trial {
  turns = $state(0); // how the tile lies
  tried = $state.raw<OpenCell | null>(null); // under the pointer or the focus
  laid = $state.raw<OpenCell | null>(null); // where the tile lies, not yet for good
  readonly shown: OpenCell | null = $derived(this.laid ?? this.tried);
  readonly shownTurns: number = $derived(this.shown ? fitting(this.shown.turns, this.turns) : this.turns);
  readonly turnable: boolean = $derived.by(() => {
    if (!this.choices().cells.length) return false;
    return this.laid ? this.laid.turns.length > 1 : (this.tile()?.period ?? 1) > 1;
  });
  private rolled = 0;

  constructor(
    private readonly tile: () => Scheme | null,
    private readonly choices: () => Choices,
  ) {}

  /** Starts with nothing laid, and with the tile as it fits in most places. */
  begin(cells: readonly OpenCell[]): void {
    this.put();
    const counts = [0, 1, 2, 3].map((turns) => cells.filter((cell) => cell.turns.includes(turns)).length);
    this.turns = counts.indexOf(Math.max(...counts));
  }

  /** Lays the tile on a cell. Where it lies already it stays for good: the answer is the action. */
  lay(cell: OpenCell): TileAction | null {
    if (this.laid && same(this.laid, cell)) return this.action();
    this.turns = fitting(cell.turns, this.turns);
    this.laid = cell;
    return null;
  }

  /** What the tile that lies on the map means. */
  action(): TileAction | null {
    return this.laid && { type: "tile", x: this.laid.x, y: this.laid.y, turns: this.turns };
  }

  /** Takes the tile off the map; was there one? */
  put(): boolean {
    const lay = this.laid !== null;
    this.laid = this.tried = null;
    return lay;
  }

  rotate(step: 1 | -1): void {
    const tile = this.tile();
    if (tile && this.turnable) this.turns = turnedOn(this.shownTurns, step, tile.period, this.shown?.turns ?? null);
  }

  /** Turns by the wheel, one step for a notch. */
  roll(delta: number): void {
    this.rolled += delta;
    if (Math.abs(this.rolled) < 40) return;
    this.rotate(this.rolled > 0 ? 1 : -1);
    this.rolled = 0;
  }
}
