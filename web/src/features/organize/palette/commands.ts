/** Actions on a named team or challenge, typed as a sentence: "ban otters", "hide wave two". */
import type { ListedChallenge, Team } from "../../../api/organize-lists";
import { folded } from "../../../domain/find";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { go } from "../../../navigate";
import { actionsOf as actionsOfChallenge, statusOrder } from "../challenges/actions";
import { useOpenAction } from "../change/action-dialog";
import type { ActionOrder } from "../change/order";
import { useChallenges, useMay, useMayWith, useTeams } from "../frame/queries";
import { pageAddress, useScoreboardView } from "../frame/view";
import { actionsOf as actionsOfTeam } from "../teams/actions";
import type { Item } from "./items";

/** Maximum number of results. */
const COMMANDS_MAX = 10;
/** Letters of the first word; fewer match too many actions. */
const LETTERS_MIN = 2;
const STATUSES = ["broken", "fixed"] as const;

type Labels = Readonly<Record<string, string>>;

export interface Command {
  /** Names of the actions whose label has the first words of the query. */
  readonly actions: readonly string[];
  /** The other words: the name of a team or challenge. */
  readonly name: string;
}

/** True if the words begin different words of the label. */
function begin(words: readonly string[], label: string): boolean {
  const left = folded(label).split(/\s+/);
  return words.every((word) => {
    const at = left.findIndex((one) => one.startsWith(word));
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  });
}

/** Reads a query as an action and a name, with as many words as possible for the action. */
export function commandIn(query: string, labels: Labels): Command | null {
  const words = query.trim().split(/\s+/).filter(Boolean);
  if ((words[0]?.length ?? 0) < LETTERS_MIN) return null;
  for (let count = words.length - 1; count > 0; count -= 1) {
    const verb = words.slice(0, count).map(folded);
    const actions = Object.keys(labels).filter((action) => begin(verb, labels[action] ?? ""));
    if (actions.length > 0) return { actions, name: words.slice(count).join(" ") };
  }
  return null;
}

/** Labels of the actions. Those on neither a team nor a challenge lead to no item. */
function useLabels(): Labels {
  const { pages, lists } = useOrganizeMessages();
  return { ...pages.sheet.actions, broken: lists.markAs.broken, fixed: lists.markAs.fixed };
}

const matches = (name: string, ...texts: readonly string[]) =>
  texts.some((text) => folded(text).includes(folded(name)));

/** Returns the items of a command for a challenge. */
function useChallengeCommands() {
  const { pages, lists } = useOrganizeMessages();
  const ask = useOpenAction();
  const may = useMayWith();
  return (challenge: ListedChallenge, { actions }: Command, labels: Labels): readonly Item[] => {
    const { id, challengeName } = challenge;
    const itemOf = (name: string, order: ActionOrder): Item => ({
      key: `${name} ${id}`,
      text: `${labels[name]}: ${challengeName}`,
      page: "challenges",
      kind: pages.names.challenges,
      run: () => ask(order),
    });
    const statuses = STATUSES.filter((one) => one !== challenge.status).map((status) => {
      const object = lists.statusOf(challengeName, wordFor(pages.statuses, status));
      return [status, statusOrder(challenge, status, object)] as const;
    });
    const others = actionsOfChallenge(challenge).map(({ key: _, ...order }) => {
      return [order.action, order] as const;
    });
    return [...statuses, ...others]
      .filter(([name, { action }]) => actions.includes(name) && may(action))
      .map(([name, order]) => itemOf(name, order));
  };
}

/** Returns the items of a command for a team. */
function useTeamCommands() {
  const { names } = useOrganizeMessages().pages;
  const ask = useOpenAction();
  const whose = useScoreboardView();
  const may = useMay();
  return (team: Team, { actions }: Command, labels: Labels): readonly Item[] =>
    actionsOfTeam(team)
      .filter(({ action }) => actions.includes(action) && may(action))
      .map(({ key: _, ...order }) => ({
        key: `${order.action} ${team.teamName}`,
        text: `${labels[order.action]}: ${team.teamName}`,
        page: "teams",
        kind: names.teams,
        run: () => {
          // The panel shows the code.
          if (order.action === "team.code")
            go(pageAddress("/organize/teams", whose, { team: team.teamName }));
          ask(order);
        },
      }));
}

/** Items for a query that begins with an action; none for other queries. */
export function useCommands(query: string) {
  const labels = useLabels();
  const command = commandIn(query, labels);
  const ofChallenge = useChallengeCommands();
  const ofTeam = useTeamCommands();
  const challenges = useChallenges().data ?? [];
  const teams = useTeams({ q: command?.name ?? query });
  if (!command) return { items: [], isLooking: false };
  const { name } = command;
  const found = (teams.data?.pages[0]?.teams ?? []).filter(({ teamName }) => {
    // Until the server answers, these are the teams of the previous query.
    return teams.isCurrent || matches(name, teamName);
  });
  const items = [
    ...challenges
      .filter(({ id, challengeName }) => matches(name, id, challengeName))
      .flatMap((one) => ofChallenge(one, command, labels)),
    ...found.flatMap((one) => ofTeam(one, command, labels)),
  ];
  return {
    items: items.slice(0, COMMANDS_MAX),
    isLooking: !teams.isCurrent && !teams.error,
  };
}
