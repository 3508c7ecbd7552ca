/** Solves and organizer actions as they happen, newest first, grouped by minute. */
import type { ReactNode } from "react";
import type { Entry } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { FirstBloodIcon, SolvedIcon } from "../../../ui/icons/icons";
import { UndoButton } from "../change/action-buttons";
import { useMomentText } from "../frame/moment";
import nav from "../frame/nav.module.css";
import { useActions, useChallenges, useFlags, useMay, useOverview } from "../frame/queries";
import { ChallengeLink, TeamLink, useView, ViewLink } from "../frame/view";
import card from "./card.module.css";
import { minuteOf } from "./figures";
import styles from "./stream.module.css";

const ROWS_MAX = 60;

interface Happened {
  readonly key: string;
  readonly at: number;
  readonly kind: "solve" | "blood" | "action";
  readonly text: ReactNode;
  readonly undoable?: Entry | undefined;
}

function useSolves(): readonly Happened[] {
  const { day } = useOrganizeMessages();
  const { data: challenges = [] } = useChallenges();
  const flags = useFlags({ verdict: "right" }).data?.pages[0]?.flags ?? [];
  return flags.map(({ at, teamName, challengeId }) => {
    const challenge = challenges.find(({ id }) => id === challengeId);
    const isFirst = challenge?.firstSolveAt === at;
    return {
      key: `solve ${teamName} ${challengeId}`,
      at,
      kind: isFirst ? "blood" : "solve",
      text: (
        <>
          <TeamLink team={teamName} /> {day.solved}{" "}
          <ChallengeLink id={challengeId} name={challenge?.challengeName ?? challengeId} />
          {isFirst && <span className={styles.blood}>{day.firstBlood}</span>}
        </>
      ),
    };
  });
}

function useRecentActions(): readonly Happened[] {
  const actions = useActions().data?.pages[0] ?? [];
  return actions.map((action) => {
    const { id, at, sentence: text, undoable, undoneBy, undoes } = action;
    const isOpen = undoable && !undoneBy && !undoes;
    const undo = isOpen ? action : undefined;
    return { key: `action ${id}`, at, kind: "action", text, undoable: undo };
  });
}

/** A pencil, for actions of organizers. */
function ActionIcon() {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path
        d="M3 13l.8-3.2 6.9-6.9a1.4 1.4 0 0 1 2 0l.4.4a1.4 1.4 0 0 1 0 2L6.2 12.2z"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
    </svg>
  );
}

const ICONS = { solve: SolvedIcon, blood: FirstBloodIcon, action: ActionIcon };

function Row({ row, isFirst }: { row: Happened; isFirst: boolean }) {
  const timeText = useMomentText();
  const { at, kind, text, undoable } = row;
  const Icon = ICONS[kind];
  return (
    <li className={styles.row} data-kind={kind} data-first={isFirst}>
      <time dateTime={new Date(at).toISOString()}>{timeText(at)}</time>
      <Icon />
      <span className={styles.text}>{text}</span>
      {undoable && (
        <span className={styles.undo}>
          <UndoButton {...undoable} />
        </span>
      )}
    </li>
  );
}

const KINDS = ["all", "solves", "actions"] as const;

function Filter({ kind }: { kind: (typeof KINDS)[number] }) {
  const { day } = useOrganizeMessages();
  return (
    <nav aria-label={day.filter} className={`${nav.nav} ${styles.filter}`}>
      {KINDS.map((one) => (
        <ViewLink
          key={one}
          changes={{ activity: one === "all" ? undefined : one }}
          aria-current={one === kind ? "true" : undefined}
        >
          {day.kinds[one]}
        </ViewLink>
      ))}
    </nav>
  );
}

function Rows({ kind }: { kind: (typeof KINDS)[number] }) {
  const { overview: words } = useOrganizeMessages().pages;
  const { quietForYou } = useOrganizeMessages().console;
  const [solved, acted] = [useSolves(), useRecentActions()];
  const rows = [...(kind === "actions" ? [] : solved), ...(kind === "solves" ? [] : acted)];
  const newest = rows.toSorted((a, b) => b.at - a.at).slice(0, ROWS_MAX);
  // Authors see only their own challenges.
  const solves = useOverview().data?.solves ?? 0;
  if (newest.length === 0) {
    const isOthers = solves > 0 && kind !== "actions";
    return <p className={styles.none}>{isOthers ? quietForYou(solves) : words.quiet}</p>;
  }
  const minutes = newest.map(({ at }) => minuteOf(at));
  return (
    <ol className={styles.rows}>
      {newest.map((row, at) => (
        <Row key={row.key} row={row} isFirst={minutes[at] !== minutes[at - 1]} />
      ))}
    </ol>
  );
}

/** Recent solves and actions. Actions are fetched only if the role can see them. */
export function Stream() {
  const { day } = useOrganizeMessages();
  const may = useMay();
  const asked = useView()("activity");
  const kind = KINDS.find((one) => one === asked) ?? "all";
  if (!may("flag.list")) return null;
  return (
    <section className={card.flush} aria-labelledby="activity">
      <div className={styles.head}>
        <h2 id="activity">{day.activity}</h2>
        {may("action.list") && <Filter kind={kind} />}
      </div>
      <div className={styles.body}>
        <Rows kind={kind} />
      </div>
    </section>
  );
}
