/** The page's words: sources are written in English; a catalogue `CODE.json` beside this file brings another language. */

/** A translation, or one for every form of plural that the language has. */
export type Entry = string | Partial<Record<Intl.LDMLPluralRule, string>>;
export type Catalogue = Readonly<Record<string, Entry>>; // by the English words; plurals by their English plural

const catalogues = import.meta.glob<{ default: Catalogue }>("./*.json");

/** The first language of the browser that we speak: English if none. */
export function preferred(wishes: readonly string[], spoken: readonly string[]): string {
  return wishes.map((wish) => wish.toLowerCase().split("-")[0]!).find((code) => code === "en" || spoken.includes(code)) ?? "en";
}

class Words {
  language = $state("en");
  private catalogue: Catalogue = $state.raw({});

  /** Loads the browser's language; where that fails the page stays English. */
  async open(): Promise<void> {
    const spoken = Object.keys(catalogues).map((file) => file.slice(2, -5));
    const language = preferred(navigator.languages, spoken);
    const found = await catalogues[`./${language}.json`]?.().catch(() => null);
    if (!found) return;
    [this.catalogue, this.language] = [found.default, language];
    document.documentElement.lang = language;
  }

  find(text: string, count = 0): string | undefined {
    const entry = this.catalogue[text];
    if (entry === undefined || typeof entry === "string") return entry;
    return entry[new Intl.PluralRules(this.language).select(count)] ?? entry.other;
  }
}

export const words = new Words();

export type Values = Readonly<Record<string, string | number>>;

/** Puts values in their places: `{name}`. */
export const filled = (text: string, values: Values): string =>
  text.replaceAll(/\{(\w+)\}/g, (place, name: string) => (name in values ? String(values[name]) : place));

/** Words in the reader's language. */
export function t(text: string, values: Values = {}): string {
  return filled(words.find(text) ?? text, values);
}

/** Words that depend on a number, which is written where they say `{n}`. */
export function plural(n: number, one: string, other: string, values: Values = {}): string {
  return filled(words.find(other, n) ?? (n === 1 ? one : other), { n, ...values });
}
