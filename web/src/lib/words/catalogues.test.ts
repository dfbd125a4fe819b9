/** Every language has every word of the page. What a failure lists belongs into `CODE/PART.json` of each. */
import { describe, expect, it } from "vitest";
import type { Guide, Look } from "../boards/contract";
import type { Catalogue, Entry } from "./index.svelte";
import { partOf, messagesIn, untranslatedIn, type Message } from "./sources";
import known from "./known.json";

const sources = import.meta.glob<string>(["/src/**/*.svelte", "/src/**/*.ts", "!/src/**/*.test.ts", "!/src/**/*.fixture.ts", "!/src/**/*.d.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const guides = import.meta.glob<{ guide: Guide }>("/src/lib/boards/*/guide.ts", { eager: true });
const looks = import.meta.glob<Look>("/src/lib/boards/*/look.ts", { eager: true });
const files = import.meta.glob<Catalogue>("./*/*.json", { import: "default", eager: true });

const words: Message[] = Object.entries(sources).flatMap(([file, source]) => messagesIn(file, source));
const unsaid = Object.entries(sources).flatMap(([file, source]) =>
  file.endsWith(".svelte") ? untranslatedIn(source).map((text) => `${file}: ${text}`) : [],
);
const plain = (part: string, texts: readonly string[]) => texts.forEach((text) => words.push({ part, text, plural: false }));
for (const [file, { guide }] of Object.entries(guides)) {
  plain(partOf(file), guide.glance.flatMap(({ what, words: said }) => [what, said]));
  plain(partOf(file), guide.steps.map((step) => step.words));
}
for (const { company } of Object.values(looks)) plain("lobby", Object.values(company ?? {}).flatMap(({ name, line }) => [name, line]));
plain("lobby", known.words); // of the server's: names of options and their choices, levels, roles

const PLURALS: Record<string, readonly string[]> = { cs: ["one", "few", "other"], sk: ["one", "few", "other"], de: ["one", "other"] };
const places = (text: string) => [...new Set([...text.matchAll(/\{(\w+)(?::\w+)?\}/g)].map(([, name]) => name!))].sort();
const variants = (entry: Entry) => (typeof entry === "string" ? [entry] : Object.values(entry));

describe.each(Object.keys(PLURALS))("in %s", (language) => {
  const parts = Object.fromEntries(
    Object.entries(files)
      .filter(([file]) => file.startsWith(`./${language}/`))
      .map(([file, catalogue]) => [file.slice(language.length + 3, -5), catalogue]),
  );
  /** A word of the lobby need not be said again: the lobby's catalogue is always there, and the table's at every board. */
  const has = (part: string, text: string) => text in (parts[part] ?? {}) || text in parts.lobby! || text in parts.table!;

  it("nothing is missing", () => {
    const missing = words.filter(({ part, text }) => /\p{L}{2}/u.test(text) && !has(part, text));
    expect(missing.map(({ part, text }) => `${part}: ${text}`)).toEqual([]);
    const late = words.filter(({ part, text }) => part === "lobby" && /\p{L}{2}/u.test(text) && !(text in parts.lobby!));
    expect(late.map(({ text }) => text)).toEqual([]);
  });

  it("nothing is left over or said twice", () => {
    const said = new Set(words.map(({ text }) => text));
    const all = Object.values(parts).flatMap((part) => Object.keys(part));
    expect(all.filter((text) => !said.has(text))).toEqual([]);
    const twice = Object.entries(parts).flatMap(([part, catalogue]) =>
      part === "lobby" ? [] : Object.keys(catalogue).filter((text) => text in parts.lobby!),
    );
    expect(twice).toEqual([]);
  });

  it("plurals have every form, and values their places", () => {
    const entries = Object.values(parts).flatMap((part) => Object.entries(part));
    const plurals = new Set(words.filter(({ plural }) => plural).map(({ text }) => text));
    const lacking = entries.filter(([text, entry]) => plurals.has(text) && PLURALS[language]!.some((form) => typeof entry === "string" || !(form in entry)));
    expect(lacking.map(([text]) => text)).toEqual([]);
    const wrong = entries.filter(([text, entry]) =>
      variants(entry).some((said) => places(said).some((place) => !places(text).includes(place)) || places(text).some((place) => place !== "n" && !places(said).includes(place))),
    );
    expect(wrong.map(([text]) => text)).toEqual([]);
  });

  it("words stay words: no empty ones, no English left by mistake", () => {
    const entries = Object.values(parts).flatMap((part) => Object.entries(part));
    expect(entries.filter(([, entry]) => variants(entry).some((said) => !said.trim())).map(([text]) => text)).toEqual([]);
    const same = entries.filter(([text, entry]) => entry === text && / /.test(text) && !known.same.includes(text));
    expect(same.map(([text]) => text)).toEqual([]);
  });
});

it("components say nothing without their words", () => {
  expect(unsaid).toEqual([]);
});
