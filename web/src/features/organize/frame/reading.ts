/** What the pages read: each list by one hook, kept current while it is looked at. */

import {
  getActs,
  getChallenges,
  getFlags,
  getNotices,
  getOverview,
  getQuestions,
  getTeams,
  type Query,
} from "../../../api/organize-lists";
import { useLive, useLivePages } from "../../../api/organize-live";
import { useGate } from "../gate";
import { useMe } from "../queries";
import { useWhose } from "./view";

/** Whether the own roles may do an act. */
export function useMay(): (act: string) => boolean {
  const acts = useMe().data?.acts ?? [];
  return (act) => acts.includes(act);
}

export function useOverview() {
  const run = useGate();
  const view = useWhose();
  return useLive(["overview", view], () => run(() => getOverview({ view })));
}

export function useChallenges() {
  const run = useGate();
  const view = useWhose();
  return useLive(["challenges", view], () => run(() => getChallenges({ view })));
}

export function useTeams(filter: Query) {
  const run = useGate();
  const query = { ...filter, view: useWhose() };
  return useLivePages(
    ["teams", query],
    (after) => run(() => getTeams({ ...query, after })),
    (page) => page.next,
  );
}

/** The team of exactly this name, undefined while it is not known, null if there is none. */
export function useTeam(name: string) {
  const run = useGate();
  const view = useWhose();
  const read = async () => {
    let after: string | null | undefined;
    do {
      const page = await run(() => getTeams({ q: name, view, after: after ?? undefined }));
      const team = page.teams.find(({ teamName }) => teamName === name);
      if (team) return team;
      after = page.next;
    } while (after);
    return null;
  };
  return useLive(["team", name, view], read);
}

export function useFlags(filter: Query) {
  const run = useGate();
  const query = { ...filter, view: useWhose() };
  return useLivePages(
    ["flags", query],
    (before) => run(() => getFlags({ ...query, before })),
    (page) => page.next,
  );
}

/** The newest acts of what the own roles may do. */
export function useActs() {
  const run = useGate();
  return useLivePages(
    ["acts"],
    (before) => run(() => getActs(before)),
    (page) => (page.length === 50 ? page.at(-1)?.id.toString() : undefined),
  );
}

export function useQuestions() {
  const run = useGate();
  const isOn = useMay()("question.list");
  return useLive(["questions"], () => run(getQuestions), isOn);
}

export function useNotices() {
  const run = useGate();
  const isOn = useMay()("notice.list");
  return useLive(["notices"], () => run(getNotices), isOn);
}
