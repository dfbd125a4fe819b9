/** What can be done now, read from the legal actions alone. */
import type { Legal } from "../../api/types";
import { TICKETS, type StaticMap, type Ticket, type YardAction } from "./position";

export interface Targets {
  rides: ReadonlyMap<number, readonly Ticket[]>; // by station: the tickets that lead there
  tickets: readonly Ticket[]; // that can be used now
  detectives: ReadonlySet<number>; // that can be chosen
  double: boolean;
  pass: boolean;
}

export function targetsOf(legal: readonly Legal[]): Targets {
  const rides = new Map<number, Ticket[]>();
  const detectives = new Set<number>();
  let [double, pass] = [false, false];
  for (const { json } of legal) {
    const action = json as unknown as YardAction;
    if (action.type === "ride") rides.set(action.station, [...(rides.get(action.station) ?? []), action.ticket]);
    if (action.type === "choose") detectives.add(action.detective);
    if (action.type === "double") double = true;
    if (action.type === "pass") pass = true;
  }
  const used = new Set([...rides.values()].flat());
  return { rides, tickets: TICKETS.filter((ticket) => used.has(ticket)), detectives, double, pass };
}

/** Only the rides that one ticket pays; all of them without one. */
export function paidBy(rides: Targets["rides"], ticket: Ticket | null): Targets["rides"] {
  if (ticket === null) return rides;
  return new Map([...rides].filter(([, tickets]) => tickets.includes(ticket)).map(([station]) => [station, [ticket]]));
}

/** A ride to ask about when a station is out of reach: by a line that leads there, else by the ticket that is best known. */
export function rideToExplain(map: StaticMap, from: number | null, to: number, isMrX: boolean): YardAction {
  const line = map.connections.find(([a, b]) => (a === from && b === to) || (a === to && b === from));
  const ticket = line ? (line[2] === "ferry" ? "black" : line[2]) : isMrX && map.columns === 0 ? "black" : "taxi";
  return { type: "ride", ticket, station: to };
}
