/** Sends confirmed orders. Retries reuse the idempotency key, so the server acts once. */
import { useCallback, useRef } from "react";
import type { Acted, Arguments, Terms } from "../../../api/organize-lists";
import { argumentsOf, type Order, send, type Values } from "./order";

interface Confirmed {
  /** Identity of the confirmed input; changes after an edit. */
  readonly of: string;
  /** Arguments of the first attempt; some depend on the time. */
  readonly args: Arguments;
  readonly key: string;
}

/** Sends an order. Until it succeeds, retries of the same order keep its key. */
export function useConfirm(): (order: Order, values: Values, terms: Terms) => Promise<Acted> {
  const last = useRef<Confirmed>(undefined);
  return useCallback(async (order, values, terms) => {
    const doing = order.action === "undo" ? order.id : [order.action, order.fixed];
    const of = JSON.stringify([doing, values, terms]);
    if (last.current?.of !== of) {
      last.current = { of, args: argumentsOf(order, values), key: crypto.randomUUID() };
    }
    const { args, key } = last.current;
    const acted = await send(order, args, terms, key);
    last.current = undefined;
    return acted;
  }, []);
}
