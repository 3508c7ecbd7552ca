/** A button that copies the text above it and shows the result. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useOrganizeMessages } from "../../messages/organize/words";
import { copyText } from "../../ui/copy/copy";
import { Field } from "../../ui/field/field";
import { CopyIcon } from "../../ui/icons/icons";
import { useNotify } from "../../ui/notification/notification";
import styles from "./organize.module.css";

interface CopyButtonProps {
  text: string;
  label: string;
  /** Other buttons in the row. */
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

/** A text that is shown only once, in a field with a copy button. */
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

/** A command for a shell on the server, with a button that copies it. */
export function CommandLine({ text }: { text: string }) {
  const { commands: words } = useOrganizeMessages().manage;
  const { notify } = useNotify();
  const { copyFailed } = useOrganizeMessages();
  async function copy() {
    const isCopied = await copyText(text);
    notify(isCopied ? "success" : "error", {
      message: isCopied ? words.copied(text) : copyFailed,
    });
  }
  return (
    <span className={styles.command}>
      <code>{text}</code>
      <button type="button" aria-label={words.copyOf(text)} onClick={() => void copy()}>
        <CopyIcon />
      </button>
    </span>
  );
}
