/** Makes a planned table and goes there. */
import * as server from "../api/client";
import type { GameInfo } from "../api/types";
import { spoken } from "../games";
import { begin } from "../guide/progress";
import { person } from "../person.svelte";
import { router } from "../router.svelte";
import { settings } from "../settings.svelte";
import { bySeat, rememberKeys } from "../storage";
import { attempt } from "../toasts.svelte";
import { t } from "../words/index.svelte";
import { guidedPlan, wishOf, type Plan } from "./plan";

/** The id of the table; undefined where it was refused, which is told to the reader. */
async function make(game: GameInfo, plan: Plan): Promise<string | undefined> {
  await person.begin();
  const made = await attempt(server.makeTable(wishOf(game, plan, (word) => t(spoken(word)))));
  if (!made) return undefined;
  const { table, tokens, owner_token: owner, invitation } = made;
  rememberKeys(table.id, { seats: bySeat(tokens), owner, ...(invitation ? { invitation } : {}) });
  return table.id;
}

export async function openTable(game: GameInfo, plan: Plan): Promise<void> {
  const table = await make(game, plan);
  if (table) router.go(`/table/${table}`);
}

export async function openGuided(game: GameInfo): Promise<void> {
  const table = await make(game, guidedPlan(game, settings.name));
  if (!table) return;
  begin(table);
  router.go(`/table/${table}`);
}
