/** The Discovery for a newcomer: what counts, and a first game with things pointed at. */
import { HINTS } from "../../guide/happened";
import type { Guide } from "../contract";

export const guide: Guide = {
  glance: [
    { what: "On your turn", words: "Lay a tile so that its sides fit; then place a follower, or take one back, or pass." },
    { what: "Follower", words: "Stands in one region. It earns points only when you take it back." },
    { what: "Closed region", words: "Has no open side left, and is worth more than an open one." },
    { what: "Mountains, grassland, sea", words: "Each counts in its own way: tiles, cities within, cities beside." },
    { what: "End", words: "When the tiles are used up. Followers left on the map count as in open regions." },
  ],
  steps: [
    {
      when: { see: "g[data-cell]" },
      at: "section.hand",
      words: "This is the tile you have drawn. Turn it with the arrows here; a mouse's wheel over the map turns it too.",
    },
    {
      at: "g[data-cell]",
      clear: "g[data-cell], section.hand",
      words: "It may lie wherever its sides continue what is there: mountains to mountains, sea to sea. Choose a place, then press it again, or Place.",
      until: { event: "tile" },
    },
    {
      when: { see: "[data-segment], [data-pass]" },
      at: "[data-segment]",
      clear: "[data-segment], section.hand",
      words: "Now you may put a follower on the tile you have just laid. It claims the whole region. Others may not join it.",
      until: { event: "follower" },
    },
    {
      at: ".players.card",
      words: "You have four followers only, and they score nothing while they stand. Taking one back at the right time is the art of this game.",
    },
    {
      when: { see: "[data-follower]" },
      at: "[data-follower]",
      words: "Instead of placing a follower you can now take one back. The badge says what it would bring at this moment. Closed regions bring more.",
      until: { event: "remove" },
    },
    { at: "button.hint", words: "Not sure what is good? A hint shows the best moves and what they lead to.", until: HINTS },
    { at: "[data-rules]", words: "That is all. The rules stay behind this sign; the game is yours now." },
  ],
};
