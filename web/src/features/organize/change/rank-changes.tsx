/** Rank changes of an order, one line per team. */
import { useState } from "react";
import type { Acted, TeamMove } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useIsPhone } from "../frame/table";
import { type Changes, changesOf, pointsGained, type Row, stepOf } from "./effect";
import styles from "./sheet.module.css";

/** Maximum rows shown at first; the button's sentence counts all. */
const ROWS_MAX = 12;
/** Maximum first bloods shown at first. */
const BLOODS_MAX = 3;
/** Maximum rows shown at first of teams that enter or leave the scoreboard. */
const CROSSING_MAX = 3;

/** The first items of a list, with a button that shows the others in place. */
export function useFirst<T>(all: readonly T[], max: number, more: (count: number) => string) {
  const { sheet } = useOrganizeMessages().pages;
  const [isOpen, setOpen] = useState(false);
  const left = all.length - max;
  // A single item takes no more space than the button.
  const isLong = left > 1;
  return {
    shown: isLong && !isOpen ? all.slice(0, max) : all,
    button: isLong && (
      <button
        type="button"
        className={styles.more}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? sheet.fewer : more(left)}
      </button>
    ),
  };
}

function FirstBloods({ effect }: { effect: Acted["effect"] }) {
  const { sheet } = useOrganizeMessages().pages;
  const lost = effect?.firstBloods ?? [];
  const { shown, button } = useFirst(lost, BLOODS_MAX, sheet.moreFirstBloods);
  if (lost.length === 0) return null;
  return (
    <>
      <ul aria-label={sheet.firstBloods} className={styles.bloods}>
        {shown.map(({ challengeName, from, to }) => (
          <li key={challengeName}>
            <bdi>{sheet.firstBlood(challengeName, from, to ?? null)}</bdi>
          </li>
        ))}
      </ul>
      {button}
    </>
  );
}

const ARROWS = { up: "▲", down: "▼" } as const;

/** "#9 → #8 ▲", or a word for a team that enters or leaves the scoreboard. */
function Step({ move }: { move: TeamMove | undefined }) {
  const { sheet, list } = useOrganizeMessages().pages;
  const isPhone = useIsPhone();
  const leaves = isPhone ? sheet.leavesShort : sheet.leaves;
  const enters = isPhone ? sheet.entersShort : sheet.enters;
  if (!move) return <>{list.none}</>;
  const { from, to } = move;
  if (from && !to) return <span className={styles.word}>{leaves(from.rank)}</span>;
  if (to && !from) return <span className={styles.word}>{enters(to.rank)}</span>;
  if (!from || !to) return <>{sheet.absent}</>;
  const step = stepOf(move);
  return (
    <>
      {from.rank === to.rank ? `#${to.rank}` : `#${from.rank} → #${to.rank}`}
      <span aria-hidden="true" className={styles.arrow} data-step={step}>
        {step === "same" ? "" : ARROWS[step]}
      </span>
    </>
  );
}

/** "420 → 470 +50"; only the points if they stay. */
function Points({ move }: { move: TeamMove | undefined }) {
  const points = (move?.to ?? move?.from)?.points;
  const gained = move ? pointsGained(move) : 0;
  return (
    <>
      <span className={styles.wide}>
        {gained === 0 ? points : `${move?.from?.points} → ${points}`}
      </span>
      {gained !== 0 && (
        <span className={styles.gain} data-step={gained > 0 ? "up" : "down"}>
          {gained > 0 ? `+${gained}` : `\u2212${-gained}`}
        </span>
      )}
    </>
  );
}

interface LinesProps {
  rows: readonly Row[];
  max: number;
  changes: Changes;
}

function Lines({ rows, max, changes }: LinesProps) {
  const { sheet } = useOrganizeMessages().pages;
  const { shown, button } = useFirst(rows, max, sheet.more);
  const { hasTruth, hasPublic } = changes;
  return (
    <>
      {shown.map(({ teamName, truth, shown }) => (
        <tr key={teamName}>
          <th scope="row" title={teamName}>
            <bdi>{teamName}</bdi>
          </th>
          {hasTruth && (
            <td>
              <Step move={truth} />
            </td>
          )}
          {hasPublic && (
            <td>
              <Step move={shown} />
            </td>
          )}
          <td className={styles.points}>
            <Points move={truth ?? shown} />
          </td>
        </tr>
      ))}
      {button && (
        <tr>
          <td colSpan={4}>{button}</td>
        </tr>
      )}
    </>
  );
}

export function RankChangesTable({ effect }: { effect: Acted["effect"] }) {
  const { sheet } = useOrganizeMessages().pages;
  if (!effect) return <p>{sheet.unknown}</p>;
  const changes = changesOf(effect.truth, effect.public);
  const { crossing, moving, hasTruth, hasPublic } = changes;
  const bloods = (effect.firstBloods ?? []).length > 0 && <FirstBloods effect={effect} />;
  if (crossing.length + moving.length === 0) {
    return bloods || <p className="org-note">{sheet.nobody}</p>;
  }
  const isBoth = hasTruth && hasPublic;
  return (
    <table className={styles.moves} data-both={isBoth || undefined}>
      <thead className={isBoth ? undefined : "visually-hidden"}>
        <tr>
          <th scope="col">{sheet.team}</th>
          {hasTruth && <th scope="col">{isBoth ? sheet.truth : sheet.rankColumn}</th>}
          {hasPublic && <th scope="col">{sheet.players}</th>}
          <th scope="col" className={styles.points}>
            {sheet.pointsColumn}
          </th>
        </tr>
      </thead>
      <tbody className={styles.crossing}>
        <Lines rows={crossing} max={CROSSING_MAX} changes={changes} />
      </tbody>
      <tbody>
        {bloods && (
          <tr>
            <td colSpan={4}>{bloods}</td>
          </tr>
        )}
        <Lines rows={moving} max={ROWS_MAX} changes={changes} />
      </tbody>
    </table>
  );
}
