/** What an action would do, and the sentence that says it on its button. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Acted, TeamMove } from "../../../api/organize-lists";
import type { OrganizeMessages } from "../../../messages/organize/en";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { useGate } from "../gate";
import { movesOf, pointsOf } from "./effect";
import {
  argumentsOf,
  changesNothing,
  draftKey,
  missing,
  type Order,
  previewOf,
  rulesOf,
  type Values,
} from "./order";

type SheetMessages = OrganizeMessages["pages"]["sheet"];

/** A preview is asked for once the fields have been still for this long. */
const STILL_MS = 350;

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

export function usePreview(order: Order, values: Values, isOn = true) {
  const run = useGate();
  const still = useStill(values);
  return useQuery({
    queryKey: [
      ...["organize", "preview", draftKey(order)],
      ...[argumentsOf(order, still, NO_TIME), order.madeOf?.version],
    ],
    queryFn: () => run(() => previewOf(order, still)),
    enabled: isOn && missing(order, still).length === 0 && !changesNothing(order, still),
    networkMode: "always",
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

interface TypedPreviewOf<Typed, T> {
  /** The name of its kind. */
  name: string;
  typed: Typed;
  read: (typed: Typed) => Promise<T>;
  isOn: (typed: Typed) => boolean;
}

/** A preview of what is typed, asked again once that has been still. */
export function useTypedPreview<Typed, T>({ name, typed, read, isOn }: TypedPreviewOf<Typed, T>) {
  const run = useGate();
  const text = JSON.stringify(typed);
  const still = useStill(text);
  const asked: Typed = JSON.parse(still);
  const query = useQuery({
    queryKey: ["organize", name, still],
    queryFn: () => run(() => read(asked)),
    enabled: isOn(asked),
    placeholderData: keepPreviousData,
    networkMode: "always",
    retry: false,
    refetchOnReconnect: true,
    gcTime: 0,
  });
  /** Whether it is of what is typed by now. */
  const isCurrent = still === text && query.isSuccess && !query.isPlaceholderData;
  return { ...query, isCurrent };
}

/** Which teams move or have other points, in a clause; an empty one if none does. */
function effectText(sheet: SheetMessages, order: Order, moves: readonly TeamMove[]): string {
  const { gain, lose } = pointsOf(moves, order.object);
  const { rise, risesByOne, fall, fallsByOne } = movesOf(moves, order.object);
  const isRejudge = order.action === "challenge.rejudge";
  const ranks = [
    rise > 0 && sheet.rises(rise, risesByOne),
    fall > 0 && sheet.falls(fall, fallsByOne),
  ]
    .filter(Boolean)
    .join(sheet.and);
  // In a rejudge, a team has more points only by a flag of its own.
  const gains = isRejudge ? sheet.gainInRejudge(gain.teams) : sheet.gain(gain);
  const parts = [gain.teams.length > 0 && gains, lose.teams.length > 0 && sheet.lose(lose), ranks];
  return parts.filter(Boolean).join("; ");
}

/** "Ban Otters". */
export function titleOf(sheet: SheetMessages, order: Order): string {
  if (order.action === "undo") return sheet.undoOf(order.sentence);
  return `${wordFor(sheet.verbs, order.action)} ${order.object ?? sheet.event}`;
}

/** "Ban Otters: 31 teams rise by one"; `does` in place of the action and its object. */
export function useButtonText(order: Order, preview: Acted | undefined, does?: string): string {
  const { sheet } = useOrganizeMessages().pages;
  const what = does || titleOf(sheet, order);
  if (!preview?.effect || !rulesOf(order).movesTeams) return what;
  // The sentence of an undone action ends with a full stop, and goes on here.
  const begun = what.replace(/\.$/, "");
  const { truth, public: shown } = preview.effect;
  // A reveal moves nobody but on the board of the players.
  if (truth?.length === 0 && shown.length > 0) {
    return `${begun}: ${sheet.players}: ${effectText(sheet, order, shown) || sheet.nobody}`;
  }
  const moves = truth ?? shown;
  return `${begun}: ${effectText(sheet, order, moves) || sheet.nobody}`;
}
