/** What an action would do, and the sentence that says it on its button. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Acted, TeamMove } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { useGate } from "../gate";
import { movesOf, pointsOf } from "./effect";
import {
  argumentsOf,
  canMove,
  changesNothing,
  draftKey,
  madeOf,
  missing,
  type Order,
  previewOf,
  type Values,
} from "./order";

/** A preview is asked for once the fields have been still for this long. */
const STILL_MS = 350;

/** The value once it has been still for a moment. */
export function useStill<T>(value: T): T {
  const [still, setStill] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setStill(value), STILL_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return still;
}

/** A fixed time for what names a preview: the arguments must not change as time passes. */
const NO_TIME = 0;

/** What the action would do, asked again as its fields change. */
export function usePreview(order: Order, values: Values, isOn = true) {
  const run = useGate();
  const still = useStill(values);
  return useQuery({
    queryKey: [
      ...["organize", "preview", draftKey(order)],
      ...[argumentsOf(order, still, NO_TIME), madeOf(order)?.version],
    ],
    queryFn: () => run(() => previewOf(order, still)),
    enabled: isOn && missing(order, still).length === 0 && !changesNothing(order, still),
    networkMode: "always",
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

/** Which teams move or have other points, in a clause; an empty one if none does. */
export function useEffectText(): (order: Order, moves: readonly TeamMove[]) => string {
  const { sheet } = useOrganizeMessages().pages;
  return (order, moves) => {
    const object = order.kind === "action" ? order.object : undefined;
    const { gain, lose } = pointsOf(moves, object);
    const { rise, risesByOne, fall, fallsByOne } = movesOf(moves, object);
    const isRejudge = order.kind === "action" && order.action === "challenge.rejudge";
    const ranks = [
      ...(rise > 0 ? [sheet.rises(rise, risesByOne)] : []),
      ...(fall > 0 ? [sheet.falls(fall, fallsByOne)] : []),
    ].join(sheet.and);
    // In a rejudge, a team has more points only by a flag of its own.
    const gains = isRejudge ? sheet.gainInRejudge(gain.teams) : sheet.gain(gain);
    return [
      ...(gain.teams.length > 0 ? [gains] : []),
      ...(lose.teams.length > 0 ? [sheet.lose(lose)] : []),
      ...(ranks === "" ? [] : [ranks]),
    ].join("; ");
  };
}

/** "Ban Otters: 31 teams rise by one"; `does` in place of the action and its object. */
export function useButtonText(order: Order, preview: Acted | undefined, does?: string): string {
  const { sheet } = useOrganizeMessages().pages;
  const effectText = useEffectText();
  const object = order.kind === "action" ? (order.object ?? sheet.event) : undefined;
  const what =
    order.kind === "action"
      ? does || `${wordFor(sheet.verbs, order.action)} ${object}`
      : sheet.undoOf(order.sentence);
  if (!preview?.effect || !canMove(order)) return what;
  // The sentence of an undone action ends with a full stop, and goes on here.
  const begun = what.replace(/\.$/, "");
  const { truth, public: shown } = preview.effect;
  // A reveal moves nobody but on the board of the players.
  if (truth?.length === 0 && shown.length > 0) {
    return `${begun}: ${sheet.players}: ${effectText(order, shown) || sheet.nobody}`;
  }
  const moves = truth ?? shown;
  return `${begun}: ${effectText(order, moves) || sheet.nobody}`;
}
