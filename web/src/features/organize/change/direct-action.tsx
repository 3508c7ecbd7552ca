/** Actions without a dialog, whose button already states the effect. */
import type { Terms } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useCall } from "../second-factor-gate";
import { useActionDialog } from "./action-dialog";
import { useConfirm } from "./confirm";
import { argumentsOf, type Order, type Values } from "./order";
import { useButtonText, usePreview, useStill } from "./preview";

const NONE: Values = {};

/** Performs an order. On an error, the dialog opens and shows it. */
export function usePerformOrder() {
  const confirm = useConfirm();
  const { ask, finish } = useActionDialog();
  return useCall(({ order, ...terms }: { order: Order } & Terms) => confirm(order, NONE, terms), {
    onSuccess: (acted, { order }) => finish(order, acted),
    onError: (_, { order }) => ask(order),
  });
}

/** Button that states the rank changes. Enabled when the preview matches the input. */
export function DirectActionButton({ order, isReady }: { order: Order; isReady: boolean }) {
  const { sheet } = useOrganizeMessages().pages;
  const typed = JSON.stringify(argumentsOf(order, NONE));
  const still = useStill(typed);
  const isStill = isReady && still === typed;
  const { data, isFetching } = usePreview(order, NONE, isStill);
  const doing = usePerformOrder();
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
