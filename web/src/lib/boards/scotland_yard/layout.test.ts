import { describe, expect, it } from "vitest";
import { distance } from "./geometry";
import { halfWidth } from "./labels";
import { journey, layoutOf, RADIUS, routeFor } from "./layout";
import { london } from "./london.fixture";
import { sceneryOf } from "./scenery";

const layout = layoutOf(london);

describe("London", () => {
  it("shows all stations near their true places, with room for their numbers", () => {
    expect(layout.stations).toHaveLength(199);
    layout.stations.forEach((station, k) => {
      expect(distance(station, london.stations[k]!)).toBeLessThan(12);
      for (const other of layout.stations.slice(k + 1)) expect(distance(station, other)).toBeGreaterThan(2 * RADIUS + 4);
    });
  });

  it("draws every connection once, from station to station", () => {
    expect(layout.routes).toHaveLength(467);
    for (const { from, to, points } of layout.routes) {
      expect(distance(points[0]!, layout.places.get(from)!)).toBeLessThan(0.01);
      expect(distance(points.at(-1)!, layout.places.get(to)!)).toBeLessThan(0.01);
    }
  });

  it("leads no line over a station where it does not stop", () => {
    const touching = layout.routes.filter(({ from, to, transport, points }) =>
      layout.stations.some(
        (station) =>
          transport !== "ferry" &&
          station.id !== from &&
          station.id !== to &&
          points.some((point) => distance(point, station) < RADIUS - 1),
      ),
    );
    expect(touching.map(({ from, to, transport }) => `${from}–${to} ${transport}`)).toEqual([]);
  });

  it("keeps lines between the same stations apart in their middle", () => {
    for (const bus of layout.routes.filter(({ transport }) => transport === "bus")) {
      const taxi = routeFor(layout, bus.from, bus.to, "taxi");
      if (!taxi) continue;
      const middle = bus.points[Math.floor(bus.points.length / 2)]!;
      expect(Math.min(...taxi.points.map((point) => distance(point, middle)))).toBeGreaterThan(4);
    }
  });

  it("lets ferries follow the river", () => {
    const { river } = sceneryOf(london.name);
    const ferry = routeFor(layout, 115, 108, "black")!;
    expect(ferry.transport).toBe("ferry");
    const inner = ferry.points.slice(8, -8);
    for (const point of inner) expect(Math.min(...river.map((at) => distance(at, point)))).toBeLessThan(12);
  });

  it("puts its names beside the stations", () => {
    const covered = layout.labels.filter((label) =>
      layout.stations.some(
        ({ x, y }) => Math.abs(x - label.x) < halfWidth(label) + 4 && Math.abs(y - label.y) < label.size / 2 + 4,
      ),
    );
    expect(covered.length).toBeLessThanOrEqual(2);
  });

  it("is laid out once", () => {
    expect(layoutOf(london)).toBe(layout);
  });
});

describe("a ride", () => {
  it("takes the line of its ticket, in the direction of travel", () => {
    const points = journey(layout, 79, 46, "underground");
    expect(distance(points[0]!, layout.places.get(79)!)).toBeLessThan(0.01);
    expect(distance(points.at(-1)!, layout.places.get(46)!)).toBeLessThan(0.01);
    expect(routeFor(layout, 46, 79, "bus")).toBeNull();
  });
});

describe("another map", () => {
  it("has no scenery, and its stations stay", () => {
    const other = layoutOf({
      name: "Village",
      columns: 0,
      stations: [
        { id: 1, x: 0, y: 0 },
        { id: 2, x: 100, y: 50 },
      ],
      connections: [[1, 2, "ferry"]],
      detective_starts: [1],
      mrx_starts: [2],
    });
    expect(other.scenery.water).toBe("");
    expect(other.places.get(2)).toEqual({ x: 100, y: 50 });
    expect(other.routes[0]!.points.length).toBeGreaterThan(2);
  });
});
