/** Previews of actions, and their summary on the button. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Acted, TeamMove } from "../../../api/organize-lists";
import type { OrganizeMessages } from "../../../messages/organize/en";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { useGate } from "../second-factor-gate";
import { crossingsOf, movesOf, pointsOf } from "./effect";
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

/** Debounce delay before a preview is requested. */
const STILL_MS = 350;

export function useStill<T>(value: T): T {
  const [still, setStill] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setStill(value), STILL_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return still;
}

/** Fixed time for query keys, which must not change as time passes. */
const NO_TIME = 0;

export function usePreview(order: Order, values: Values, isOn = true) {
  const run = useGate();
  const still = useStill(values);
  return useQuery({
    queryKey: [
      ...["organize", "preview", draftKey(order)],
      ...[argumentsOf(order, still, NO_TIME), order.basedOn?.version],
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
  /** Kind of preview, for the query key. */
  name: string;
  typed: Typed;
  read: (typed: Typed) => Promise<T>;
  isOn: (typed: Typed) => boolean;
}

/** Preview of the current input, debounced. */
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
  /** True if the preview matches the current input. */
  const isCurrent = still === text && query.isSuccess && !query.isPlaceholderData;
  return { ...query, isCurrent };
}

/** Clause about teams that change rank or points; empty if there are none. */
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
  // In a rejudge, teams gain points only from their own submissions.
  const gains = isRejudge ? sheet.gainInRejudge(gain.teams) : sheet.gain(gain);
  const { left, entered } = crossingsOf(moves);
  const parts = [
    // A single team is named by the action.
    left > 1 && sheet.leave(left),
    entered > 1 && sheet.enter(entered),
    gain.teams.length > 0 && gains,
    lose.teams.length > 0 && sheet.lose(lose),
    ranks,
  ];
  return parts.filter(Boolean).join("; ");
}

/** "Ban Otters". */
export function titleOf(sheet: SheetMessages, order: Order): string {
  if (order.action === "undo") return sheet.undoOf(order.sentence);
  return `${wordFor(sheet.verbs, order.action)} ${order.object ?? sheet.event}`;
}

/** Effect on the ranks, such as "31 teams rise by one"; empty if the action moves no teams. */
export function useEffectText(order: Order, preview: Acted | undefined): string {
  const { sheet } = useOrganizeMessages().pages;
  if (!preview?.effect || !rulesOf(order).movesTeams) return "";
  const { truth, public: shown } = preview.effect;
  // A reveal changes ranks only in the public view.
  if (truth?.length === 0 && shown.length > 0) {
    return `${sheet.players}: ${effectText(sheet, order, shown) || sheet.nobody}`;
  }
  return effectText(sheet, order, truth ?? shown) || sheet.nobody;
}

/** "Ban Otters: 31 teams rise by one"; `does` replaces the action and object. */
export function useButtonText(order: Order, preview: Acted | undefined, does?: string): string {
  const { sheet } = useOrganizeMessages().pages;
  const effect = useEffectText(order, preview);
  const what = does || titleOf(sheet, order);
  // Drop the period of an undone action's sentence, because text follows.
  return effect === "" ? what : `${what.replace(/\.$/, "")}: ${effect}`;
}
