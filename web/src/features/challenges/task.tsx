/** The task of an open challenge: description, attachments, flag form, questions, solvers. */
import { type ReactNode, useState } from "react";
import { challengeAddress } from "../../addresses";
import type { Challenge } from "../../api/calls";
import { useIsPractice, useStatus } from "../../api/clock";
import type { Board } from "../../domain/board";
import type { Derived } from "../../domain/challenges";
import { withoutConnection } from "../../domain/description";
import { solversOf } from "../../domain/solvers";
import { useMessages } from "../../messages/language";
import { Html } from "../../ui/html/html";
import { CrossIcon, FirstBloodIcon } from "../../ui/icons/icons";
import { Seal } from "../../ui/sealed/sealed";
import { TeamLink } from "../../ui/team-link/team-link";
import { timeText } from "../../ui/times/times";
import { useZone } from "../../ui/zone/zone";
import { Attachments, Connection } from "./attachments";
import { CardNews, Hints } from "./card-news";
import { CardQuestions } from "./card-questions";
import { CopyLink, Solvers } from "./extras";
import { Points, Solves, Tags } from "./facts";
import { FlagForm } from "./flag-form";
import { Credits, TagList } from "./labels";
import { AttemptsLeft, NoAttempts } from "./limits";
import styles from "./task.module.css";
import type { Layout } from "./workbench";

interface TaskProps {
  challenge: Derived<Challenge>;
  /** Challenge names by ID, for the requirements. */
  names: ReadonlyMap<string, string>;
  board: Board | null;
  layout: Layout;
  /** Shown right after the solve. */
  moment: ReactNode;
  /** Shown below the task in a large window. */
  neighbors: ReactNode;
  /** Called for a correct flag; `isPractice` is true after the end. */
  onSolved: (isPractice?: boolean) => void;
  onClose: () => void;
}

/** The team that solved the challenge first, as everyone sees it. */
function FirstBlood({ challenge, board }: Pick<TaskProps, "challenge" | "board">) {
  const { board: words } = useMessages();
  const first = board && solversOf(board, challenge.id).find(({ position }) => position === 1);
  if (!first || first.later) return null;
  return (
    <span className={styles.first}>
      <FirstBloodIcon />
      <span className="visually-hidden">{words.firstBlood}</span>
      <TeamLink name={first.teamName} />
    </span>
  );
}

/** The head of the task column. The card's heading has the same words for screen readers. */
function Head({ challenge, board, onClose }: Pick<TaskProps, "challenge" | "board" | "onClose">) {
  const { dialog: words } = useMessages();
  return (
    <header className={styles.head}>
      <p className={styles.title} aria-hidden="true" dir="auto">
        {challenge.challengeName}
      </p>
      <div className={styles.ways}>
        <CopyLink id={challenge.id} />
        <button type="button" className={styles.close} aria-label={words.close} onClick={onClose}>
          <CrossIcon />
        </button>
      </div>
      <div className={styles.facts}>
        <span aria-hidden="true" className={styles.facts}>
          <Tags challenge={challenge} under={null} />
          <Points challenge={challenge} />
          <Solves challenge={challenge} />
        </span>
        <FirstBlood challenge={challenge} board={board} />
      </div>
    </header>
  );
}

/** Stands for the names in the sentence. */
const NAMES = "\u0000";

/** The challenges to solve first, as links. */
function Requirements({ challenge, names }: Pick<TaskProps, "challenge" | "names">) {
  const { challenges } = useMessages();
  const [before, after] = challenges.solveFirst(NAMES).split(NAMES);
  return (
    <p className={styles.locked}>
      {before}
      {challenge.requirements.map((id, at) => (
        <span key={id}>
          {at > 0 && ", "}
          <a href={challengeAddress({ open: [id] })}>{names.get(id) ?? id}</a>
        </span>
      ))}
      {after}
    </p>
  );
}

