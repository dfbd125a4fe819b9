/**
 * `<ludens-game>`: a finished game anywhere. Its film stands in it (`<script type="text/plain">` packed, or
 * `type="application/json"`), or at the address that `src` names; `ply` is what it shows first, `theme` light or dark.
 */
import { mount, unmount } from "svelte";
import page from "../app.css?raw";
import type { BoardModule, Look } from "../lib/boards/contract";
import Film from "./Film.svelte";
import { readFilm, unpack } from "./film";

const boards = import.meta.glob<BoardModule>("../lib/boards/*/index.ts", { eager: true });
const looks = import.meta.glob<Look>("../lib/boards/*/look.ts", { eager: true });
const palettes = import.meta.glob<string>("../lib/boards/*/palette.css", { eager: true, query: "?raw", import: "default" });

/** The page's own style, for an element that is a world of its own; its letters are those of the reader's system. */
const style = page
  .replaceAll(/@font-face\s*\{[^}]*\}/g, "")
  .replaceAll(/:root\[([^\]]+)\]/g, ":host([$1])")
  .replaceAll(":root", ":host");
const shape = ":host { display: block; height: 38rem; max-height: 92vh; } .trouble { padding: 2rem; text-align: center; }";

const find = <Found>(all: Record<string, Found>, game: string, file: string): Found | undefined =>
  all[`../lib/boards/${game}/${file}`];

class LudensGame extends HTMLElement {
  static observedAttributes = ["theme"];
  private shown: Record<string, unknown> | null = null;
  private readonly root = this.attachShadow({ mode: "open" });

  connectedCallback(): void {
    // What stands in the element may not have been read yet.
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", () => void this.open(), { once: true });
    else void this.open();
  }

  disconnectedCallback(): void {
    if (this.shown) void unmount(this.shown);
    this.shown = null;
  }

  attributeChangedCallback(_: string, __: string | null, theme: string | null): void {
    if (theme) this.dataset.theme = theme;
    else delete this.dataset.theme;
  }

  private async open(): Promise<void> {
    if (this.shown) return;
    this.root.replaceChildren();
    const sheet = document.createElement("style");
    sheet.textContent = [style, ...Object.values(palettes), shape].join("\n");
    this.root.append(sheet);
    try {
      const film = readFilm(JSON.parse(await this.content()));
      const board = find(boards, film.game, "index.ts") ?? find(boards, "fallback", "index.ts")!;
      const look = find(looks, film.game, "look.ts");
      const accent = look ? `--accent-day: ${look.accent}; --accent-night: ${look.accentAtNight}` : "";
      const ply = Number.parseInt(this.getAttribute("ply") ?? "0", 10) || 0;
      if (this.isConnected) this.shown = mount(Film, { target: this.root, props: { film, board, accent, ply } });
    } catch (error) {
      const words = document.createElement("p");
      words.className = "trouble";
      words.setAttribute("role", "alert");
      words.textContent = `The game cannot be shown. ${(error as Error).message}`;
      this.root.append(words);
    }
  }

  private async content(): Promise<string> {
    const address = this.getAttribute("src");
    if (address) {
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(`${address} was answered with ${answer.status}.`);
      return answer.text();
    }
    const inside = this.querySelector("script");
    if (!inside) throw new Error("It has neither a src nor a film inside.");
    return inside.type === "application/json" ? inside.text : unpack(inside.text);
  }
}

if (!customElements.get("ludens-game")) customElements.define("ludens-game", LudensGame);
