/** A challenge card: a heading that opens and closes it, and its task while it is open. */
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import type { Challenge } from "../../api/calls";
import type { Board } from "../../domain/board";
import type { Derived } from "../../domain/challenges";
import { useMessages } from "../../messages/language";
import { ChevronIcon, LockIcon, SealedIcon, SolvedIcon } from "../../ui/icons/icons";
import { StatusBadge } from "../../ui/status-badge/status-badge";
import styles from "./card.module.css";
import { Points, Solves, Tags } from "./facts";
import { Task } from "./task";
import type { Layout } from "./workbench";

interface CardProps {
  challenge: Derived<Challenge>;
  /** Challenge names by ID, for the requirements. */
  names: ReadonlyMap<string, string>;
  board: Board | null;
  layout: Layout;
  /** Category of the section, whose heading replaces the card's own tag. */
  category: string | null;
  expanded: boolean;
  onToggle: (event?: MouseEvent) => void;
  /** Called when the server has accepted a flag that counts. */
  onAccepted: () => void;
  /** Shown right after the solve. */
  moment: ReactNode;
  /** Shown below the task in a large window. */
  neighbors: ReactNode;
}

type State = "locked" | "solved" | "practiced";

function stateOf(challenge: Derived<Challenge>): State | null {
  if (challenge.locked) return "locked";
  if (challenge.isPractice) return "practiced";
  return challenge.solved ? "solved" : null;
}

/** True if the event target is a field with text, which would be lost if Esc closed the card. */
function isFilled(target: EventTarget): boolean {
  const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  return isField && target.value !== "";
}

/**
 * Marks the challenge as solved from the response until the live channel reports the solve. The
 * form is removed, so the focus moves to the card's name, which now says "Solved".
 */
function useAccepted(
  header: RefObject<HTMLElement | null>,
  onAccepted: () => void,
): [boolean, (isPractice?: boolean) => void] {
  const [accepted, setAccepted] = useState(false);
  useEffect(() => {
    if (accepted && document.activeElement === document.body) header.current?.focus();
  }, [accepted, header]);
  function accept(isPractice = false) {
    setAccepted(true);
    if (!isPractice) onAccepted();
  }
  return [accepted, accept];
}

function StateIcon({ challenge }: Pick<CardProps, "challenge">) {
  if (challenge.locked) return <LockIcon />;
  return challenge.sealed ? <SealedIcon /> : <SolvedIcon />;
}

interface HeadingProps
  extends Pick<CardProps, "challenge" | "names" | "category" | "expanded" | "onToggle"> {
  ref: RefObject<HTMLButtonElement | null>;
  /** ID of the task. */
  id: string;
}

function Heading({ challenge, names, category, expanded, onToggle, ref, id }: HeadingProps) {
  const { challenges: words } = useMessages();
  const wanted = challenge.requirements.map((one) => names.get(one) ?? one).join(", ");
  const state = stateOf(challenge);
  return (
    <h3 className={styles.heading}>
      <button
        ref={ref}
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
              <StateIcon challenge={challenge} />
              <span className={styles.stateName}>
                {state === "practiced" ? words.afterEnd : words[state]}
              </span>
            </span>
          )}
          <StatusBadge status={challenge.status} />
          <ChevronIcon className={styles.chevron} />
        </span>
        <span className={styles.facts}>
          <Points challenge={challenge} />
          <span className={styles.more}>
            <Solves challenge={challenge} />
            <Tags challenge={challenge} under={category} />
          </span>
          {challenge.locked && !expanded && wanted && (
            <span className={styles.wanted}>{words.solveFirst(wanted)}</span>
          )}
        </span>
      </button>
    </h3>
  );
}

export function Card(props: CardProps) {
  const { challenge: listed, names, board, layout, category, expanded, onToggle } = props;
  const id = useId();
  const header = useRef<HTMLButtonElement>(null);
  const [accepted, accept] = useAccepted(header, props.onAccepted);
  const challenge = { ...listed, solved: listed.solved || accepted };
  function close() {
    onToggle();
    header.current?.focus();
  }
  function closeOnEscape(event: KeyboardEvent) {
    if (event.key === "Escape" && expanded && !isFilled(event.target)) close();
  }
  return (
    <article
      id={`challenge-${challenge.id}`}
      onKeyDown={closeOnEscape}
      className={styles.card}
      data-state={stateOf(challenge) ?? undefined}
      data-sealed={challenge.sealed || undefined}
      data-expanded={expanded}
      aria-labelledby={`${id}-name`}
    >
      <Heading {...{ challenge, names, category, expanded, onToggle, id }} ref={header} />
      <div id={id} hidden={!expanded} className={styles.body}>
        {expanded && (
          <Task
            challenge={challenge}
            names={names}
            board={board}
            layout={layout}
            moment={props.moment}
            neighbors={props.neighbors}
            onSolved={accept}
            onClose={close}
          />
        )}
      </div>
    </article>
  );
}
