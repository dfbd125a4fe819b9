/** The page's words in the reader's language: sources are written in English, other languages are catalogues. */
import { read, write } from "../storage";

export const LANGUAGES = { en: "English", cs: "Čeština", sk: "Slovenčina", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

/** A translation, or one for every form of plural that the language has. */
export type Entry = string | Partial<Record<Intl.LDMLPluralRule, string>>;
export type Catalogue = Readonly<Record<string, Entry>>; // by the English words; plurals by their English plural

const KEY = "ludens.language";
const catalogues = import.meta.glob<{ default: Catalogue }>("./*.json");

const known = (code: string): code is Language => code in LANGUAGES;

/** The first language of the browser that we speak. */
export function preferred(wishes: readonly string[]): Language {
  return wishes.map((wish) => wish.toLowerCase().split("-")[0]!).find(known) ?? "en";
}

class Words {
  language: Language = $state("en");
  private catalogue: Catalogue = $state.raw({});
  private rules = new Intl.PluralRules("en");

  /** Loads the language that was chosen here, else the browser's. */
  async open(): Promise<void> {
    const chosen = read<string>(KEY, "");
    await this.speak(known(chosen) ? chosen : preferred(navigator.languages), false);
  }

  /** Changes the language; `chosen` remembers it. */
  async speak(language: Language, chosen = true): Promise<void> {
    const load = catalogues[`./${language}.json`];
    const catalogue = load ? (await load().catch(() => null))?.default : {};
    if (!catalogue) return; // the page stays in the language that it has
    this.rules = new Intl.PluralRules(language);
    [this.catalogue, this.language] = [catalogue, language];
    document.documentElement.lang = language;
    if (chosen) write(KEY, language);
  }

  find(text: string, count?: number): string | undefined {
    const entry = this.catalogue[text];
    if (entry === undefined || typeof entry === "string") return entry;
    return entry[this.rules.select(count ?? 0)] ?? entry.other;
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

/** Several things in one phrase: `Ada, Bea and Cia`. */
export const listed = (things: readonly string[]): string => new Intl.ListFormat(words.language).format(things);
