/** What an act would do, and the sentence that says it on its button. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Acted } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { useGate } from "../gate";
import { movesOf } from "./effect";
import {
  argumentsOf,
  canMove,
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

/** What the act would do, asked again as its fields change. */
export function usePreview(order: Order, values: Values, isOn = true) {
  const run = useGate();
  const still = useStill(values);
  return useQuery({
    queryKey: [
      ...["organize", "preview", draftKey(order)],
      ...[argumentsOf(order, still), madeOf(order)?.version],
    ],
    queryFn: () => run(() => previewOf(order, still)),
    enabled: isOn && missing(order, still).length === 0,
    networkMode: "always",
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

/** "Ban Otters: 31 teams rise by one". */
export function useButtonText(order: Order, preview: Acted | undefined): string {
  const { sheet } = useOrganizeMessages().pages;
  const object = order.kind === "act" ? (order.object ?? sheet.event) : undefined;
  const what =
    order.kind === "act"
      ? `${wordFor(sheet.verbs, order.act)} ${object}`
      : sheet.undoOf(order.sentence);
  if (!preview?.effect || !canMove(order)) return what;
  const { truth, public: shown } = preview.effect;
  const { rise, risesByOne, fall, fallsByOne } = movesOf(truth ?? shown, object);
  const parts = [
    ...(rise > 0 ? [sheet.rises(rise, risesByOne)] : []),
    ...(fall > 0 ? [sheet.falls(fall, fallsByOne)] : []),
  ];
  return `${what}: ${parts.join(sheet.and) || sheet.nobody}`;
}
