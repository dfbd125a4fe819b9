/** How far a guided first game has come; it survives a reload. */
import { read, write } from "../storage";

export interface Progress {
  table: string;
  step: number;
}

const KEY = "ludens.guide";

export const progressAt = (table: string): Progress | null => {
  const kept = read<Progress | null>(KEY, null);
  return kept?.table === table ? kept : null;
};
export const begin = (table: string): void => write(KEY, { table, step: 0 });
export const keep = (progress: Progress): void => write(KEY, progress);
export const leave = (): void => write(KEY, null);
