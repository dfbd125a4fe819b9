/** How a game may go on, in sentences: they come from the server in the reader's language. */
import type { Candidate } from "../api/types";

/** What happens in these decisions; those that go without saying are left out. */
const told = (plays: NonNullable<Candidate["plays"]>): string[] =>
  plays.flatMap(({ events }) => events.flatMap(({ sentence }) => (typeof sentence === "string" && sentence) || []));

/** The whole line. */
export const lineOf = ({ plays }: Pick<Candidate, "plays">, most = 6): string[] => told(plays ?? []).slice(0, most);

/** The best answer: what the next other seat does after the move, all of it; none if the line ends before. */
export function answerOf({ plays = [] }: Pick<Candidate, "plays">, seat: number): string[] {
  const first = plays.findIndex((play) => play.seat !== seat);
  if (first < 0) return [];
  const rest = plays.slice(first);
  const after = rest.findIndex((play) => play.seat !== rest[0]!.seat);
  return told(after < 0 ? rest : rest.slice(0, after));
}
