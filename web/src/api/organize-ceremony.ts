/** The sealed ranking for the ceremony. */
import { get } from "./organize";
import type { components } from "./schema";

export type Ceremony = components["schemas"]["Ceremony"];
export type SealedTeam = components["schemas"]["SealedTeam"];
export type SealedSolve = components["schemas"]["SealedSolve"];

/** Reads the sealed ranking. Needs a recent code, and an event between its end and its reveal. */
export function getCeremony() {
  return get<Ceremony>("/ceremony");
}

/** Names of the student teams; nothing else of the list is kept. */
export async function getStudentTeams(): Promise<readonly string[]> {
  const rows = await get<readonly { team: string; student: boolean | null }[]>(
    "/exports/teams?format=json",
  );
  return rows.filter(({ student }) => student === true).map(({ team }) => team);
}
