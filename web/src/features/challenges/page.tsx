/**
 * The challenges of the logged-in team: filter and board snapshot at the side, cards in the
 * middle.
 */
import { useEffect, useMemo, useRef } from "react";
import { challengeAddress, readChallengeView } from "../../addresses";
import type { Challenge } from "../../api/calls";
import { failureOf } from "../../api/client";
import { useStatus } from "../../api/clock";
import { useChallenges, useLive } from "../../api/queries";
import { useSession } from "../../api/session";
import {
  deriveChallenges,
  distinctCategories,
  ownRow,
  withoutHidden,
} from "../../domain/challenges";
import { useMessages } from "../../messages/language";
import { go, Redirect, useAddress } from "../../navigate";
import { LiveNote } from "../../ui/live-note/live-note";
import { Loading } from "../../ui/loading/loading";
import { useNotify } from "../../ui/notification/notification";
import { StatusBanner } from "../../ui/status-banner/status-banner";
import { Card } from "./card";
import { CategoryFilter } from "./category-filter";
import styles from "./challenges.module.css";
import { useRefetchWhenOutdated } from "./refetch";
import { Snapshot } from "./snapshot";

/** A member taken out if it is there, added if it is not. */
function toggled(members: readonly string[], member: string): string[] {
  return members.includes(member) ? members.filter((one) => one !== member) : [...members, member];
}

/** What is open and what is hidden stands in the address. */
function useViewState() {
  const { search } = useAddress();
  const view = useMemo(() => readChallengeView(search), [search]);
  const { open, hide } = view;
  const change = (key: "open" | "hide", members: string[]) =>
    go(challengeAddress({ ...view, [key]: members }), { replace: true, keepScroll: true });
  return {
    open,
    hide,
    toggleOpen: (id: string) => change("open", toggled(open, id)),
    toggleHidden: (category: string) => change("hide", toggled(hide, category)),
  };
}

/** A link to a challenge leads to its card, also when others stand above it. */
function useArrival(open: readonly string[]): void {
  const arrived = useRef(false);
  useEffect(() => {
    if (arrived.current) return;
    arrived.current = true;
    const [first] = open;
    if (first !== undefined) document.getElementById(`challenge-${first}`)?.scrollIntoView();
  }, [open]);
}

function ChallengeList({ challenges, team }: { challenges: Challenge[]; team: string }) {
  const say = useMessages();
  const { board } = useLive();
  const status = useStatus();
  const view = useViewState();
  const own = useMemo(() => ownRow(board, team), [board, team]);
  const derived = useMemo(() => deriveChallenges(challenges, board, own), [challenges, board, own]);
  const names = useMemo(
    () => new Map(challenges.map(({ id, challengeName }) => [id, challengeName])),
    [challenges],
  );
  useArrival(view.open);
  useRefetchWhenOutdated(challenges, board, own);
  const hidden = new Set(view.hide);
  const shown = withoutHidden(derived, hidden);
  return (
    <div className={styles.layout}>
      <aside className={styles.side}>
        <CategoryFilter
          categories={distinctCategories(challenges)}
          hidden={hidden}
          onToggle={view.toggleHidden}
        />
        <Snapshot board={board} team={team} />
      </aside>
      <section aria-label={say.challenges.list} className={styles.cards}>
        {shown.map((challenge) => (
          <Card
            key={challenge.id}
            challenge={challenge}
            names={names}
            board={board}
            expanded={view.open.includes(challenge.id)}
            onToggle={() => view.toggleOpen(challenge.id)}
          />
        ))}
        {shown.length === 0 && (
          <p className={styles.empty}>
            {challenges.length > 0
              ? say.challenges.everyHidden
              : status === "not_started"
                ? say.challenges.atTheStart
                : say.challenges.none}
          </p>
        )}
      </section>
    </div>
  );
}

export default function ChallengePage() {
  const say = useMessages();
  const { team, known } = useSession();
  const status = useStatus();
  const { online, paused, heardAtMs } = useLive();
  const { data, error, refetch } = useChallenges(team !== null);
  const { notify } = useNotify();
  useEffect(() => {
    if (error) notify("error", failureOf(error));
  }, [error, notify]);
  if (known && team === null) return <Redirect to="/login" />;
  return (
    <>
      <StatusBanner text={say.statusBanner[status]} />
      <header className={styles.header}>
        <h1>{say.challenges.title}</h1>
        <LiveNote online={online} paused={paused} heardAtMs={heardAtMs} />
      </header>
      {data && team !== null && <ChallengeList challenges={data} team={team} />}
      {!data && !error && <Loading label={say.loading.challenges} />}
      {!data && error && (
        <button type="button" onClick={() => void refetch()}>
          {say.problem.retry}
        </button>
      )}
    </>
  );
}
