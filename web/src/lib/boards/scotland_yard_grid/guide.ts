/** The hunt on a grid for a newcomer: what counts, and a first game as Mr. X with things pointed at. */
import { HINTS } from "../../guide/happened";
import type { Guide } from "../contract";

export const guide: Guide = {
  glance: [
    { what: "Mr. X", words: "Steps to a cell beside his, unseen; after every third step he shows himself." },
    { what: "Detectives", words: "Step together, openly, and win by standing on his cell." },
    { what: "End", words: "Caught, or all rounds are over: then Mr. X has escaped." },
  ],
  steps: [
    {
      when: { see: "g.cell.open" },
      at: "g.cell.open",
      clear: "svg[data-grid]",
      words: "You are Mr. X. The cells that are marked are in reach: choose one, away from the detectives, and press it again.",
      until: { event: "flight" },
    },
    {
      at: "svg[data-grid]",
      clear: "svg[data-grid]",
      words: "Now the detectives step, all of them. If one steps on your cell, you are caught.",
      until: { event: "flight" },
    },
    {
      at: "input[role='switch']",
      words: "This shows where you could be, as the detectives reckon. The more cells, the safer you are.",
    },
    { at: "button.hint", words: "Not sure what is good? A hint shows the best moves and what they lead to.", until: HINTS },
    { at: "[data-rules]", words: "Stay free until the last round. The rules stay behind this sign; the game is yours now." },
  ],
};
