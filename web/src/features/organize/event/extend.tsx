/** Moves the end by some minutes, and with it a freeze that is to come; or the end alone. */
import type { Overview } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useAsk } from "../change/acting";
import { KeyButton } from "../change/action-buttons";
import { extended, isResultShown } from "../change/times";
import { useMay } from "../frame/reading";

interface LaterProps {
  overview: Overview;
  minutes: number;
  isEndOnly?: boolean;
  shortcut?: string;
}

function Later({ overview, minutes, isEndOnly = false, shortcut }: LaterProps) {
  const { event: words } = useOrganizeMessages().pages;
  const ask = useAsk();
  const text = isEndOnly ? words.extendEndOnly(minutes) : words.extend(minutes);
  const fixed = extended(overview, minutes, isEndOnly);
  const move = () => ask({ action: "event.times", fixed, object: overview.name });
  return <KeyButton text={text} shortcut={shortcut} onPress={move} />;
}

export function Extend({ overview }: { overview: Overview }) {
  const may = useMay();
  const { freeze, end, now } = overview;
  // Once the result was shown, the times are moved in full sight, by the sheet of their own.
  if (!end || !may("event.times") || isResultShown(overview)) return null;
  const hasFreezeAhead = typeof freeze === "number" && freeze > now;
  return (
    <>
      <Later overview={overview} minutes={15} shortcut="+" />
      <Later overview={overview} minutes={30} />
      {hasFreezeAhead && <Later overview={overview} minutes={15} isEndOnly />}
    </>
  );
}
