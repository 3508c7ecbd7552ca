/** Sends what was confirmed: a retry has the same key, so that the server does it once. */
import { useCallback, useRef } from "react";
import {
  type Acted,
  type Arguments,
  postAction,
  postUndo,
  type Terms,
} from "../../../api/organize-lists";
import { argumentsOf, type Order, type Values } from "./order";

interface Confirmed {
  /** What was confirmed: another one after an edit. */
  readonly of: string;
  /** As they were first sent: some depend on the time. */
  readonly args: Arguments;
  readonly key: string;
}

/** Sends an order. Until it is done, the same one is sent with the same key. */
export function useConfirm(): (order: Order, values: Values, terms: Terms) => Promise<Acted> {
  const last = useRef<Confirmed>(undefined);
  return useCallback(async (order, values, terms) => {
    // Twice undone is refused.
    if (order.kind === "undo") return postUndo(order.id, terms);
    const of = JSON.stringify([order.action, order.fixed, values, terms]);
    const confirmed =
      last.current?.of === of
        ? last.current
        : { of, args: argumentsOf(order, values), key: crypto.randomUUID() };
    last.current = confirmed;
    const acted = await postAction(order.action, confirmed.args, terms, confirmed.key);
    last.current = undefined;
    return acted;
  }, []);
}
