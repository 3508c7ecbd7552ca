/** What an order would do: to the board, to the phases of the event, and to its times. */
import type { Acted, Phases, TeamMove } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useMomentText } from "../frame/moment";
import { useOverview } from "../frame/reading";
import { type Column, Table } from "../frame/table";
import { type Row, rowsOf } from "./effect";
import { argumentsOf, type Order, type Values } from "./order";
import { type MovedTime, movedTimes, staysRevealed } from "./times";

/** More would not be read; the sentence of the button counts all. */
const ROWS_MAX = 12;

function Step({ move }: { move: TeamMove | undefined }) {
  const { sheet, list } = useOrganizeMessages().pages;
  if (!move) return <>{list.none}</>;
  const text = (place: TeamMove["from"]) => {
    return place ? sheet.place(place.rank, place.points) : sheet.absent;
  };
  return (
    <>
      {text(move.from)} → {text(move.to)}
    </>
  );
}

export function FirstBloods({ effect }: { effect: Acted["effect"] }) {
  const { sheet } = useOrganizeMessages().pages;
  const lost = effect?.firstBloods ?? [];
  if (lost.length === 0) return null;
  return (
    <>
      <ul aria-label={sheet.firstBloods} className="org-lines">
        {lost.slice(0, ROWS_MAX).map(({ challengeName, from, to }) => (
          <li key={challengeName}>
            <bdi>{sheet.firstBlood(challengeName, from, to ?? null)}</bdi>
          </li>
        ))}
      </ul>
      {lost.length > ROWS_MAX && <p>{sheet.moreFirstBloods(lost.length - ROWS_MAX)}</p>}
    </>
  );
}

export function MovesTable({ effect }: { effect: Acted["effect"] }) {
  const { sheet } = useOrganizeMessages().pages;
  if (!effect) return <p>{sheet.unknown}</p>;
  const { truth } = effect;
  const rows = rowsOf(truth ?? [], effect.public);
  if (rows.length === 0) return <p>{sheet.nobody}</p>;
  const ofTruth: Column<Row> = { word: sheet.truth, cell: (row) => <Step move={row.truth} /> };
  return (
    <>
      <Table
        className="org-table org-moves"
        columns={[
          { word: sheet.team, isName: true, cell: ({ teamName }) => <bdi>{teamName}</bdi> },
          ...(truth ? [ofTruth] : []),
          { word: sheet.players, cell: ({ shown }) => <Step move={shown} /> },
        ]}
        rows={rows.slice(0, ROWS_MAX)}
        keyOf={({ teamName }) => teamName}
      />
      {rows.length > ROWS_MAX && <p>{sheet.more(rows.length - ROWS_MAX)}</p>}
    </>
  );
}

/** The lines of what the server says of an action or an undo; none without its answer. */
export function PhasesLines({ phases }: { phases: Phases | null | undefined }) {
  const { sheet } = useOrganizeMessages().pages;
  const moment = useMomentText();
  if (!phases) return null;
  const { startsAtOnce, endsAtOnce, showsHidden, runsAgainUntil } = phases;
  const lines = [
    startsAtOnce && sheet.startsAtOnce,
    typeof runsAgainUntil === "number" && sheet.runsAgain(moment(runsAgainUntil)),
    endsAtOnce && sheet.endsAtOnce,
    showsHidden && sheet.showsHidden,
  ].filter((line) => line !== false);
  return lines.map((line) => (
    <p key={line} className="org-bad">
      {line}
    </p>
  ));
}

const hasChanged = ({ was, becomes }: MovedTime) => was !== becomes;

/** The lines, and what the button says; null for other orders and while the times are not known. */
export function useTimesText(order: Order, values: Values) {
  const { sheet } = useOrganizeMessages().pages;
  const overview = useOverview().data;
  const moment = useMomentText();
  if (!overview || order.action !== "event.times") return null;
  const times = movedTimes(overview, argumentsOf(order, values));
  const text = (ms: number | null) => (ms === null ? sheet.noTime : moment(ms));
  const name = ({ phase }: MovedTime) => sheet.fields[phase] ?? phase;
  const line = (time: MovedTime) => {
    const now = `${name(time)} ${text(time.was)}`;
    return hasChanged(time) ? `${now} → ${text(time.becomes)}` : sheet.stays(now);
  };
  return {
    lines: times.map(line),
    note: staysRevealed(overview, times) ? sheet.staysRevealed : null,
    button: times.filter(hasChanged).map(line).join(", "),
  };
}

export function TimesLines({ text }: { text: ReturnType<typeof useTimesText> }) {
  const { sheet } = useOrganizeMessages().pages;
  if (!text) return null;
  return (
    <>
      <ul aria-label={sheet.changes} className="org-lines">
        {text.lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {text.note !== null && <p className="org-note">{text.note}</p>}
    </>
  );
}
