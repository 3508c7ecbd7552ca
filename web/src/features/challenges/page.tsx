/**
 * The challenges of the logged-in team: cards in sections, with the filters and a snapshot of the
 * board at the side. On a narrow screen these are a line each, so that the challenges come first.
 */
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { type ChallengeView, loginAddress } from "../../addresses";
import type { Challenge } from "../../api/calls";
import { useFreeze, useStatus } from "../../api/clock";
import { useChallenges, useLive } from "../../api/queries";
import { useSession } from "../../api/session";
import type { Board } from "../../domain/board";
import {
  type Derived,
  deriveChallenges,
  distinctCategories,
  ownRow,
  withoutHidden,
} from "../../domain/challenges";
import { sectionsOf } from "../../domain/find-challenges";
import { useMessages } from "../../messages/language";
import { Redirect, useAddress } from "../../navigate";
import { LiveNote } from "../../ui/live-note/live-note";
import { Loading } from "../../ui/loading/loading";
import { useNotify } from "../../ui/notification/notification";
import { StatusBanner } from "../../ui/status-banner/status-banner";
import { Card } from "./card";
import { CategoryFilter } from "./category-filter";
import { CategorySection } from "./category-section";
import styles from "./challenges.module.css";
import { Finder } from "./finder";
import { Moment } from "./moment";
import { useRefetchWhenOutdated } from "./refetch";
import { Snapshot } from "./snapshot";
import { useViewState } from "./view-state";

/** A player who comes from another page, whose focus is on the whole page, stands at the list. */
function useStandAt(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (document.activeElement?.tagName === "MAIN") list.current?.focus({ preventScroll: true });
  }, [list]);
}

/** Why the list is empty: it is filtered if there are challenges, and none is shown. */
function Empty({ isFiltered, wish }: { isFiltered: boolean; wish: ChallengeView }) {
  const { challenges: words, find } = useMessages();
  const status = useStatus();
  const filtered = wish.q || wish.show ? find.none : words.everyHidden;
  const empty = status === "not_started" ? words.atTheStart : words.none;
  return <p className={styles.empty}>{isFiltered ? filtered : empty}</p>;
}

/** The challenges with what the board says of them, and their names by id. */
function useDerived(challenges: Challenge[], board: Board | null, team: string) {
  const own = useMemo(() => ownRow(board, team), [board, team]);
  const derived = useMemo(() => deriveChallenges(challenges, board, own), [challenges, board, own]);
  const names = useMemo(
    () => new Map(challenges.map(({ id, challengeName }) => [id, challengeName])),
    [challenges],
  );
  useRefetchWhenOutdated(challenges, board, own);
  return { derived, names };
}

interface CardListProps {
  challenges: Challenge[];
  team: string;
  state: ReturnType<typeof useViewState>;
}

function CardList({ challenges, team, state }: CardListProps) {
  const { challenges: words } = useMessages();
  const { board } = useLive();
  const { view, toggleOpen, addressInstead } = state;
  const { derived, names } = useDerived(challenges, board, team);
  const [accepted, setAccepted] = useState<Challenge | null>(null);
  const list = useRef<HTMLElement>(null);
  useStandAt(list);
  const { q = "", show = "all", order = "place" } = view;
  const sections = sectionsOf(withoutHidden(derived, new Set(view.hide)), {
    q,
    show,
    order,
    keep: accepted?.id,
  });
  const isOpen = ({ id }: Challenge) => view.open.includes(id);
  function toggle({ id }: Challenge) {
    // The moment of a solve is shown once.
    if (id === accepted?.id) setAccepted(null);
    toggleOpen(id);
  }
  const momentOf = (challenge: Derived<Challenge>) => (
    <Moment
      challenge={challenge}
      challenges={derived}
      board={board}
      team={team}
      addressOf={(other) => addressInstead(challenge.id, other)}
    />
  );
  const cardOf = (challenge: Derived<Challenge>) => (
    <Card
      key={challenge.id}
      challenge={challenge}
      names={names}
      board={board}
      expanded={isOpen(challenge)}
      onToggle={() => toggle(challenge)}
      onAccepted={() => setAccepted(challenge)}
      moment={challenge.id === accepted?.id && momentOf(challenge)}
    />
  );
  return (
    <section
      ref={list}
      aria-label={words.list}
      tabIndex={-1}
      data-content
      data-beside={sections.some((section) => section.challenges.some(isOpen))}
      className={styles.list}
    >
      {/* The form that had a status of its own is gone, and the focus may be anywhere. */}
      <p role="status" className="visually-hidden">
        {accepted !== null && words.solvedNow(accepted.challengeName)}
      </p>
      {sections.map((section) => (
        <CategorySection key={section.category ?? ""} section={section}>
          {section.challenges.map(cardOf)}
        </CategorySection>
      ))}
      {sections.length === 0 && <Empty isFiltered={challenges.length > 0} wish={view} />}
    </section>
  );
}

function ChallengeList({ challenges, team }: { challenges: Challenge[]; team: string }) {
  const { board } = useLive();
  const state = useViewState();
  return (
    <div className={styles.page} data-wide>
      <div className={styles.layout}>
        <div className={styles.filters}>
          <Finder wish={state.view} onWish={state.change}>
            <CategoryFilter
              categories={distinctCategories(challenges)}
              hidden={new Set(state.view.hide)}
              onToggle={state.toggleHidden}
            />
          </Finder>
        </div>
        <CardList challenges={challenges} team={team} state={state} />
        <aside className={styles.side}>
          <Snapshot board={board} team={team} />
        </aside>
      </div>
    </div>
  );
}

export default function ChallengePage() {
  const messages = useMessages();
  const { team, known } = useSession();
  const status = useStatus();
  const freeze = useFreeze();
  const live = useLive();
  const { data, error, refetch } = useChallenges(team !== null);
  const { notify } = useNotify();
  const { path, search } = useAddress();
  useEffect(() => {
    if (error) notify("error", error);
  }, [error, notify]);
  if (known && team === null) return <Redirect to={loginAddress(path + search)} />;
  return (
    <>
      <StatusBanner text={messages.statusBanner[status]} freeze={freeze} />
      <header className={styles.header}>
        <h1>{messages.challenges.title}</h1>
        <a href="/news" className={styles.ask}>
          {messages.questions.title}
        </a>
        <LiveNote {...live} />
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
