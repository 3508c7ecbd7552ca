/** Finding teams by part of their name, however it is written: width, case and form are equal. */
import type { RankedTeam } from "./board";

/** Upper case folds more than lower case does: the sharp s and the final sigma among others. */
export function folded(text: string): string {
  return text.normalize("NFKC").toUpperCase().normalize("NFKC").trim();
}

/** The rows whose team's name holds the query, with their real ranks; all for an empty one. */
export function findTeams(ranked: readonly RankedTeam[], query: string): readonly RankedTeam[] {
  const wanted = folded(query);
  if (wanted === "") return ranked;
  return ranked.filter(({ team }) => folded(team.teamName).includes(wanted));
}
