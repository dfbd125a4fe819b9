/** The page's words: sources are written in English; catalogues `CODE/PART.json` beside this file bring other languages. */
import { read, write } from "../storage";

/** A translation; or several: by the plural of a number (`one`, `few`, `other`), or by the form of a word (`4`: its case). */
export type Entry = string | Readonly<Record<string, string>>;
export type Catalogue = Readonly<Record<string, Entry>>; // by the English words; plurals by their English plural
export type Values = Readonly<Record<string, string | number>>;

export const LANGUAGES = { en: "English", cs: "Čeština", sk: "Slovenčina", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = "ludens.language";
const catalogues = import.meta.glob<{ default: Catalogue }>("./*/*.json");

/** The first language of the browser that we speak: English if none. */
export function preferred(wishes: readonly string[]): Language {
  const codes = wishes.map((wish) => wish.toLowerCase().split("-")[0]!);
  return (codes.find((code) => code in LANGUAGES) as Language | undefined) ?? "en";
}

class Words {
  language: Language = "en";
  private catalogue: Record<string, Entry> = {};

  /** Takes the language that was chosen here, or the browser's, and loads what the lobby says. */
  async open(): Promise<void> {
    this.language = preferred([read(KEY, ""), ...navigator.languages]);
    document.documentElement.lang = this.language;
    await this.bring("lobby");
  }

  /** Loads another part: `lobby`, `table`, or a game; where that fails the page stays English. */
  async bring(part: string): Promise<void> {
    const found = await catalogues[`./${this.language}/${part}.json`]?.().catch(() => null);
    if (found) this.add(found.default);
  }

  add(more: Catalogue): void {
    Object.assign(this.catalogue, more);
  }

  /** Another language: all that is shown is asked for again, the server's sentences too. */
  change(language: Language): void {
    write(KEY, language);
    location.reload();
  }

  find(text: string, form: string | number = "other"): string | undefined {
    const entry = this.catalogue[text];
    if (entry === undefined || typeof entry === "string") return entry;
    return entry[typeof form === "number" ? new Intl.PluralRules(this.language).select(form) : form] ?? entry.other;
  }
}

export const words = new Words();

/** Puts values in their places: `{name}`; `{name:4}` is a word that is translated, in that form. */
export const filled = (text: string, values: Values): string =>
  text.replaceAll(/\{(\w+)(?::(\w+))?\}/g, (place, name: string, form?: string) => {
    if (!(name in values)) return place;
    const value = String(values[name]);
    return form === undefined ? value : (words.find(value, form) ?? value);
  });

/** Words in the reader's language. */
export function t(text: string, values: Values = {}): string {
  return filled(words.find(text) ?? text, values);
}

/** Words that depend on a number, which is written where they say `{n}`. */
export function plural(n: number, one: string, other: string, values: Values = {}): string {
  return filled(words.find(other, n) ?? (n === 1 ? one : other), { n, ...values });
}

/** Marks words that stand in data and are translated where they are shown. */
export const mark = <Text extends string>(text: Text): Text => text;

/** The same for words that depend on a number: `plural(n, ...forms("{n} card", "{n} cards"))`. */
export const forms = (one: string, other: string): readonly [string, string] => [one, other];

/** Several things as one says them: `a, b and c`, or with `or`. */
export function inList(things: readonly string[], type: "conjunction" | "disjunction" = "conjunction"): string {
  const locale = words.language === "en" && type === "disjunction" ? "en-GB" : words.language;
  return new Intl.ListFormat(locale, { type }).format(things);
}
