/** What one audience (a seat, or the spectators) knows of a game, kept up to date by the server's messages. */
import type { Position, ServerMessage, Step, View } from "../api/types";

export interface Audience {
  view: View;
  first: number; // ply of the first step that is known
  steps: readonly Step[]; // without gaps from `first` on
}

type ViewMessage = Extract<ServerMessage, { type: "view" }>;
type UpdateMessage = Extract<ServerMessage, { type: "update" }>;

/** A full view replaces everything; steps that reach back to known ones are joined to them. */
export function withView(known: Audience | undefined, message: ViewMessage): Audience {
  const { view, from, steps } = message;
  const joins = known && known.view.undos === view.undos && known.first <= from && from <= end(known);
  if (!joins) return { view, first: from, steps };
  return { view, first: known.first, steps: [...known.steps.slice(0, from - known.first), ...steps] };
}

/** An update changes fields of the view, and keys within its position. */
export function withUpdate(known: Audience, message: UpdateMessage): Audience {
  const { changes, from, steps } = message;
  const view: View = { ...known.view, ...changes };
  if (changes.position) view.position = { ...(known.view.position as Position), ...changes.position };
  return { view, first: known.first, steps: [...known.steps.slice(0, from - known.first), ...steps] };
}

/** Puts the steps before the first known one in front, if they still fit. */
export function withHistory(known: Audience, earlier: readonly Step[], undos: number): Audience {
  if (known.view.undos !== undos || earlier.length < known.first || known.first === 0) return known;
  return { ...known, first: 0, steps: [...earlier.slice(0, known.first), ...known.steps] };
}

/** The ply after the last known step. */
export function end(known: Audience): number {
  return known.first + known.steps.length;
}
