/** Who plays at this browser: several people can, each with a key that the server knows, and without signing in. */
import * as server from "./api/client";
import type { Profile } from "./api/types";
import { settings } from "./settings.svelte";
import { personKey, read, write } from "./storage";
import { t, words } from "./words/index.svelte";

export interface Known {
  key: string;
  name: string;
  colour: Profile["colour"];
}

export const COLOURS = ["blue", "red", "green", "gold", "violet", "teal", "brown", "grey"] as const;
const PEOPLE = "ludens.people";

class Person {
  key: string | null = $state(personKey());
  known: readonly Known[] = $state.raw(read<Known[]>(PEOPLE, []));
  profile: Profile | null = $state.raw(null); // once the server has told

  /** Asks the server who this is; a key that it has forgotten is forgotten here too. */
  async load(): Promise<void> {
    const { key } = this;
    if (!key) return;
    try {
      this.take(key, await server.me(key));
    } catch (error) {
      if (error instanceof server.Refused && error.code === "not_found") this.drop(key);
    }
  }

  /** Whoever begins to play gets a profile; without an answer of the server one plays without. */
  async begin(): Promise<void> {
    const name = settings.name || t("Player");
    try {
      if (this.key && this.profile === null) await this.load();
      if (!this.key) {
        const { key, profile } = await server.beginAs({ name, colour: COLOURS[this.known.length % COLOURS.length]!, language: words.language });
        this.take(key, profile);
      } else if (this.profile && settings.name && this.profile.name !== settings.name) await this.change({ name });
    } catch {
      // the game matters more
    }
  }

  async change(change: Partial<Pick<Profile, "name" | "colour" | "language" | "seen">>): Promise<void> {
    const { key } = this;
    if (key) this.take(key, await server.changeMe(key, change));
  }

  /** Notes that something was shown. */
  async saw(what: string): Promise<void> {
    if (this.key && !this.profile?.seen.includes(what)) await this.change({ seen: [what] }).catch(() => undefined);
  }

  /** Another person sits down at this computer; null: somebody who was not here yet. */
  async become(key: string | null): Promise<void> {
    this.key = key;
    this.profile = null;
    settings.name = this.known.find((one) => one.key === key)?.name ?? "";
    write("ludens.person", key);
    await this.load();
    const language = (this.profile as Profile | null)?.language;
    if (language && language !== words.language) words.change(language);
  }

  async forget(): Promise<void> {
    const { key } = this;
    if (!key) return;
    await server.forgetMe(key);
    this.drop(key);
  }

  private drop(key: string): void {
    this.known = this.known.filter((one) => one.key !== key);
    write(PEOPLE, this.known);
    this.key = null;
    this.profile = null;
    settings.name = "";
    write("ludens.person", null);
  }

  private take(key: string, profile: Profile): void {
    this.key = key;
    this.profile = profile;
    settings.name = profile.name;
    const { name, colour } = profile;
    const others = this.known.filter((one) => one.key !== key);
    this.known = [...others, { key, name, colour }];
    write(PEOPLE, this.known);
    write("ludens.person", key);
  }
}

export const person = new Person();
