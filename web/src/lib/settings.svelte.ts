/** How this person likes the page: light, pace of animation, letters on pieces, name. */
import { read, write } from "./storage";

export type Theme = "auto" | "light" | "dark";
export type Pace = "off" | "fast" | "normal" | "slow" | "hand"; // hand: every step waits for a click or a key

const FACTORS: Record<Pace, number> = { off: 0, fast: 0.5, normal: 1, slow: 1.8, hand: 1 };
const KEY = "ludens.settings";

class Settings {
  theme: Theme = $state("auto");
  pace: Pace = $state("normal");
  letters = $state(false);
  sounds = $state(true);
  name = $state("");
  private calm = $state(false);

  constructor() {
    const query = matchMedia("(prefers-reduced-motion: reduce)");
    this.calm = query.matches;
    query.addEventListener("change", () => (this.calm = query.matches));
    Object.assign(this, read<object>(KEY, {}));
    $effect.root(() => {
      $effect(() => {
        if (this.theme === "auto") delete document.documentElement.dataset.theme;
        else document.documentElement.dataset.theme = this.theme;
        write(KEY, { theme: this.theme, pace: this.pace, letters: this.letters, sounds: this.sounds, name: this.name });
      });
    });
  }

  /** What durations are multiplied by; 0 without animation. */
  get speed(): number {
    return this.calm ? 0 : FACTORS[this.pace];
  }

  /** Does every step of a game wait until somebody wants to go on? */
  get byHand(): boolean {
    return this.pace === "hand";
  }

  /** Are the steps of a game shown one by one? */
  get filmed(): boolean {
    return this.byHand || this.speed > 0;
  }

  /** Has the system asked for less motion? */
  get calmed(): boolean {
    return this.calm;
  }
}

export const settings = new Settings();
