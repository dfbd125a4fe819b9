/** The geometry of the tiles' patterns: a few motifs, turned and repeated on a square of 100 by 100. */

const round = (value: number) => Math.round(value * 100) / 100;

/** A point at a distance and an angle (in turns, clockwise from the top) from the middle of a tile. */
export function polar(distance: number, turn: number): [number, number] {
  const angle = turn * 2 * Math.PI;
  return [round(50 + distance * Math.sin(angle)), round(50 - distance * Math.cos(angle))];
}

/** Leaves that point outwards from `inner` to `outer`, `swell` wide, starting at an angle in turns. */
export function leaves(count: number, inner: number, outer: number, swell: number, start = 0): string {
  return Array.from({ length: count }, (_, k) => {
    const turn = start + k / count;
    const [x0, y0] = polar(inner, turn);
    const [x1, y1] = polar(outer, turn);
    const middle = (inner + outer) / 2;
    const lean = Math.atan2(swell, middle) / (2 * Math.PI);
    const reach = Math.hypot(middle, swell);
    const [xl, yl] = polar(reach, turn - lean);
    const [xr, yr] = polar(reach, turn + lean);
    return `M${x0} ${y0}Q${xl} ${yl} ${x1} ${y1}Q${xr} ${yr} ${x0} ${y0}Z`;
  }).join("");
}

/** A star with so many points. */
export function star(points: number, outer: number, inner: number, start = 0): string {
  const corners = Array.from({ length: 2 * points }, (_, k) =>
    polar(k % 2 ? inner : outer, start + k / (2 * points)).join(" "),
  );
  return `M${corners.join("L")}Z`;
}

/** A ring of small discs. */
export function dots(count: number, distance: number, radius: number, start = 0): string {
  return Array.from({ length: count }, (_, k) => {
    const [x, y] = polar(distance, start + k / count);
    return disc(x, y, radius);
  }).join("");
}

export function disc(x: number, y: number, radius: number): string {
  const [left, width] = [round(x - radius), round(2 * radius)];
  return `M${left} ${y}a${radius} ${radius} 0 1 0 ${width} 0a${radius} ${radius} 0 1 0 ${-width} 0Z`;
}

/** Quarter rings around the four corners: neighbouring tiles complete each other's circles. */
export function corners(radius: number): string {
  const far = 100 - radius;
  return [
    `M0 ${radius}A${radius} ${radius} 0 0 0 ${radius} 0`,
    `M${far} 0A${radius} ${radius} 0 0 0 100 ${radius}`,
    `M100 ${far}A${radius} ${radius} 0 0 0 ${far} 100`,
    `M${radius} 100A${radius} ${radius} 0 0 0 0 ${far}`,
  ].join("");
}

/** Four arcs between the middles of the sides: a pointed cushion. */
export function cushion(reach: number, bend: number): string {
  const [low, high] = [50 - reach, 50 + reach];
  const [near, far] = [50 - bend, 50 + bend];
  return `M50 ${low}Q${far} ${near} ${high} 50Q${far} ${far} 50 ${high}Q${near} ${far} ${low} 50Q${near} ${near} 50 ${low}Z`;
}
