/** What the pages read: each list by one hook, kept current while it is looked at. */
import { useMemo } from "react";
import { ACTIONS, type ActionName } from "../../../api/actions";
import { withHead } from "../../../api/organize-flags";
import {
  getActions,
  getChallenges,
  getEvidence,
  getFlags,
  getNotices,
  getOverview,
  getQuestions,
  getStory,
  getTeams,
  type Query,
  type SentFlags,
} from "../../../api/organize-lists";
import { FIGURES_MS, useLive, useLivePages } from "../../../api/organize-live";
import { getAnswers, getSettings } from "../../../api/organize-settings";
import { useGate } from "../gate";
import { useMe } from "../queries";
import { useWhose } from "./view";

/** Whether the own roles may do an action. */
export function useMay(): (action: string) => boolean {
  const actions = useMe().data?.actions ?? [];
  return (action) => actions.includes(action);
}

/**
 * Whether the own roles may do an action with a challenge, or with every one. Authors have the own
 * ones alone.
 */
export function useMayWith(challenge?: string): (action: ActionName) => boolean {
  const { roles = [], challenges = [] } = useMe().data ?? {};
  const isOwn = challenge !== undefined && challenges.includes(challenge);
  return (action) =>
    ACTIONS[action].roles.some((role) => roles.includes(role) && (isOwn || role !== "author"));
}

export function useOverview() {
  const run = useGate();
  const view = useWhose();
  const options = { quietMs: FIGURES_MS };
  return useLive(["overview", view], () => run(() => getOverview({ view })), options);
}

function useChallengesOf(view: string | undefined) {
  const run = useGate();
  return useLive(["challenges", view], () => run(() => getChallenges({ view })));
}

export function useChallenges() {
  return useChallengesOf(useWhose());
}

/** All challenges, whosever view is shown: players' has none that are hidden. */
export function useEveryChallenge() {
  return useChallengesOf(undefined);
}

export function useTeams(filter: Query) {
  const run = useGate();
  const query = { ...filter, view: useWhose() };
  return useLivePages(
    ["teams", query],
    (after, signal) => run(() => getTeams({ ...query, after }, signal)),
    (page) => page.next,
  );
}

/** A team, and what happened to it. */
export function useStory(team: string) {
  const run = useGate();
  const view = useWhose();
  return useLivePages(
    ["story", team, view],
    (before, signal) => run(() => getStory(team, { view, before }, signal)),
    (page) => page.next,
  );
}

/** What pairs of teams have in common. */
export function useEvidence() {
  const run = useGate();
  const view = useWhose();
  return useLive(["evidence", view], () => run(() => getEvidence({ view })));
}

/** The names of the challenges by id: the same object until one of them changes. */
export function useChallengeNames(): Readonly<Record<string, string>> {
  const { data } = useChallenges();
  const names = JSON.stringify((data ?? []).map(({ id, challengeName }) => [id, challengeName]));
  return useMemo(() => Object.fromEntries(JSON.parse(names)), [names]);
}

const endsAt = ({ flags }: SentFlags) => flags.at(-1)?.at ?? 0;
const reaches = (last: SentFlags, shown: SentFlags) => endsAt(last) <= endsAt(shown);

/** The flags of a filter; `isDown` keeps those that are there for who reads further down. */
export function useFlags(filter: Query, isDown = false) {
  const run = useGate();
  const query = { ...filter, view: useWhose() };
  return useLivePages(
    ["flags", query],
    (before, signal) => run(() => getFlags({ ...query, before }, signal)),
    (page) => page.next,
    { reaches: isDown ? reaches : undefined, withHead },
  );
}

/** The newest actions of what the own roles may do. */
export function useActions() {
  const run = useGate();
  const isOn = useMay()("action.list");
  return useLivePages(
    ["actions"],
    (before, signal) => run(() => getActions(before, signal)),
    (page) => (page.length >= 50 ? page.at(-1)?.id.toString() : undefined),
    { isOn },
  );
}

export function useQuestions() {
  const run = useGate();
  const isOn = useMay()("question.list");
  return useLive(["questions"], () => run(getQuestions), { isOn });
}

export function useNotices() {
  const run = useGate();
  const isOn = useMay()("notice.list");
  return useLive(["notices"], () => run(getNotices), { isOn });
}

/** How the event is set. */
export function useSettings() {
  const run = useGate();
  const isOn = useMay()("settings.read");
  return useLive(["settings"], () => run(getSettings), { isOn });
}

/** The answers that are ready. */
export function useAnswers() {
  const run = useGate();
  const isOn = useMay()("question.list");
  return useLive(["answers"], () => run(getAnswers), { isOn });
}