/** Replaces the form at the same height, so that the content below does not move. */
function SolvedAt({ challenge }: Pick<TaskProps, "challenge">) {
  const { challenges, locale } = useMessages();
  const zone = useZone();
  const { solved_ts: ts, sealed, isPractice, practicedAt } = challenge;
  return (
    <p className={styles.solvedAt}>
      {isPractice && challenges.practicedAt(timeText((practicedAt ?? 0) / 1000, locale, zone))}
      {ts !== null && challenges.solvedAt(timeText(ts, locale, zone))}
      {sealed && <Seal />}
    </p>
  );
}

/** The form; after the end, a note that flags are no longer accepted, or no longer count. */
function Flag({ challenge, onSolved }: Pick<TaskProps, "challenge" | "onSolved">) {
  const { challenges } = useMessages();
  const isOver = useStatus() === "ended";
  const isPractice = useIsPractice();
  const [usedLast, setUsedLast] = useState(false);
  if (isPractice) {
    return (
      <>
        <p className={styles.attempts}>{challenges.practice}</p>
        <FlagForm challenge={challenge} onSolved={onSolved} />
      </>
    );
  }
  if (isOver) return <p className={styles.solvedAt}>{challenges.eventOver}</p>;
  const { attemptsLeft } = challenge;
  if (attemptsLeft === 0) return <NoAttempts isAnswer={usedLast} />;
  return (
    <>
      <FlagForm
        challenge={challenge}
        onSolved={onSolved}
        onAttempt={(left) => setUsedLast(left === 0)}
      />
      {attemptsLeft !== undefined && <AttemptsLeft left={attemptsLeft} />}
    </>
  );
}

type TextProps = Pick<TaskProps, "challenge" | "names" | "board">;

/** The description with news and hints; of a locked challenge, its requirements. */
export function Text({ challenge, names, board }: TextProps) {
  const { connection, description, locked } = challenge;
  return (
    <div className={styles.text}>
      <CardNews challenge={challenge} />
      {locked ? (
        <Requirements challenge={challenge} names={names} />
      ) : (
        <>
          <Html html={withoutConnection(description, connection)} className={styles.description} />
          <Hints challenge={challenge} board={board} />
          <TagList challenge={challenge} />
          <Credits challenge={challenge} />
        </>
      )}
    </div>
  );
}

/** Connection info and attachments. */
export function Things({
  challenge: { connection, attachments, locked },
}: Pick<TaskProps, "challenge">) {
  if (locked) return null;
  return (
    <div className={styles.things}>
      {connection && <Connection connection={connection} />}
      <Attachments attachments={attachments} />
    </div>
  );
}

/** The place of the flag: the form, or the solve. It never leaves the view of the workbench. */
export function Foot({
  challenge,
  moment,
  onSolved,
}: Pick<TaskProps, "challenge" | "moment" | "onSolved">) {
  if (challenge.locked) return null;
  return (
    <div className={styles.foot}>
      {challenge.solved ? (
        <>
          <SolvedAt challenge={challenge} />
          {moment}
        </>
      ) : (
        <Flag challenge={challenge} onSolved={onSolved} />
      )}
    </div>
  );
}

export function Task(props: TaskProps) {
  const { challenge, board, layout } = props;
  const isColumn = layout === "column";
  const isWide = layout === "wide";
  return (
    <>
      {!isColumn && <Head {...props} />}
      <div className={styles.columns}>
        <div className={styles.main}>
          <Text {...props} />
          {!isWide && <Things challenge={challenge} />}
          <Foot {...props} />
          {isWide && props.neighbors}
        </div>
        <div className={styles.more}>
          {isWide && <Things challenge={challenge} />}
          <CardQuestions challenge={challenge} />
          <footer className={styles.extras}>
            <Solvers challenge={challenge} board={board} isOpen={isWide} />
            {isColumn && <CopyLink id={challenge.id} />}
          </footer>
        </div>
      </div>
    </>
  );
}
