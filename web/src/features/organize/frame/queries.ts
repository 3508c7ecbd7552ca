/** Queries of the organizer pages: one hook per list, kept current while mounted. */
import { useMemo } from "react";
import { ACTIONS, type ActionName } from "../../../api/actions";
import { withHead } from "../../../api/organize-flags";
import {
  getActions,
  getChallenges,
  getDivisions,
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
import { getAnswers, getSettings, getSignupCodes } from "../../../api/organize-settings";
import { getSource } from "../../../api/organize-sources";
import { useMe } from "../queries";
import { useGate } from "../second-factor-gate";
import { useScoreboardView } from "./view";

export function useMay(): (action: string) => boolean {
  const { actions } = useMe();
  return (action) => actions.includes(action);
}

/**
 * Returns a permission check for actions on a challenge, or on all challenges. Authors can act only
 * on their own.
 */
export function useMayWith(challenge?: string): (action: ActionName) => boolean {
  const { roles, challenges } = useMe();
  const isOwn = challenge !== undefined && challenges.includes(challenge);
  return (action) =>
    ACTIONS[action].roles.some((role) => roles.includes(role) && (isOwn || role !== "author"));
}

type Live = Parameters<typeof useLive>;

/** Reads data in one request, after two-factor authentication if required. */
function useGuardedQuery<T>(key: Live[0], read: () => Promise<T>, options?: Live[2]) {
  const run = useGate();
  return useLive(key, () => run(read), options);
}

export function useOverview() {
  const view = useScoreboardView();
  return useGuardedQuery(["overview", view], () => getOverview({ view }), { quietMs: FIGURES_MS });
}

function useChallengesOf(view: string | undefined) {
  return useGuardedQuery(["challenges", view], () => getChallenges({ view }));
}

export function useChallenges() {
  return useChallengesOf(useScoreboardView());
}

/** All challenges in any view. The public view lacks the hidden ones. */
export function useAllChallenges() {
  return useChallengesOf(undefined);
}

export function useTeams(filter: Query) {
  const run = useGate();
  const query = { ...filter, view: useScoreboardView() };
  return useLivePages(
    ["teams", query],
    (after, signal) => run(() => getTeams({ ...query, after }, signal)),
    (page) => page.next,
  );
}

function useDivisionsOf(view: string | undefined) {
  return useGuardedQuery(["teams", "divisions", view], () => getDivisions({ view }));
}

export function useDivisions() {
  return useDivisionsOf(useScoreboardView());
}

/** All divisions in any view. The public view lacks the private ones. */
export function useAllDivisions() {
  return useDivisionsOf(undefined);
}

/** Signup codes; refetched with the settings. */
export function useSignupCodes() {
  return useGuardedQuery(["settings", "codes"], getSignupCodes);
}

export function useStory(team: string) {
  const run = useGate();
  const view = useScoreboardView();
  return useLivePages(
    ["story", team, view],
    (before, signal) => run(() => getStory(team, { view, before }, signal)),
    (page) => page.next,
  );
}

/** Evidence, if the role may see it. */
export function useEvidence() {
  const view = useScoreboardView();
  const isOn = useMay()("evidence.list");
  return useGuardedQuery(["evidence", view], () => getEvidence({ view }), { isOn });
}

/** Source of a challenge; undefined for an empty ID. */
export function useSource(id: string) {
  return useGuardedQuery(["source", id], () => getSource(id), { isOn: id !== "" });
}

/** Challenge names by ID; the same object until a name changes. */
export function useChallengeNames(): Readonly<Record<string, string>> {
  const { data } = useChallenges();
  const names = JSON.stringify((data ?? []).map(({ id, challengeName }) => [id, challengeName]));
  return useMemo(() => Object.fromEntries(JSON.parse(names)), [names]);
}

const endsAt = ({ flags }: SentFlags) => flags.at(-1)?.at ?? 0;
const reaches = (last: SentFlags, shown: SentFlags) => endsAt(last) <= endsAt(shown);

/** Submissions matching a filter; `isDown` keeps the loaded rows while scrolled down. */
export function useFlags(filter: Query, isDown = false) {
  const run = useGate();
  const query = { ...filter, view: useScoreboardView() };
  return useLivePages(
    ["flags", query],
    (before, signal) => run(() => getFlags({ ...query, before }, signal)),
    (page) => page.next,
    // Rows leave a period that ends now, so the whole list is read again.
    { reaches: isDown ? reaches : undefined, ...(filter.since ? {} : { withHead }) },
  );
}

/** The newest actions that the organizer's roles can see. */
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
  return useGuardedQuery(["questions"], getQuestions, { isOn: useMay()("question.list") });
}

export function useNotices() {
  return useGuardedQuery(["notices"], getNotices, { isOn: useMay()("notice.list") });
}

export function useSettings() {
  return useGuardedQuery(["settings"], getSettings, { isOn: useMay()("settings.read") });
}

export function useAnswers() {
  return useGuardedQuery(["answers"], getAnswers, { isOn: useMay()("question.list") });
}
