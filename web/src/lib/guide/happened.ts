/** Has what a step of a guided game waits for come about? */
import type { Step } from "../api/types";
import type { Moment } from "../boards/contract";

/** Hints are shown: they need the room of the guide's words. */
export const HINTS: Moment = { see: "[data-rank]" };

/** An event of ours after a ply, or something that can be seen now. */
export function happened(moment: Moment, steps: readonly Step[], since: number, seat: number | null): boolean {
  if ("see" in moment) return document.querySelector(moment.see) !== null;
  const ours = (step: Step) =>
    step.ply >= since && step.events.some(({ kind, seat: whose }) => kind === moment.event && (whose ?? step.actor) === seat);
  return steps.some(ours);
}
