/** Scotland Yard for a newcomer: what counts, and a first game as Mr. X with things pointed at. */
import { HINTS } from "../../guide/happened";
import type { Guide } from "../contract";

export const guide: Guide = {
  glance: [
    { what: "Mr. X", words: "Moves unseen; the others learn only his ticket. Now and then he shows himself." },
    { what: "Detectives", words: "Move after him, openly, and win by reaching his station." },
    { what: "Taxi", words: "yellow lines: the next station" },
    { what: "Bus", words: "green lines: farther" },
    { what: "Underground", words: "red lines: across the town" },
    { what: "Black ticket", words: "Mr. X only: any ride without telling which, and the boat." },
    { what: "Double move", words: "Mr. X only: two rides in a row." },
    { what: "End", words: "Caught, or the detectives are out of tickets, or all rounds are over: then Mr. X has escaped." },
  ],
  steps: [
    {
      when: { see: "g[data-station]" },
      at: "[data-mr-x]",
      words: "You are Mr. X, and only you see this pin. The coloured pins are detectives; if one of them reaches your station, you are caught.",
    },
    {
      at: "g[data-station]",
      clear: "g[data-station], [data-ticket]",
      words: "The stations that glow are in reach. Choose one, away from the detectives; if several tickets lead there, choose the ticket.",
      until: { event: "flight" },
    },
    {
      at: "ol[data-log]",
      words: "The others see only which ticket you used. On the marked moves you must show yourself: be near an underground then.",
    },
    {
      at: "input[role='switch']",
      words: "This shows where you could be, as the detectives reckon. The more places, the safer you are.",
    },
    {
      when: { see: "[data-double]" },
      at: "[data-double]",
      words: "In need? Announce a double move. A black ticket hides even how you travelled.",
    },
    { at: "button.hint", words: "Not sure what is good? A hint shows the best moves and what they lead to.", until: HINTS },
    { at: "[data-rules]", words: "Stay free until the log is full. The rules stay behind this sign; the game is yours now." },
  ],
};
