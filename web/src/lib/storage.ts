/** What this browser remembers: the secrets of its seats, and small habits. */

/** The secrets that a browser holds for one table. */
export interface Keys {
  seats: Record<number, string>;
  owner?: string;
  invitation?: string;
  touched: number;
}

const SEATS = "ludens.tables";
const PERSON = "ludens.person";
const MOST_TABLES = 200;

export function read<Value>(key: string, otherwise: Value): Value {
  try {
    const text = localStorage.getItem(key);
    return text === null ? otherwise : (JSON.parse(text) as Value);
  } catch {
    return otherwise; // storage may be forbidden or full of another program's words
  }
}

export function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // nothing depends on it within this visit
  }
}

/** The keys of a table; empty for a guest. */
export function keysOf(table: string): Keys {
  return read<Record<string, Keys>>(SEATS, {})[table] ?? { seats: {}, touched: 0 };
}

/** The key of whoever plays at this browser now; null before somebody has begun. */
export const personKey = (): string | null => read<string | null>(PERSON, null);

/** Adds keys of a table to what is known, and forgets the tables longest untouched. */
export function rememberKeys(table: string, added: Partial<Keys>): Keys {
  const all = read<Record<string, Keys>>(SEATS, {});
  const before = all[table] ?? { seats: {}, touched: 0 };
  const keys: Keys = { ...before, ...added, seats: { ...before.seats, ...added.seats }, touched: Date.now() };
  const kept = Object.entries({ ...all, [table]: keys }).sort(([, a], [, b]) => b.touched - a.touched);
  write(SEATS, Object.fromEntries(kept.slice(0, MOST_TABLES)));
  return keys;
}

/** Seat tokens as the server hands them out, by seat. */
export function bySeat(tokens: readonly { seat: number; token: string }[]): Record<number, string> {
  return Object.fromEntries(tokens.map(({ seat, token }) => [seat, token]));
}

/** The token that lets this browser see a table: any seat's, the owner's, or the invitation. */
export function anyToken(keys: Keys): string | null {
  return Object.values(keys.seats)[0] ?? keys.owner ?? keys.invitation ?? null;
}
