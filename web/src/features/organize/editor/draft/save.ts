/**
 * The one way to save: at once if the whole effect is in view, otherwise through the dialog, which
 * shows the rank changes.
 */
import { useEffect, useState } from "react";
import type { Acted } from "../../../../api/organize-lists";
import type { Found } from "../../../../api/organize-sources";
import { useActionDialog } from "../../change/action-dialog";
import { usePerformOrder } from "../../change/direct-action";
import { argumentsOf, type Order, type Values } from "../../change/order";
import { useEffectText, usePreview, useStill } from "../../change/preview";

/**
 * - `none`: there is nothing to save.
 * - `faulty`: errors prevent it.
 * - `checking`: the effect is not known yet.
 * - `save` and `review`: the button saves at once, or opens the dialog.
 */
export type SaveMode = "none" | "faulty" | "checking" | "save" | "review";

/** Maximum number of moving teams that the line beside the button shows in full. */
const MOVES_AT_ONCE_MAX = 3;

/** True if the line beside the button shows the whole effect. */
export function isShownInFull({ effect, phases }: Acted): boolean {
  if (!effect) return !phases;
  const { truth, public: shown, firstBloods } = effect;
  const teams = new Set([...(truth ?? []), ...shown].map(({ teamName }) => teamName));
  return !phases && firstBloods.length === 0 && teams.size <= MOVES_AT_ONCE_MAX;
}

const NONE: Values = {};

interface SaveOf {
  readonly order: Order;
  readonly looked: { readonly isCurrent: boolean; readonly error: unknown };
  readonly problems: readonly Found[];
  readonly canSave: boolean;
  readonly warning: string | null;
}

export function useSave({ order, looked, problems, canSave, warning }: SaveOf) {
  const { ask, renew } = useActionDialog();
  const doing = usePerformOrder();
  const [isWanted, want] = useState(false);
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const typed = JSON.stringify(argumentsOf(order, NONE));
  const isStill = useStill(typed) === typed && (looked.isCurrent || looked.error !== null);
  const preview = usePreview(order, NONE, canSave && errors === 0 && isStill);
  const { data, error, isFetching } = preview;
  const effect = useEffectText(order, data);
  function modeNow(): SaveMode {
    if (!canSave) return "none";
    if (errors > 0) return "faulty";
    if (warning !== null) return "review";
    if (!isStill || doing.isPending) return "checking";
    if (error !== null && !isFetching) return "review";
    if (!data || isFetching) return "checking";
    return isShownInFull(data) ? "save" : "review";
  }
  const mode = modeNow();
  function save() {
    if (mode === "review") ask(order);
    if (mode === "save" && data) doing.mutate({ order, head: data.head });
  }
  useEffect(() => {
    if (!isWanted || mode === "checking") return;
    want(false);
    save();
  });
  // The file may change while the dialog is open.
  useEffect(() => {
    if (canSave) renew(order);
  });
  return {
    mode,
    errors,
    /** Effect on the ranks, in words; null while it is unknown. */
    effect: isStill && data && canSave ? effect : null,
    isWanted: isWanted || doing.isPending,
    /** Saves now, or as soon as the effect is known. */
    press: () => (mode === "checking" ? want(true) : save()),
  };
}
