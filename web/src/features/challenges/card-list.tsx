/** The list of challenge cards in sections. On the workbench, an open one is beside the list. */
import { type MouseEvent, type RefObject, useEffect, useState } from "react";
import type { ChallengeView } from "../../addresses";
import type { Challenge } from "../../api/calls";
import { useStatus } from "../../api/clock";
import type { Board } from "../../domain/board";
import type { Derived } from "../../domain/challenges";
import { type Section, sectionsOf } from "../../domain/find-challenges";
import { useMessages } from "../../messages/language";
import { Card } from "./card";
import { CategorySection } from "./category-section";
import styles from "./challenges.module.css";
import { Moment } from "./moment";
import { Neighbors } from "./neighbors";
import { focusFlag, type useViewState } from "./view-state";
import type { Layout } from "./workbench";

/** Moves the focus from the page to the open challenge or the list, after another page. */
function useFocusOnArrival(list: RefObject<HTMLElement | null>, shown: string | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first challenge counts.
  useEffect(() => {
    if (document.activeElement?.tagName !== "MAIN") return;
    if (shown === undefined || !focusFlag(shown)) list.current?.focus({ preventScroll: true });
  }, [list]);
}

/** The reason for an empty list: filters, if there are challenges but none is shown. */
function Empty({ isFiltered, wish }: { isFiltered: boolean; wish: ChallengeView }) {
  const { challenges: words, find } = useMessages();
  const status = useStatus();
  const isSearched = wish.q || wish.show || wish.difficulty || wish.tag;
  const filtered = isSearched ? find.none : words.everyHidden;
  const empty = status === "not_started" ? words.atTheStart : words.none;
  return <p className={styles.empty}>{isFiltered ? filtered : empty}</p>;
}

/** The accepted flag's challenge, whose moment is shown until it is closed. */
export function useAccepted() {
  const [accepted, setAccepted] = useState<Challenge | null>(null);
  return { accepted, setAccepted };
}

/** The sections of a view, with the challenge whose solve is being celebrated. */
export function sectionsFor(
  visible: readonly Derived<Challenge>[],
  view: ChallengeView,
  accepted: Challenge | null,
): Section<Derived<Challenge>>[] {
  const { q = "", show = "all", order = "place", difficulty, tag } = view;
  return sectionsOf(visible, { q, show, order, difficulty, tag, keep: accepted?.id });
}

interface CardListProps {
  /** All challenges, and those of categories that are not hidden, in sections. */
  challenges: readonly Derived<Challenge>[];
  sections: readonly Section<Derived<Challenge>>[];
  /** The open challenges that are shown, although the search may not find them. */
  shown: readonly Derived<Challenge>[];
  names: ReadonlyMap<string, string>;
  board: Board | null;
  team: string;
  layout: Layout;
  state: ReturnType<typeof useViewState>;
  moment: ReturnType<typeof useAccepted>;
  list: RefObject<HTMLElement | null>;
}

export function CardList(props: CardListProps) {
  const { challenges, sections, shown, names, board, team, layout, state, list } = props;
  const { challenges: words } = useMessages();
  const { accepted, setAccepted } = props.moment;
  const shownIds = shown.map(({ id }) => id);
  useFocusOnArrival(list, shownIds.at(-1));
  const isListed = ({ id }: Challenge) =>
    sections.some((section) => section.challenges.some((one) => one.id === id));
  // The workbench keeps the task in view during a search.
  const unlisted = layout === "column" ? [] : shown.filter((one) => !isListed(one));
  function toggle(challenge: Challenge, event?: MouseEvent) {
    // Show the moment of a solve only once.
    if (challenge.id === accepted?.id) setAccepted(null);
    state.toggleOpen(challenge.id, shownIds, event);
    if (!isListed(challenge)) list.current?.focus({ preventScroll: true });
  }
  const cardOf = (challenge: Derived<Challenge>, category: string | null) => (
    <Card
      key={challenge.id}
      challenge={challenge}
      names={names}
      board={board}
      layout={layout}
      category={category}
      expanded={shownIds.includes(challenge.id)}
      onToggle={(event) => toggle(challenge, event)}
      onAccepted={() => setAccepted(challenge)}
      neighbors={
        <Neighbors
          challenge={challenge}
          challenges={challenges}
          board={board}
          addressOf={(other) => state.addressInstead(challenge.id, other)}
        />
      }
      moment={
        challenge.id === accepted?.id && (
          <Moment
            challenge={challenge}
            challenges={challenges}
            board={board}
            team={team}
            addressOf={(other) => state.addressInstead(challenge.id, other)}
          />
        )
      }
    />
  );
  return (
    <section ref={list} aria-label={words.list} tabIndex={-1} data-content className={styles.list}>
      {/* The form with its own status is gone, and the focus may be anywhere. */}
      <p role="status" className="visually-hidden">
        {accepted !== null && words.solvedNow(accepted.challengeName)}
      </p>
      {sections.map((section) => (
        <CategorySection key={section.category ?? ""} section={section}>
          {section.challenges.map((one) => cardOf(one, section.category))}
        </CategorySection>
      ))}
      {sections.length === 0 && <Empty isFiltered={challenges.length > 0} wish={state.view} />}
      {unlisted.map((one) => cardOf(one, null))}
    </section>
  );
}
