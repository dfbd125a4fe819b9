/** The Discovery in words: what is expected, how long things are shown, and what the result consists of. */
import type { Action, GameEvent, Legal, Position } from "../../api/types";
import type { Pace } from "../../table/frames";
import type { ResultColumn } from "../contract";
import { choicesOf } from "./choices";
import { isStanding, type DiscoveryAction, type DiscoveryPosition, type TileSet } from "./position";
import { regionOf } from "./regions";
import { uncounted } from "./standing";
import { inList, mark, plural, t } from "../../words/index.svelte";

export function prompt(position: Position, legal: readonly Legal[]): string {
  if ((position as unknown as DiscoveryPosition).phase !== "follower") return t("place the tile beside the map");
  const { segments, followers, pass } = choicesOf(legal);
  const ways = [
    ...(segments.length ? [t("put a follower on the new tile")] : []),
    ...(followers.length ? [t("take one back for its points")] : []),
    ...(pass || !legal.length ? [t("pass")] : []),
  ];
  return inList(ways, "disjunction");
}

/** The lands as sentences name them, and bend them. */
export const LANDS: readonly string[] = [mark("mountains"), mark("grassland"), mark("sea")];
const TURNS = [mark("as printed"), mark("turned right"), mark("upside down"), mark("turned left")];

/** A move: `the tile at 0,1, turned right`. */
export function describe(action: Action, position: Position): string {
  const map = position as unknown as DiscoveryPosition;
  const move = action as unknown as DiscoveryAction;
  if (move.type === "tile") return t("the tile at {place}, {turned}", { place: `${move.x},${move.y}`, turned: t(TURNS[move.turns]!) });
  if (move.type === "follower") {
    const region = regionOf(map, map.tiles.at(-1)!.regions[move.segment] ?? null);
    return region ? t("a follower on the {terrain}", { terrain: region.terrain }) : t("a follower on the new tile");
  }
  if (move.type !== "remove") return t("pass");
  const one = map.followers.find(({ seat, follower }) => seat === map.current && follower === move.follower);
  if (!one) return t("take a follower back");
  return plural(
    one.points,
    "take back the follower at {place} for {n} point",
    "take back the follower at {place} for {n} points",
    { place: `${one.x},${one.y}` },
  );
}

/** A tile and its follower: `the tile at 0,1, turned right, with a follower on the grassland`. */
export function describeWhole(actions: readonly Action[], position: Position, fixed: unknown): string {
  const map = position as unknown as DiscoveryPosition;
  const [tile, then] = actions as unknown as DiscoveryAction[];
  const laid = describe(actions[0]!, position);
  if (tile?.type !== "tile" || !then) return laid;
  if (then.type === "follower") {
    const scheme = (fixed as TileSet).tiles.find(({ name }) => name === map.hand);
    return t("{tile}, with a follower on the {terrain}", { tile: laid, terrain: scheme?.regions[then.segment]?.terrain ?? "" });
  }
  return then.type === "remove" ? `${laid}; ${describe(actions[1]!, position)}` : laid;
}

/** With the tile lying on the map, not yet for good. */
export function laidWords(turnable: boolean, byFinger: boolean): string {
  if (byFinger) return t("press Place to leave the tile there");
  return t(
    turnable
      ? "click the tile again to leave it there; R turns it; Escape picks it up"
      : "click the tile again to leave it there; Escape picks it up",
  );
}

const MOMENTS: Record<string, number> = { discard: 900, tile: 450, closed: 520, follower: 480, remove: 800, pass: 260, final: 750 };

export const pace: Pace = (event, byChance) => {
  if (event.kind === "draw") return 260;
  return MOMENTS[event.kind] ?? (byChance ? 0 : 200);
};

/** What the followers that were left on the map have earned. */
export function results(events: readonly GameEvent[], players: number): ResultColumn[] {
  const last = events.filter(isStanding).filter(({ kind }) => kind === "final");
  const of = (seat: number) => last.filter((event) => event.seat === seat);
  const seats = Array.from({ length: players }, (_, seat) => of(seat));
  return [
    { title: t("Followers left"), values: seats.map((own) => own.length) },
    { title: t("Their points"), values: seats.map((own) => `+${own.reduce((sum, { points }) => sum + points, 0)}`) },
  ];
}

/** What every seat has, as far as it has been counted. */
export const points = (position: Position, later: readonly GameEvent[]): number[] =>
  (position as unknown as DiscoveryPosition).players.map(({ score }, seat) => score - uncounted(later, seat));
