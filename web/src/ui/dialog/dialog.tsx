/** A dialog over the page: the browser keeps the focus in it, Esc and a click beside close it. */
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { useMessages } from "../../messages/language";
import { CrossIcon } from "../icons/icons";
import styles from "./dialog.module.css";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const { dialog: words } = useMessages();
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the element goes: a dialog that closes on the page gives the focus back.
  useLayoutEffect(() => {
    const dialog = box.current;
    if (dialog && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc is the keyboard's way, and the browser's.
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
      <div className={styles.content}>
        <header className={styles.header}>
          <h2 id={id}>{title}</h2>
          <button type="button" onClick={onClose} aria-label={words.close}>
            <CrossIcon />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
