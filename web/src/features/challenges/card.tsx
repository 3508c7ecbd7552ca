/** A challenge: a click opens it and shows its text, its files and, if unsolved, the flag form. */
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import type { Challenge } from "../../api/calls";
import { useStatus } from "../../api/clock";
import type { Board } from "../../domain/board";
import type { Derived } from "../../domain/challenges";
import { withoutConnection } from "../../domain/description";
import { pointsOf } from "../../domain/points";
import { useMessages } from "../../messages/language";
import { CategoryDot } from "../../ui/category-dot/category-dot";
import { Html } from "../../ui/html/html";
import { ChevronIcon, LockIcon, SolvedIcon } from "../../ui/icons/icons";
import { StatusBadge } from "../../ui/status-badge/status-badge";
import { timeText } from "../../ui/times/times";
import { useZone } from "../../ui/zone/zone";
import { Attachments, Connection } from "./attachments";
import styles from "./card.module.css";
import { CardNews, Hints } from "./card-news";
import { CardQuestions } from "./card-questions";
import { Extras } from "./extras";
import { FlagForm } from "./flag-form";

interface CardProps {
  challenge: Derived<Challenge>;
  /** Names by id, for the requirements. */
  names: ReadonlyMap<string, string>;
  board: Board | null;
  expanded: boolean;
  onToggle: () => void;
  /** The server has accepted a flag of this page. */
  onAccepted: () => void;
  /** The moment of its solve, while it is fresh. */
  moment: ReactNode;
}

function Requirements({ challenge, names }: Pick<CardProps, "challenge" | "names">) {
  const { challenges } = useMessages();
  const wanted = challenge.requirements.map((id) => names.get(id) ?? id).join(", ");
  return <p className={styles.locked}>{challenges.solveFirst(wanted)}</p>;
}

/** In the form's place, and as high: what is below it stays where it is. */
function SolvedAt({ ts }: { ts: number | null }) {
  const { challenges, locale } = useMessages();
  const zone = useZone();
  return (
    <p className={styles.solvedAt}>
      {ts !== null && challenges.solvedAt(timeText(ts, locale, zone))}
    </p>
  );
}

/** The form; after the end that flags are not accepted any more. */
function Flag(props: Pick<CardProps, "challenge"> & { onSolved: () => void }) {
  const { challenges } = useMessages();
  const isOver = useStatus() === "ended";
  if (isOver) return <p className={styles.solvedAt}>{challenges.eventOver}</p>;
  return <FlagForm {...props} />;
}

type TaskProps = Pick<CardProps, "challenge" | "names" | "moment"> & { onSolved: () => void };

/** The text, and beside it where there is room what is done with it. */
function Task({ challenge, names, moment, onSolved }: TaskProps) {
  if (challenge.locked) return <Requirements challenge={challenge} names={names} />;
  const { connection, description } = challenge;
  return (
    <>
      <Html html={withoutConnection(description, connection)} className={styles.description} />
      <div className={styles.tools}>
        <Hints hints={challenge.hints} />
        {connection && <Connection connection={connection} />}
        <Attachments attachments={challenge.attachments} />
        {challenge.solved ? (
          <>
            <SolvedAt ts={challenge.solved_ts} />
            {moment}
          </>
        ) : (
          <Flag challenge={challenge} onSolved={onSolved} />
        )}
      </div>
    </>
  );
}

type State = "locked" | "solved";

function stateOf(challenge: Derived<Challenge>): State | null {
  if (challenge.locked) return "locked";
  return challenge.solved ? "solved" : null;
}

/** Esc does not close the card while an input has text: the flag would be lost. */
function isFilled(target: EventTarget): boolean {
  const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  return isField && target.value !== "";
}

/**
 * Until the live channel reports the solve, the response marks the challenge as solved. The form is
 * removed, so the focus moves to the card's name, which now says "Solved".
 */
function useAccepted(
  header: RefObject<HTMLElement | null>,
  onAccepted: () => void,
): [boolean, () => void] {
  const [accepted, setAccepted] = useState(false);
  useEffect(() => {
    if (accepted && document.activeElement === document.body) header.current?.focus();
  }, [accepted, header]);
  function accept() {
    setAccepted(true);
    onAccepted();
  }
  return [accepted, accept];
}

/** What it is worth, how often it was solved, and its categories. */
function Facts({ challenge }: Pick<CardProps, "challenge">) {
  const { challenges: words } = useMessages();
  const points = pointsOf(challenge, challenge.solved_pos ?? undefined);
  return (
    <span className={styles.facts}>
      <span className={styles.points}>{words.points(points)}</span>
      <span>{words.solves(challenge.nsolves)}</span>
      <span className={styles.tags}>
        {challenge.categories.map((category) => (
          <span key={category} className={styles.tag}>
            <CategoryDot category={category} />
            {category}
          </span>
        ))}
      </span>
    </span>
  );
}

export function Card(props: CardProps) {
  const { challenge: listed, names, board, expanded, onToggle, onAccepted, moment } = props;
  const id = useId();
  const header = useRef<HTMLButtonElement>(null);
  const { challenges: words } = useMessages();
  const [accepted, accept] = useAccepted(header, onAccepted);
  const challenge = { ...listed, solved: listed.solved || accepted };
  const state = stateOf(challenge);
  function closeOnEscape(event: KeyboardEvent) {
    if (event.key !== "Escape" || !expanded || isFilled(event.target)) return;
    onToggle();
    header.current?.focus();
  }
  return (
    <article
      id={`challenge-${challenge.id}`}
      onKeyDown={closeOnEscape}
      className={styles.card}
      data-state={state ?? undefined}
      data-expanded={expanded}
      aria-labelledby={`${id}-name`}
    >
      <h3 className={styles.heading}>
        <button
          ref={header}
          type="button"
          aria-expanded={expanded}
          aria-controls={id}
          onClick={onToggle}
        >
          <span className={styles.top}>
            <span id={`${id}-name`} className={styles.name}>
              {challenge.challengeName}
            </span>
            {state && (
              <span className={styles.state}>
                {challenge.locked ? <LockIcon /> : <SolvedIcon />}
                <span className={styles.stateName}>{words[state]}</span>
              </span>
            )}
            <StatusBadge status={challenge.status} />
            <ChevronIcon className={styles.chevron} />
          </span>
          <Facts challenge={challenge} />
        </button>
      </h3>
      <div id={id} hidden={!expanded} className={styles.body} data-name={challenge.challengeName}>
        {expanded && (
          <>
            <CardNews challenge={challenge} />
            <Task challenge={challenge} names={names} moment={moment} onSolved={accept} />
            <CardQuestions challenge={challenge} />
            <Extras challenge={challenge} board={board} />
          </>
        )}
      </div>
    </article>
  );
}
