/** The inks of tickets and pieces; every one has a sign or a numeral besides its colour. */
import type { Ticket, Transport } from "./position";
import { mark } from "../../words/index.svelte";

export interface TicketDesign {
  ground: string;
  ink: string;
  sign: string; // a picture in a 20 × 20 box, drawn in strokes
}

export const TICKET_DESIGNS: Record<Ticket, TicketDesign> = {
  taxi: {
    ground: "#e2ab2c",
    ink: "#2c2105",
    sign: "M3 13v-3l3-1l2-3.5h5l2.5 3.5l2 .8v3.2zM6 14.2a1.3 1.3 0 1 0 .1 0zM14 14.2a1.3 1.3 0 1 0 .1 0z",
  },
  bus: {
    ground: "#14806f",
    ink: "#ffffff",
    sign: "M4 4h12v11H4zM4 8h12M4 11.5h12M7 15v1.8M13 15v1.8",
  },
  underground: {
    ground: "#c9432f",
    ink: "#ffffff",
    sign: "M6 3.5h8a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2zM4 9.5h12M7 12h.1M13 12h.1M6.5 14.5L4.5 17.5M13.5 14.5L15.5 17.5",
  },
  black: {
    ground: "#2b2724",
    ink: "#f4ecdd",
    sign: "M2.5 12.5h15M5.5 12.5V8q0-3 2.5-3.5q2 1 4 0q2.5.5 2.5 3.5v4.5M6.5 16a1.6 1.6 0 1 0 .1 0zM13.5 16a1.6 1.6 0 1 0 .1 0z",
  },
  double: {
    ground: "#7d1f2b",
    ink: "#ffffff",
    sign: "M3.5 5l5 5l-5 5M10 5l5 5l-5 5",
  },
};

/** Detectives, by number; white numerals read well on all of them. */
export const PIECE_INKS = ["#2459b0", "#8a3b97", "#2b7042", "#ab520a", "#0f7480"] as const;
export const MR_X_INK = "#1d1a18";

/** Lines by day are darker than the tickets where paper is behind them. */
export const LINE_WORDS: Record<Transport, string> = {
  taxi: mark("Taxi"),
  bus: mark("Bus"),
  underground: mark("Underground"),
  ferry: mark("Ferry"),
};
