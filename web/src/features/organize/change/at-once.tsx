/** Actions without their sheet: those whose button says all. */
import type { Terms } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useCall } from "../gate";
import { useActing } from "./acting";
import { useConfirm } from "./confirm";
import { argumentsOf, type Order, type Values } from "./order";
import { useButtonText, usePreview, useStill } from "./preview";

const NONE: Values = {};

/** Does an order; what is refused opens its sheet, which says why. */
export function useDoNow() {
  const confirm = useConfirm();
  const { ask, finish } = useActing();
  return useCall(({ order, ...terms }: { order: Order } & Terms) => confirm(order, NONE, terms), {
    onSuccess: (acted, { order }) => finish(order, acted),
    onError: (_, { order }) => ask(order),
  });
}

/** The button that says who moves, and does it: once what it says is true of what is typed. */
export function AtOnce({ order, isReady }: { order: Order; isReady: boolean }) {
  const { sheet } = useOrganizeMessages().pages;
  const typed = JSON.stringify(argumentsOf(order, NONE));
  const still = useStill(typed);
  const isStill = isReady && still === typed;
  const { data, isFetching } = usePreview(order, NONE, isStill);
  const doing = useDoNow();
  const seen = isStill && !doing.isPending ? data : undefined;
  const text = useButtonText(order, seen);
  return (
    <button
      type="button"
      aria-disabled={!seen}
      onClick={() => seen && doing.mutate({ order, head: seen.head })}
    >
      {isReady && isFetching ? sheet.asking : text}
    </button>
  );
}
