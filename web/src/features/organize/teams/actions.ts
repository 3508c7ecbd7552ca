/** What can be done with a team in its present standing. */
import type { Team } from "../../../api/organize-lists";
import { type Action, only } from "../change/action-buttons";

export function testTeam(object: string): Action {
  return { action: "team.test", fixed: {}, object };
}

/** The actions of a team, those of every day first; only legal next states are offered. */
export function actionsOf(team: Team): readonly Action[] {
  const { teamName, country, email, standing } = team;
  const of = { fixed: { team: teamName }, object: teamName } as const;
  const isUnconfirmed = standing === "unconfirmed";
  return [
    ...only(isUnconfirmed, { ...of, action: "team.confirm", key: "c" }),
    ...only(isUnconfirmed, { ...of, action: "team.resend", key: "m" }),
    ...only(standing === "banned", { ...of, action: "team.unban", key: "b" }),
    ...only(!isUnconfirmed && standing !== "banned", { ...of, action: "team.ban", key: "b" }),
    ...only(standing === "plays", { ...of, action: "team.hide", key: "h" }),
    ...only(standing === "hidden", { ...of, action: "team.show", key: "h" }),
    { ...of, action: "team.rename", key: "n", initial: { name: teamName } },
    { ...of, action: "team.country", initial: { country } },
    ...only(!isUnconfirmed, { ...of, action: "team.award", key: "+" }),
    ...only(!isUnconfirmed, { ...of, action: "solve.count" }),
    { ...of, action: "team.address", initial: { email: email ?? "" } },
    ...only(!isUnconfirmed, { ...of, action: "team.reset", key: "m" }),
    { ...of, action: "team.code" },
    { ...of, action: "team.end_sessions" },
    ...only(!isUnconfirmed, { ...of, action: "team.message", key: "w" }),
    { ...of, action: "team.note" },
  ];
}
