/** Search of teams by part of their name, regardless of width, case and Unicode form. */
import type { RankedTeam } from "./board";

/**
 * Folds case by upper case, which equates more than lower case, such as sharp s and final sigma.
 */
export function folded(text: string): string {
  return text.normalize("NFKC").toUpperCase().normalize("NFKC").trim();
}

/** The rows whose team name contains the query, with their ranks; all for an empty query. */
export function findTeams(ranked: readonly RankedTeam[], query: string): readonly RankedTeam[] {
  const wanted = folded(query);
  if (wanted === "") return ranked;
  return ranked.filter(({ team }) => folded(team.teamName).includes(wanted));
}
