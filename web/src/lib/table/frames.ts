/** Steps of a game as frames of a film: one for every event worth a moment. */
import type { GameEvent, Position, Step } from "../api/types";

export interface Frame {
  ply: number; // of the position
  actor: number | null; // whose step is being shown; null for chance, and where nothing moves
  position: Position;
  before: Position | null; // the position before the step that is being shown
  events: readonly GameEvent[]; // what happens in this frame
  later: readonly GameEvent[]; // events of the same step that are shown afterwards
  duration: number; // milliseconds at normal pace
}

/** How long an event is shown, in milliseconds at normal pace; 0 shows it together with the next. */
export type Pace = (event: GameEvent, byChance: boolean) => number;

export const usualPace: Pace = (event, byChance) => (byChance ? 60 : event.sentence ? 450 : 0);

/** The frames of some steps; `before` is the position that they start from. */
export function framesOf(steps: readonly Step[], before: Position | null, pace: Pace = usualPace): Frame[] {
  const frames: Frame[] = [];
  let previous = before;
  for (const step of steps) {
    if (!step.position) continue;
    let waiting: GameEvent[] = [];
    step.events.forEach((event, index) => {
      waiting.push(event);
      const duration = pace(event, step.actor === null);
      if (duration <= 0) return;
      const later = step.events.slice(index + 1);
      const { position } = step;
      const { actor } = step;
      frames.push({ ply: step.ply + 1, actor, position: position!, before: previous, events: waiting, later, duration });
      waiting = [];
    });
    previous = step.position;
  }
  return frames;
}

/** The last frames that fit into so many milliseconds: whoever was away does not watch everything. */
export function lastFrames(frames: readonly Frame[], most: number): Frame[] {
  let total = 0;
  let start = frames.length;
  while (start > 0 && total + frames[start - 1]!.duration <= most) total += frames[--start]!.duration;
  return frames.slice(start);
}

/** A frame in which nothing moves. */
export function still(position: Position, ply: number): Frame {
  return { ply, actor: null, position, before: null, events: [], later: [], duration: 0 };
}
