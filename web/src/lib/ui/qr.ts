/** QR codes of byte data (ISO/IEC 18004), versions 1 to 10 with medium correction: enough for a link of 213 bytes. */

// By version: codewords in all, correction codewords a block, blocks.
const VERSIONS: readonly (readonly [total: number, correction: number, blocks: number])[] = [
  [26, 10, 1], [44, 16, 1], [70, 26, 1], [100, 18, 2], [134, 24, 2],
  [172, 16, 4], [196, 18, 4], [242, 22, 4], [292, 22, 5], [346, 26, 5],
];
const ALIGNED: readonly (readonly number[])[] = [
  [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50],
];

// --- arithmetic in the field of 256 elements ------------------------------------------------

const POWERS: number[] = [];
const LOGS: number[] = [];
for (let power = 0, x = 1; power < 255; power++) {
  POWERS[power] = x;
  LOGS[x] = power;
  x = x & 128 ? ((x << 1) ^ 0x11d) & 255 : x << 1;
}
const times = (a: number, b: number): number => (a && b ? POWERS[(LOGS[a]! + LOGS[b]!) % 255]! : 0);

/** What is left when data, followed by zeros, is divided by the generator of that degree. */
function remainder(data: readonly number[], degree: number): number[] {
  let generator = [1];
  for (let k = 0; k < degree; k++) {
    const next = [...generator, 0];
    generator.forEach((factor, index) => (next[index + 1] = next[index + 1]! ^ times(factor, POWERS[k]!)));
    generator = next;
  }
  const rest = [...data, ...Array<number>(degree).fill(0)];
  for (let at = 0; at < data.length; at++) {
    const factor = rest[at]!;
    generator.forEach((part, index) => (rest[at + index] = rest[at + index]! ^ times(part, factor)));
  }
  return rest.slice(data.length);
}

// --- data -------------------------------------------------------------------------------------

/** The codewords of a text in the smallest version that holds it; null if none does. */
function codewords(bytes: Uint8Array): { version: number; words: number[] } | null {
  for (const [index, [total, correction, blocks]] of VERSIONS.entries()) {
    const version = index + 1;
    const room = total - correction * blocks;
    const counted = version < 10 ? 8 : 16; // bits of the length
    if (4 + counted + 8 * bytes.length > 8 * room) continue;
    const bits: number[] = [];
    const put = (value: number, length: number) => {
      for (let k = length - 1; k >= 0; k--) bits.push((value >> k) & 1);
    };
    put(4, 4); // bytes
    put(bytes.length, counted);
    bytes.forEach((byte) => put(byte, 8));
    put(0, Math.min(4, 8 * room - bits.length));
    put(0, (8 - (bits.length % 8)) % 8);
    const data: number[] = [];
    for (let k = 0; k < bits.length; k += 8) data.push(Number.parseInt(bits.slice(k, k + 8).join(""), 2));
    for (let k = 0; data.length < room; k++) data.push(k % 2 ? 0x11 : 0xec);
    return { version, words: interleaved(data, correction, blocks) };
  }
  return null;
}

/** Data in blocks, each with its correction, read across; later blocks hold the odd ones. */
function interleaved(data: readonly number[], correction: number, blocks: number): number[] {
  const short = Math.floor(data.length / blocks);
  const longer = data.length % blocks;
  let at = 0;
  const parts = Array.from({ length: blocks }, (_, block) => data.slice(at, (at += short + (block >= blocks - longer ? 1 : 0))));
  const checks = parts.map((part) => remainder(part, correction));
  const across = (columns: readonly (readonly number[])[], length: number) =>
    Array.from({ length }, (_, k) => columns.flatMap((column) => (k < column.length ? [column[k]!] : []))).flat();
  return [...across(parts, short + 1), ...across(checks, correction)];
}

// --- the square -------------------------------------------------------------------------------

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** A value followed by its remainder, by a generator of binary polynomials. */
function checked(value: number, generator: number, degree: number): number {
  let rest = value << degree;
  for (let bit = 31 - Math.clz32(rest); bit >= degree; bit = 31 - Math.clz32(rest)) rest ^= generator << (bit - degree);
  return (value << degree) | rest;
}

class Square {
  readonly size: number;
  readonly dark: boolean[][];
  private readonly fixed: boolean[][];

  constructor(readonly version: number) {
    this.size = 17 + 4 * version;
    this.dark = Array.from({ length: this.size }, () => Array<boolean>(this.size).fill(false));
    this.fixed = Array.from({ length: this.size }, () => Array<boolean>(this.size).fill(false));
    this.patterns();
  }

