/** London's map for tests, as the server sends it: the game's own data. */
import data from "../../../../../ludens/games/scotland_yard/data/london.json";
import type { StaticMap } from "./position";

export const london: StaticMap = {
  name: data.meta.name,
  columns: 0,
  stations: data.stations,
  connections: data.connections as StaticMap["connections"],
  detective_starts: data.detective_starts,
  mrx_starts: data.mrx_starts,
};
