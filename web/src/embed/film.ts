/** A film as it is written by `ludens.core.film`, and read. */
import type { GameEvent, OptionValue, Position, Step } from "../lib/api/types";

export const FORMAT = "ludens-film/1";

export interface Film {
  format: string;
  game: string;
  title: string;
  options: Record<string, OptionValue>;
  names: string[];
  fixed: unknown;
  start: Position;
  steps: { actor: number | null; events: GameEvent[]; changes: Position }[];
  scores: number[] | null;
  returns: number[] | null;
}

/** The film of some JSON; anything else is refused with a sentence. */
export function readFilm(content: unknown): Film {
  const film = content as Film | null;
  if (film?.format !== FORMAT || !Array.isArray(film.steps)) throw new Error(`This is not a game in the format ${FORMAT}.`);
  return film;
}

/** The steps with the position after each. */
export function stepsOf(film: Film): Step[] {
  let position = film.start;
  return film.steps.map(({ actor, events, changes }, ply) => {
    position = { ...position, ...changes };
    return { ply, actor, events, position };
  });
}

/** Unpacks what was compressed and written in letters. */
export async function unpack(packed: string): Promise<string> {
  const bytes = Uint8Array.from(atob(packed.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}
