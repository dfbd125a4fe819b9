/** The map as it is drawn: places, lines, scenery and what stops where; made once for a map. */
import type { Point } from "./geometry";
import { settle } from "./labels";
import { TRANSPORTS, type StaticMap, type Ticket, type Transport } from "./position";
import { routesOf, type Route } from "./routes";
import { sceneryOf, type Label, type Scenery } from "./scenery";
import { spread } from "./spread";
import { boxAround, type Box } from "./viewport";

export const RADIUS = 11; // of a station
const GAP = 29; // between stations
const MARGIN = 19;
const PIN = 26; // pins stand above their stations

export interface Station extends Point {
  id: number;
  bus: boolean;
  underground: boolean;
}

export interface Layout {
  map: StaticMap;
  stations: Station[];
  places: ReadonlyMap<number, Point>;
  routes: Route[];
  lines: Record<Transport, string>; // all lines of a kind in one path
  scenery: Scenery;
  labels: Label[]; // the scenery's names, out of the way
  box: Box;
}

const made = new WeakMap<StaticMap, Layout>();

export function layoutOf(map: StaticMap): Layout {
  let layout = made.get(map);
  if (!layout) made.set(map, (layout = layOut(map)));
  return layout;
}

function layOut(map: StaticMap): Layout {
  const scenery = sceneryOf(map.name);
  const spots = spread(map.stations, GAP);
  const stops = (transport: Transport) =>
    new Set(map.connections.flatMap(([a, b, kind]) => (kind === transport ? [a, b] : [])));
  const [bus, underground] = [stops("bus"), stops("underground")];
  const stations = map.stations.map(({ id }, k) => ({
    id,
    ...spots[k]!,
    bus: bus.has(id),
    underground: underground.has(id),
  }));
  const places = new Map(stations.map(({ id, x, y }) => [id, { x, y }]));
  const routes = routesOf(map, places, scenery.river);
  const drawn = (transport: Transport) =>
    routes.flatMap((route) => (route.transport === transport ? [route.path] : [])).join("");
  const lines = Object.fromEntries(TRANSPORTS.map((kind) => [kind, drawn(kind)])) as Layout["lines"];
  const labels = settle(scenery.labels, stations, routes.flatMap(({ points }) => points));
  return { map, stations, places, routes, lines, scenery, labels, box: withRoomForPins(boxAround(stations, MARGIN)) };
}

const withRoomForPins = (box: Box): Box => ({ ...box, y: box.y - PIN, height: box.height + PIN });

/** The line a ride takes: that of its ticket, any for a black one; null where there is none. */
export function routeFor({ routes }: Layout, from: number, to: number, ticket: Ticket): Route | null {
  const joins = routes.filter((route) => (route.from === from && route.to === to) || (route.from === to && route.to === from));
  return joins.find(({ transport }) => transport === ticket) ?? (ticket === "black" ? (joins.at(-1) ?? null) : null);
}

/** Points along a ride, in the direction of travel. */
export function journey(layout: Layout, from: number, to: number, ticket: Ticket): Point[] {
  const route = routeFor(layout, from, to, ticket);
  if (!route) return [layout.places.get(from)!, layout.places.get(to)!];
  return route.from === from ? route.points : [...route.points].reverse();
}
