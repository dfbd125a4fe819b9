/** The position as far as the film has told it: what a later frame reveals is not shown yet. */
import type { GameEvent } from "../../api/types";
import type { YardPosition } from "./position";

export function staged(
  position: YardPosition,
  before: YardPosition | null,
  later: readonly GameEvent[],
  seat: number | null,
): YardPosition {
  const coming = (kind: string) => later.some((event) => event.kind === kind);
  if (!before || seat === 0 || !(coming("reveal") || coming("over"))) return position;
  const log = coming("reveal")
    ? position.log.map((entry, k) => (k === position.log.length - 1 ? { ...entry, station: null } : entry))
    : position.log;
  const { station, seen, visible } = before.mr_x;
  const hidden = coming("reveal") ? { station: null, seen, visible: false } : { station, seen, visible };
  return { ...position, log, possible: before.possible, weights: before.weights, mr_x: { ...position.mr_x, ...hidden } };
}
