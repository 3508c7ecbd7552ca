/** Effects of an order on the event's phases and times. */
import type { Phases } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useMomentText } from "../frame/moment";
import { useOverview } from "../frame/queries";
import { argumentsOf, type Order, type Values } from "./order";
import { type MovedTime, movedTimes, staysRevealed } from "./times";

/** Phase changes that the server reports for an action or undo. */
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
  ].filter((line) => typeof line === "string");
  return lines.map((line) => (
    <p key={line} className="org-bad">
      {line}
    </p>
  ));
}

const hasChanged = ({ was, becomes }: MovedTime) => was !== becomes;

/** Lines and button text for changed times; null for other orders or if times are unknown. */
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
