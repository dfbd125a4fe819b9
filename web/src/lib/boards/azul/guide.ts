/** Azul for a newcomer: what counts, and a first game with things pointed at. */
import { HINTS } from "../../guide/happened";
import type { Guide } from "../contract";

export const guide: Guide = {
  glance: [
    { what: "On your turn", words: "Take all tiles of one colour from a factory or the centre; put them on one pattern line." },
    { what: "Pattern line", words: "Holds one colour. Only a full line sends a tile to the wall." },
    { what: "A tile on the wall", words: "1 point alone, else 1 for every tile in its unbroken row and column." },
    { what: "Floor", words: "Tiles that do not fit cost −1 −1 −2 −2 −2 −3 −3." },
    { what: "End", words: "After the round in which somebody completes a row of the wall." },
    { what: "Bonus", words: "+2 a full row, +7 a full column, +10 for five tiles of one colour." },
  ],
  steps: [
    {
      when: { see: "g.tiles.enabled" },
      at: "g.plate",
      clear: "g.plate",
      words: "These round plates are factories. You take all tiles of one colour from one of them. Click a tile to take it.",
      until: { see: "g.line.open, g.floor.open" },
    },
    {
      at: "g.line.open, [data-line='2']",
      clear: "[data-line]",
      words: "Now put them on one of your five lines. Each line takes one colour, and as many tiles as it is long. Too many fall to the floor.",
      until: { event: "take" },
    },
    { at: "[data-centre]", words: "What is left in a factory goes to the centre, where everybody may take it later." },
    {
      at: "[data-line='floor']",
      words: "The floor costs points. Whoever takes first from the centre begins the next round, but pays with one place here.",
    },
    {
      at: "[data-cell='2 2']",
      words: "This is your wall. When all tiles are taken, every full line sends one tile to the place of its colour in the same row.",
    },
    {
      at: "button.hint",
      clear: "g.plate, [data-line]", // while these words stand, one plays on
      words: "Not sure what is good? A hint shows the best moves and what they lead to. Now play on until the round ends.",
      until: [{ event: "tile" }, HINTS],
    },
    {
      when: { event: "tile" },
      at: "[data-cell='2 2']",
      words: "A tile alone brings one point. Beside others it brings one for every tile in its row, and in its column: so build together.",
    },
    {
      at: "main.play .players",
      words: "Here are the points. The game ends when a row of a wall is full; rows, columns and whole colours bring a bonus then.",
    },
    { at: "[data-rules]", words: "That is all. The rules stay behind this sign; the game is yours now." },
  ],
};
