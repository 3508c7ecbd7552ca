/** A button that copies a text which stands above it, and says whether it did. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useOrganizeMessages } from "../../messages/organize/words";
import { copyText } from "../../ui/copy/copy";
import { Field } from "../../ui/field/field";
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

interface ShownOnceProps {
  text: string;
  label: string;
  copy: string;
  children: ReactNode;
}

/** A text that is not shown again, in a field from which it is copied. */
export function ShownOnce({ text, label, copy, children }: ShownOnceProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <>
      <Field
        ref={field}
        label={label}
        value={text}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton text={text} label={copy}>
        {children}
      </CopyButton>
    </>
  );
}
