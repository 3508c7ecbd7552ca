/** Toast of a performed action, with its undo and the action that should follow it. */
import { useEffect, useState } from "react";
import type { Acted } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { CrossIcon } from "../../../ui/icons/icons";
import { KeyHint } from "../frame/keys";
import type { Order } from "./order";
import styles from "./toast.module.css";

/** Duration of the toast; `u` still works afterwards. */
export const TOAST_MS = 8_000;

interface ToastProps {
  done: Acted;
  /** Action to offer next. It holds the toast until it is closed. */
  followUp?: Order["followUp"];
  onFollow?: (order: Order) => void;
  onUndo: (() => void) | undefined;
  onClose: () => void;
}

export function Toast({ done, followUp, onFollow, onUndo, onClose }: ToastProps) {
  const { sheet, list } = useOrganizeMessages().pages;
  const [isHeld, setHeld] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each action restarts the timer.
  useEffect(() => {
    if (isHeld || followUp) return;
    const timer = setTimeout(onClose, TOAST_MS);
    return () => clearTimeout(timer);
  }, [done, isHeld, followUp, onClose]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: reading it holds it, and nothing else.
    <div
      className={styles.toast}
      data-toast
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <p>
        <bdi>{done.sentence}</bdi> {!onUndo && sheet.undone} {followUp?.reason}
      </p>
      {followUp && (
        <button type="button" className={styles.follow} onClick={() => onFollow?.(followUp.order)}>
          {wordFor(sheet.verbs, followUp.order.action)}
        </button>
      )}
      {onUndo && (
        <button type="button" aria-keyshortcuts="u" className={styles.undo} onClick={onUndo}>
          {sheet.undoToast} <KeyHint of="u" />
        </button>
      )}
      <button type="button" className={styles.close} aria-label={list.close} onClick={onClose}>
        <CrossIcon />
      </button>
    </div>
  );
}