  private set(x: number, y: number, dark: boolean): void {
    if (x < 0 || y < 0 || x >= this.size || y >= this.size) return;
    this.dark[y]![x] = dark;
    this.fixed[y]![x] = true;
  }

  private rings(cx: number, cy: number, reach: number, light: readonly number[]): void {
    for (let dy = -reach; dy <= reach; dy++) {
      for (let dx = -reach; dx <= reach; dx++) {
        this.set(cx + dx, cy + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))));
      }
    }
  }

  private patterns(): void {
    const { size, version } = this;
    for (let k = 0; k < size; k++) {
      this.set(6, k, k % 2 === 0);
      this.set(k, 6, k % 2 === 0);
    }
    for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]] as const) this.rings(x, y, 4, [2, 4]);
    const places = ALIGNED[version - 1]!;
    const last = places.length - 1;
    places.forEach((x, i) =>
      places.forEach((y, j) => {
        const corner = (i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0);
        if (!corner) this.rings(x, y, 2, [1]);
      }),
    );
    this.format(0);
    if (version < 7) return;
    const bits = checked(version, 0x1f25, 12);
    for (let k = 0; k < 18; k++) {
      const [a, b] = [size - 11 + (k % 3), Math.floor(k / 3)];
      this.set(a, b, ((bits >> k) & 1) === 1);
      this.set(b, a, ((bits >> k) & 1) === 1);
    }
  }

  /** Says which mask and correction are used, twice. */
  private format(mask: number): void {
    const { size } = this;
    const bits = checked(mask, 0x537, 10) ^ 0x5412; // medium correction is 00
    const bit = (k: number) => ((bits >> k) & 1) === 1;
    for (let k = 0; k <= 5; k++) this.set(8, k, bit(k));
    this.set(8, 7, bit(6));
    this.set(8, 8, bit(7));
    this.set(7, 8, bit(8));
    for (let k = 9; k < 15; k++) this.set(14 - k, 8, bit(k));
    for (let k = 0; k < 8; k++) this.set(size - 1 - k, 8, bit(k));
    for (let k = 8; k < 15; k++) this.set(8, size - 15 + k, bit(k));
    this.set(8, size - 8, true);
  }

  /** Lays the data in columns of two, up and down from the right. */
  fill(words: readonly number[]): void {
    const { size } = this;
    let at = 0;
    for (let right = size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5;
      for (let step = 0; step < size; step++) {
        const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
        for (const x of [right, right - 1]) {
          if (this.fixed[y]![x]) continue;
          this.dark[y]![x] = at < 8 * words.length && ((words[at >> 3]! >> (7 - (at & 7))) & 1) === 1;
          at++;
        }
      }
    }
  }

  /** The same with a mask over the data. */
  masked(mask: number): boolean[][] {
    const lies = MASKS[mask]!;
    this.format(mask);
    return this.dark.map((row, y) => row.map((dark, x) => (this.fixed[y]![x] ? dark : dark !== lies(x, y))));
  }
}

/** How hard a square is to read: runs, blocks, what looks like a corner, imbalance. */
function penalty(square: readonly (readonly boolean[])[]): number {
  const size = square.length;
  const lines = [...square, ...square.map((_, x) => square.map((row) => row[x]!))];
  let sum = 0;
  for (const line of lines) {
    const text = line.map(Number).join("");
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
    for (const corner of ["10111010000", "00001011101"]) {
      for (let at = text.indexOf(corner); at >= 0; at = text.indexOf(corner, at + 1)) sum += 40;
    }
  }
  for (let y = 0; y + 1 < size; y++) {
    for (let x = 0; x + 1 < size; x++) {
      const dark = square[y]![x];
      if (dark === square[y]![x + 1] && dark === square[y + 1]![x] && dark === square[y + 1]![x + 1]) sum += 3;
    }
  }
  const share = square.flat().filter(Boolean).length / size ** 2;
  return sum + 10 * Math.floor(Math.abs(share * 20 - 10));
}

/** The modules of a text's code, rows of dark and light; null if it is too long. */
export function qrCode(text: string): boolean[][] | null {
  const coded = codewords(new TextEncoder().encode(text));
  if (!coded) return null;
  const square = new Square(coded.version);
  square.fill(coded.words);
  const candidates = MASKS.map((_, mask) => square.masked(mask));
  return candidates.toSorted((a, b) => penalty(a) - penalty(b))[0]!;
}

/** The dark modules as one path, a unit each. */
export const pathOf = (code: readonly (readonly boolean[])[]): string =>
  code.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
