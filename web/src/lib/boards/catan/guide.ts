/** Catan for a newcomer: what counts, and a first game with things pointed at. */
import { HINTS } from "../../guide/happened";
import type { Guide } from "../contract";

export const guide: Guide = {
  glance: [
    { what: "On your turn", words: "Roll the dice, then trade and build as you like, then end the turn." },
    { what: "Dice", words: "Fields with the rolled number give a card to every settlement beside them, two to a city." },
    { what: "Road", words: "brick and lumber" },
    { what: "Settlement", words: "brick, lumber, wool and grain: 1 point" },
    { what: "City", words: "two grain and three ore, in place of a settlement: 2 points" },
    { what: "Development card", words: "wool, grain and ore: a knight, a point or a surprise" },
    { what: "A seven", words: "Nothing grows; whoever has more than seven cards discards half; the robber moves and steals." },
    { what: "Longest road, largest army", words: "2 points each: at least five roads in a row, at least three knights." },
    { what: "Victory", words: "Ten points on your own turn." },
  ],
  steps: [
    {
      at: "[data-place='hex 10']",
      words: "The numbers say which dice make a field yield. More dots below a number: it comes more often. Red ones are the best.",
    },
    {
      when: { see: "[data-vertex]" },
      at: "[data-vertex]",
      clear: "[data-vertex]",
      words: "Everybody begins with two settlements. Put yours on a corner that touches good numbers and different fields.",
      until: { event: "settlement" },
    },
    {
      when: { see: "[data-edge]" },
      at: "[data-edge]",
      clear: "[data-edge]",
      words: "A road goes along with it, to where you want to build next. Settlements need two roads between them.",
      until: { event: "road" },
    },
    {
      when: { see: "[data-deed='roll'][aria-disabled='false']" },
      at: "[data-deed='roll']",
      words: "Your turn begins with the dice. Click here, or the dice themselves.",
      until: { event: "roll" },
    },
    { at: "[data-place='hand']", words: "These are your cards. Your second settlement brought the first ones; fields around your settlements bring more, on everybody's rolls." },
    {
      at: "[data-deed='settlement']",
      words: "What you can build is lit, with its cost below. What is grey says why when you point at it.",
    },
    {
      at: "[data-deed='trade']",
      words: "Something missing? Trade with the others, or four equal cards for one with the bank; harbours are cheaper.",
    },
    { at: "[data-deed='end']", clear: "[data-deed]", words: "Done? End your turn, and watch what the others do.", until: { event: "turn" } },
    { at: "button.hint", clear: "[data-deed]", words: "Not sure what is good? A hint shows the best moves and what they lead to.", until: HINTS },
    { at: "[data-rules]", words: "Ten points win. The rules stay behind this sign; the game is yours now." },
  ],
};
