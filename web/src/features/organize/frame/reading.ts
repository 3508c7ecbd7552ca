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
import { getSource } from "../../../api/organize-sources";
import { useGate } from "../gate";
import { useMe } from "../queries";
import { useWhose } from "./view";

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

type Live = Parameters<typeof useLive>;

/** What is read at once, if need be after the second factor was given. */
function useRead<T>(key: Live[0], read: () => Promise<T>, options?: Live[2]) {
  const run = useGate();
  return useLive(key, () => run(read), options);
}

export function useOverview() {
  const view = useWhose();
  return useRead(["overview", view], () => getOverview({ view }), { quietMs: FIGURES_MS });
}

function useChallengesOf(view: string | undefined) {
  return useRead(["challenges", view], () => getChallenges({ view }));
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

export function useStory(team: string) {
  const run = useGate();
  const view = useWhose();
  return useLivePages(
    ["story", team, view],
    (before, signal) => run(() => getStory(team, { view, before }, signal)),
    (page) => page.next,
  );
}

export function useEvidence() {
  const view = useWhose();
  return useRead(["evidence", view], () => getEvidence({ view }));
}

/** The file of a challenge; nothing for an empty id. */
export function useSource(id: string) {
  return useRead(["source", id], () => getSource(id), { isOn: id !== "" });
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
  return useRead(["questions"], getQuestions, { isOn: useMay()("question.list") });
}

export function useNotices() {
  return useRead(["notices"], getNotices, { isOn: useMay()("notice.list") });
}

export function useSettings() {
  return useRead(["settings"], getSettings, { isOn: useMay()("settings.read") });
}

export function useAnswers() {
  return useRead(["answers"], getAnswers, { isOn: useMay()("question.list") });
}
