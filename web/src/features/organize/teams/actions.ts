/** Actions available for a team in its current status. */
import type { Team } from "../../../api/organize-lists";
import { type Action, only } from "../change/action-buttons";
import type { BulkAction } from "../lists/selection-bar";

export function testTeam(object: string): Action {
  return { action: "team.test", fixed: {}, object };
}

/** Actions of a team, common ones first. Only valid next states are offered. */
export function actionsOf(team: Team): readonly Action[] {
  const { teamName, country, email, standing, divisions } = team;
  const of = { fixed: { team: teamName }, object: teamName } as const;
  const isUnconfirmed = standing === "unconfirmed";
  const isWaiting = standing === "waiting";
  const isTeam = !isUnconfirmed && !isWaiting;
  return [
    ...only(isUnconfirmed, { ...of, action: "team.confirm", key: "c" }),
    ...only(isUnconfirmed, { ...of, action: "team.resend", key: "m" }),
    ...only(isWaiting, { ...of, action: "team.admit", key: "c" }),
    ...only(standing === "banned", { ...of, action: "team.unban", key: "b" }),
    ...only(isTeam && standing !== "banned", { ...of, action: "team.ban", key: "b" }),
    ...only(standing === "plays", { ...of, action: "team.hide", key: "h" }),
    ...only(standing === "hidden", { ...of, action: "team.show", key: "h" }),
    { ...of, action: "team.rename", key: "n", initial: { name: teamName } },
    { ...of, action: "team.country", initial: { country } },
    ...only(divisions != null, {
      ...of,
      action: "team.divisions",
      initial: { divisions: divisions?.join(" ") ?? "" },
    }),
    ...only(isTeam, { ...of, action: "team.award", key: "+" }),
    ...only(isTeam, { ...of, action: "solve.count" }),
    { ...of, action: "team.address", initial: { email: email ?? "" } },
    ...only(!isUnconfirmed, { ...of, action: "team.reset", key: "m" }),
    ...only(!isWaiting, { ...of, action: "team.code" }),
    { ...of, action: "team.end_sessions" },
    ...only(isTeam, { ...of, action: "team.message", key: "w" }),
    { ...of, action: "team.note" },
  ];
}

/** Actions that a panel shows as buttons, if they are offered. */
const FIRST = [
  "team.confirm",
  "team.admit",
  "team.resend",
  "team.unban",
  "team.message",
  "team.code",
  "team.ban",
];

const placeOf = ({ action }: Action) => {
  const place = FIRST.indexOf(action);
  return place === -1 ? FIRST.length : place;
};

/** Actions of a panel: those that are needed most come first. */
export function panelActions(team: Team): readonly Action[] {
  return actionsOf(team).toSorted((one, other) => placeOf(one) - placeOf(other));
}

interface BulkWords {
  hide: (count: number) => string;
  show: (count: number) => string;
  message: (count: number) => string;
  resend: (count: number) => string;
  objects: (count: number) => string;
}

const KINDS = [
  { action: "team.message", word: "message", shortcut: "w", isDanger: false },
  { action: "team.resend", word: "resend", shortcut: "M", isDanger: false },
  { action: "team.show", word: "show", shortcut: "U", isDanger: false },
  { action: "team.hide", word: "hide", shortcut: "H", isDanger: true },
] as const;

/** True if a team can take an action; teams whose row is not loaded are assumed to play. */
function takes(team: Team | undefined, action: (typeof KINDS)[number]["action"]): boolean {
  const standing = team?.standing ?? "plays";
  if (action === "team.message") return standing !== "unconfirmed" && standing !== "waiting";
  if (action === "team.resend") return standing === "unconfirmed";
  return standing === (action === "team.show" ? "hidden" : "plays");
}

/** Actions on several teams, each for the selected ones that can take it. */
export function bulkActions(
  chosen: readonly string[],
  known: ReadonlyMap<string, Team>,
  words: BulkWords,
  onDone: () => void,
): readonly BulkAction[] {
  return KINDS.flatMap(({ action, word, shortcut, isDanger }) => {
    const teams = chosen.filter((name) => takes(known.get(name), action));
    const { length } = teams;
    if (length === 0) return [];
    const order = { action, fixed: { teams }, object: words.objects(length), onDone };
    return [{ text: words[word](length), shortcut, isDanger, order }];
  });
}
