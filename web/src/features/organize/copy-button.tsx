/** A button that copies a text which stands above it, and says whether it did. */
import { type ReactNode, useState } from "react";
import { useOrganizeMessages } from "../../messages/organize/words";
import { copyText } from "../../ui/copy/copy";
import styles from "./organize.module.css";

interface CopyButtonProps {
  text: string;
  label: string;
  /** Other buttons of the row. */
  children?: ReactNode;
}

export function CopyButton({ text, label, children }: CopyButtonProps) {
  const words = useOrganizeMessages();
  const [isCopied, setCopied] = useState<boolean | null>(null);
  return (
    <div className={styles.row}>
      <button type="button" onClick={() => void copyText(text).then(setCopied)}>
        {label}
      </button>
      {children}
      <span role="status" className={styles.status}>
        {isCopied !== null && (isCopied ? words.copied : words.copyFailed)}
      </span>
    </div>
  );
}
