/** London's map for tests, as the server sends it: read from the game's own data. */
import { readFileSync } from "node:fs";
import type { StaticMap } from "./position";

export function london(): StaticMap {
  const file = new URL("../../../../../ludens/games/scotland_yard/data/london.json", import.meta.url);
  const { meta, ...map } = JSON.parse(readFileSync(file, "utf8"));
  return { ...map, name: meta.name, columns: 0 };
}
