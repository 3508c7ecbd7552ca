/** A small button that copies the text next to it and briefly shows the result. */
import { useEffect, useState } from "react";
import { useMessages } from "../../messages/language";
import { CheckIcon, CopyIcon } from "../icons/icons";
import styles from "./copy.module.css";

const SAID_MS = 2500;

/** Writes a text to the clipboard; false if the browser denies access, as on plain http. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

interface CopyButtonProps {
  text: string;
  /** Accessible name of the button; starts with "Copy". */
  label: string;
}

export function CopyButton({ text, label }: CopyButtonProps) {
  const { copy: words } = useMessages();
  const [isCopied, setCopied] = useState<boolean | null>(null);
  useEffect(() => {
    if (isCopied === null) return;
    const timer = setTimeout(() => setCopied(null), SAID_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const said = isCopied === null ? "" : isCopied ? words.copied : words.failed;
  return (
    <span className={styles.place}>
      <button
        type="button"
        className={styles.button}
        aria-label={label}
        data-copied={isCopied ?? undefined}
        onClick={() => void copyText(text).then(setCopied)}
      >
        {isCopied ? <CheckIcon /> : <CopyIcon />}
        {words.copy}
      </button>
      <span aria-live="polite" className={said === "" ? "visually-hidden" : styles.said}>
        {said}
      </span>
    </span>
  );
}
