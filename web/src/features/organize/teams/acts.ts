/** What can be done with a team in its present standing. */
import type { Team } from "../../../api/organize-lists";
import type { Act } from "../change/act-buttons";

/** What makes a hidden team for organizers to play with. */
export function testTeam(object: string): Act {
  return { kind: "act", act: "team.test", fixed: {}, object };
}

/** The acts of a team, those of every day first; only legal next states are offered. */
export function actsOf(team: Team): readonly Act[] {
  const { standing } = team;
  const act = (act: string, more: Partial<Act> = {}): Act => ({
    kind: "act",
    act,
    fixed: { team: team.teamName },
    object: team.teamName,
    ...more,
  });
  const isUnconfirmed = standing === "unconfirmed";
  return [
    ...(isUnconfirmed ? [act("team.confirm", { key: "c" }), act("team.resend", { key: "m" })] : []),
    ...(standing === "banned" ? [act("team.unban", { key: "b" })] : []),
    ...(isUnconfirmed || standing === "banned" ? [] : [act("team.ban", { key: "b" })]),
    ...(standing === "plays" ? [act("team.hide", { key: "h" })] : []),
    ...(standing === "hidden" ? [act("team.show", { key: "h" })] : []),
    act("team.rename", { key: "n", initial: { name: team.teamName } }),
    act("team.country", { initial: { country: team.country } }),
    ...(isUnconfirmed ? [] : [act("team.award", { key: "+" }), act("solve.count")]),
    act("team.address", { initial: { email: team.email ?? "" } }),
    ...(isUnconfirmed ? [] : [act("team.reset", { key: "m" })]),
    act("team.code"),
    act("team.end_sessions"),
    ...(isUnconfirmed ? [] : [act("team.message", { key: "w" })]),
    act("team.note"),
  ];
}
