/** What can be done with a team in its present standing. */
import type { Team } from "../../../api/organize-lists";
import type { Action } from "../change/action-buttons";

/** What makes a hidden team for organizers to play with. */
export function testTeam(object: string): Action {
  return { kind: "action", action: "team.test", fixed: {}, object };
}

/** The actions of a team, those of every day first; only legal next states are offered. */
export function actionsOf(team: Team): readonly Action[] {
  const { standing } = team;
  const action = (action: string, more: Partial<Action> = {}): Action => ({
    kind: "action",
    action,
    fixed: { team: team.teamName },
    object: team.teamName,
    ...more,
  });
  const isUnconfirmed = standing === "unconfirmed";
  return [
    ...(isUnconfirmed
      ? [action("team.confirm", { key: "c" }), action("team.resend", { key: "m" })]
      : []),
    ...(standing === "banned" ? [action("team.unban", { key: "b" })] : []),
    ...(isUnconfirmed || standing === "banned" ? [] : [action("team.ban", { key: "b" })]),
    ...(standing === "plays" ? [action("team.hide", { key: "h" })] : []),
    ...(standing === "hidden" ? [action("team.show", { key: "h" })] : []),
    action("team.rename", { key: "n", initial: { name: team.teamName } }),
    action("team.country", { initial: { country: team.country } }),
    ...(isUnconfirmed ? [] : [action("team.award", { key: "+" }), action("solve.count")]),
    action("team.address", { initial: { email: team.email ?? "" } }),
    ...(isUnconfirmed ? [] : [action("team.reset", { key: "m" })]),
    action("team.code"),
    action("team.end_sessions"),
    ...(isUnconfirmed ? [] : [action("team.message", { key: "w" })]),
    action("team.note"),
  ];
}
