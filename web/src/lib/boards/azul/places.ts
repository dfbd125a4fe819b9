/** Where every loose tile of a position lies on the table. */
import type { Point } from "./geometry";
import { scatter, type Layout } from "./layout";
import { COLOURS, listed, type AzulPosition, type Colour, type Piece } from "./position";

export interface Placed extends Point {
  piece: Piece;
  side: number;
}

/** The tiles of every source, the centre's last; the first-player marker lies in front of the centre's tiles. */
export function looseTiles(layout: Layout, position: AzulPosition): Placed[][] {
  const plates = position.factories.map((tiles, factory) => plate(layout, layout.plates[factory]!, listed(tiles)));
  return [...plates, centre(layout, position)];
}

function plate(layout: Layout, middle: Point, tiles: readonly Colour[]): Placed[] {
  const side = layout.tile;
  const pitch = side * 1.08;
  return tiles.map((piece, k) => ({
    piece,
    side,
    x: middle.x - side / 2 + ((k % 2) - 0.5) * pitch,
    y: middle.y - side / 2 + (Math.floor(k / 2) - 0.5) * pitch,
  }));
}

function centre(layout: Layout, position: AzulPosition): Placed[] {
  const pieces: Piece[] = [...(position.marker_in_centre ? (["marker"] as const) : []), ...listed(position.centre)];
  const { tile, places } = scatter(layout.centre, pieces.length, layout.tile * 1.05);
  return pieces.map((piece, k) => ({ piece, side: tile, ...places[k]! }));
}

/** The tiles of one source by colour, in the colours' order. */
export function byColour(tiles: readonly Placed[]): { colour: Colour; tiles: Placed[] }[] {
  const groups = COLOURS.map((colour) => ({ colour, tiles: tiles.filter(({ piece }) => piece === colour) }));
  return groups.filter((group) => group.tiles.length > 0);
}
