/** What an order does to the times of the event: each time, those that change as old → new. */
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useMomentText } from "../frame/moment";
import { useOverview } from "../frame/reading";
import { argumentsOf, type Order, type Values } from "./order";
import { type MovedTime, movedTimes, staysRevealed } from "./times";

const hasChanged = ({ was, becomes }: MovedTime) => was !== becomes;

/** The lines, and what the button says; null for other orders and while the times are not known. */
export function useTimesText(order: Order, values: Values) {
  const { sheet } = useOrganizeMessages().pages;
  const overview = useOverview().data;
  const moment = useMomentText();
  if (!overview || order.kind !== "action" || order.action !== "event.times") return null;
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
