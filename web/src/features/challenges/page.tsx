/**
 * The challenges of the logged-in team: cards, with the filter and a board snapshot at the side.
 */
import { useEffect, useMemo, useRef, useState } from "react";
import { challengeAddress, loginAddress, readChallengeView } from "../../addresses";
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
import { AskLink } from "./card-questions";
import { CategoryFilter } from "./category-filter";
import styles from "./challenges.module.css";
import { useRefetchWhenOutdated } from "./refetch";
import { Snapshot } from "./snapshot";

/** Removes a member that is in the list, adds one that is not. */
function toggled(members: readonly string[], member: string): string[] {
  return members.includes(member) ? members.filter((one) => one !== member) : [...members, member];
}

/** Open challenges and hidden categories, kept in the address. */
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

/** Scrolls to the card of the challenge that the link opened. */
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
  const messages = useMessages();
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
  const [accepted, setAccepted] = useState<string | null>(null);
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
      {/* The form that had a status of its own is gone, and the focus may be anywhere. */}
      <p role="status" className="visually-hidden">
        {accepted !== null && messages.challenges.solvedNow(accepted)}
      </p>
      <section
        aria-label={messages.challenges.list}
        tabIndex={-1}
        data-content
        className={styles.cards}
      >
        {shown.map((challenge) => (
          <Card
            key={challenge.id}
            challenge={challenge}
            names={names}
            board={board}
            expanded={view.open.includes(challenge.id)}
            onToggle={() => view.toggleOpen(challenge.id)}
            onAccepted={() => setAccepted(challenge.challengeName)}
          />
        ))}
        {shown.length === 0 && (
          <p className={styles.empty}>
            {challenges.length > 0
              ? messages.challenges.everyHidden
              : status === "not_started"
                ? messages.challenges.atTheStart
                : messages.challenges.none}
          </p>
        )}
      </section>
    </div>
  );
}

export default function ChallengePage() {
  const messages = useMessages();
  const { team, known } = useSession();
  const status = useStatus();
  const { online, paused, updatedAtMs } = useLive();
  const { data, error, refetch } = useChallenges(team !== null);
  const { notify } = useNotify();
  const { path, search } = useAddress();
  useEffect(() => {
    if (error) notify("error", failureOf(error));
  }, [error, notify]);
  if (known && team === null) return <Redirect to={loginAddress(path + search)} />;
  return (
    <>
      <StatusBanner text={messages.statusBanner[status]} />
      <header className={styles.header}>
        <h1>{messages.challenges.title}</h1>
        <AskLink />
        <LiveNote online={online} paused={paused} updatedAtMs={updatedAtMs} />
      </header>
      {data && team !== null && <ChallengeList key={team} challenges={data} team={team} />}
      {!data && !error && <Loading label={messages.loading.challenges} />}
      {!data && error && (
        <button type="button" onClick={() => void refetch()}>
          {messages.problem.retry}
        </button>
      )}
    </>
  );
}
