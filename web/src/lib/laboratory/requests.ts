/** The laboratory's and the ladder's requests. */
import { ask } from "../api/client";
import type { components } from "../api/schema";
import type { ImportedTable } from "../api/types";

type Schemas = components["schemas"];

export type Tournament = Schemas["Tournament"];
export type Results = Schemas["TournamentResults"];
export type Begin = Schemas["BeginTournament"];
export type Cell = Schemas["CrossCell"];
export type Standing = Schemas["PlayerStanding"];
export type PlayedGame = Schemas["PlayedGame"];
export type Ladder = Schemas["Ladder"];
export type Rung = Schemas["Rung"];

const HOME = "/laboratory/tournaments";
const at = (id: string) => `${HOME}/${encodeURIComponent(id)}`;

export const list = () => ask<Schemas["TournamentList"]>("GET", HOME);
export const begin = (wish: Partial<Begin>) => ask<Results>("POST", HOME, null, wish);
export const results = (id: string) => ask<Results>("GET", at(id));
export const stop = (id: string) => ask<Results>("POST", `${at(id)}/stop`);
export const goOn = (id: string) => ask<Results>("POST", `${at(id)}/continue`);
export const remove = (id: string) => ask<null>("DELETE", at(id));
export const games = (id: string, from: number) => ask<Schemas["GamePage"]>("GET", `${at(id)}/games?from=${from}&limit=25`);
export const openGame = (id: string, number: number) => ask<ImportedTable>("POST", `${at(id)}/games/${number}/open`);
export const reportAddress = (id: string) => `/api/v1${at(id)}/report`;
export const ladder = (game: string) => ask<Ladder>("GET", `/games/${encodeURIComponent(game)}/ladder`);
