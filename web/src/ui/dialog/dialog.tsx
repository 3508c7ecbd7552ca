/** A modal dialog: the browser keeps the focus inside; Esc and a click outside close it. */
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { useMessages } from "../../messages/language";
import { CrossIcon } from "../icons/icons";
import styles from "./dialog.module.css";

interface DialogProps {
  title: string;
  onClose: () => void;
  /** Wraps the scrolling content. */
  frame?: (body: ReactNode) => ReactNode;
  children: ReactNode;
}

export function Dialog({ title, onClose, frame, children }: DialogProps) {
  const { dialog: words } = useMessages();
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Close before the element is removed: only a closed dialog restores the focus.
  useLayoutEffect(() => {
    const dialog = box.current;
    if (dialog && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  const body = <div className={styles.body}>{children}</div>;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes it on Esc.
    <dialog
      ref={box}
      aria-labelledby={id}
      className={styles.dialog}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === box.current) onClose();
      }}
    >
      <div className={styles.header}>
        <h2 id={id}>{title}</h2>
        <button type="button" onClick={onClose} aria-label={words.close}>
          <CrossIcon />
        </button>
      </div>
      {frame ? frame(body) : body}
    </dialog>
  );
}
