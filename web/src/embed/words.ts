/** The page's words in English alone, for the file that stands by itself: what `lib/words` offers to boards. */
export type Values = Readonly<Record<string, string | number>>;

export const words = { language: "en", bring: async (): Promise<void> => {} };

export const filled = (text: string, values: Values): string =>
  text.replaceAll(/\{(\w+)(?::\w+)?\}/g, (place, name: string) => (name in values ? String(values[name]) : place));

export const t = (text: string, values: Values = {}): string => filled(text, values);

export const plural = (n: number, one: string, other: string, values: Values = {}): string =>
  filled(n === 1 ? one : other, { n, ...values });

export const mark = <Text extends string>(text: Text): Text => text;

export const forms = (one: string, other: string): readonly [string, string] => [one, other];

export const inList = (things: readonly string[], type: "conjunction" | "disjunction" = "conjunction"): string =>
  new Intl.ListFormat(type === "disjunction" ? "en-GB" : "en", { type }).format(things);
