/** What an order does at once to the phases of the event, in lines that are not overlooked. */
import type { Phases } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useMomentText } from "../frame/moment";

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
