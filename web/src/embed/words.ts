/** The page's words in English alone, for the file that stands by itself. */
export type Values = Readonly<Record<string, string | number>>;

export const words = { language: "en" };

export const filled = (text: string, values: Values): string =>
  text.replaceAll(/\{(\w+)\}/g, (place, name: string) => (name in values ? String(values[name]) : place));

export const t = (text: string, values: Values = {}): string => filled(text, values);

export const plural = (n: number, one: string, other: string, values: Values = {}): string =>
  filled(n === 1 ? one : other, { n, ...values });
