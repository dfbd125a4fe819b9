/**
 * The page's addresses: `/` is the lobby, `/table/ID` a table (`?ply=N` looks back, `#invite=…` lets a guest in),
 * `/games` my games, `/laboratory` and `/laboratory/ID` tournaments, `/ladder/GAME` how strong its agents are, `/puzzles/GAME/NUMBER` a
 * position in which one move is to be found.
 */

export interface Place {
  page: "lobby" | "table" | "laboratory" | "ladder" | "puzzles" | "games" | "nowhere";
  table: string; // or the tournament, or the game of the ladder or of the puzzle
  ply: number | null; // or the number of the puzzle
  invitation: string | null;
}

const ADDRESS = /^\/(?:(games)|(table)\/([a-z0-9]{1,16})|(laboratory|ladder)(?:\/(\w{1,64}))?|(puzzles)(?:\/(\w{1,64})(?:\/(\d{1,6}))?)?)\/?$/;

/** One parameter of a query. */
function parameter(query: string, name: string): string | null {
  return new URLSearchParams(query).get(name);
}

/** Reads an address. */
export function parse(path: string, search: string, hash: string): Place {
  const [, games, table, id, page, what, puzzles, game, number] = ADDRESS.exec(path) ?? [];
  const ply = Number.parseInt(number ?? parameter(search, "ply") ?? "", 10);
  return {
    page: ((games ?? table ?? page ?? puzzles) as Place["page"] | undefined) ?? (path === "/" ? "lobby" : "nowhere"),
    table: id ?? what ?? game ?? "",
    ply: ply >= 0 ? ply : null,
    invitation: parameter(hash.replace(/^#/, ""), "invite"),
  };
}

const here = () => parse(location.pathname, location.search, location.hash);

class Router {
  place: Place = $state(here());

  constructor() {
    addEventListener("popstate", () => (this.place = here()));
  }

  go(address: string): void {
    history.pushState(null, "", address);
    this.place = here();
    scrollTo(0, 0);
  }

  /** Changes the shown address without a new entry in the browser's history. */
  replace(address: string): void {
    history.replaceState(null, "", address);
    this.place = here();
  }
}

export const router = new Router();

/** For links of the page itself: no reload, unless the reader wants another tab. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  router.go((event.currentTarget as HTMLAnchorElement).getAttribute("href")!);
}
