/** Extends the event by some minutes, moving only the end or an upcoming freeze as well. */
import type { Overview } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { KeyButton } from "../change/action-buttons";
import { useOpenAction } from "../change/action-dialog";
import { extended, isResultShown } from "../change/times";
import { useMay } from "../frame/queries";
import { RowMenu } from "../frame/row-menu";

const MINUTES = 15;
const MINUTES_MORE = 30;

export function Extend({ overview }: { overview: Overview }) {
  const { event: words } = useOrganizeMessages().pages;
  const { times } = useOrganizeMessages().manage;
  const may = useMay();
  const ask = useOpenAction();
  const { freeze, end, now, name } = overview;
  // After the result was shown, times can only be changed in the full dialog.
  if (!end || !may("event.times") || isResultShown(overview)) return null;
  const hasFreezeAhead = typeof freeze === "number" && freeze > now;
  const move = (minutes: number, isEndOnly = false) =>
    ask({ action: "event.times", fixed: extended(overview, minutes, isEndOnly), object: name });
  const endOnly = { text: words.extendEndOnly(MINUTES), onPress: () => move(MINUTES, true) };
  return (
    <>
      <KeyButton text={words.extend(MINUTES)} shortcut="+" onPress={() => move(MINUTES)} />
      <RowMenu
        label={times.more}
        items={[
          { text: words.extend(MINUTES_MORE), onPress: () => move(MINUTES_MORE) },
          ...(hasFreezeAhead ? [endOnly] : []),
        ]}
      />
    </>
  );
}
