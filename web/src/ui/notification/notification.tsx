/** The notification bar: one dismissable message at a time: error, success or info. */
import { createContext, type ReactNode, useContext, useMemo, useState } from "react";
import type { Sentence } from "../../messages/en";
import { useMessages } from "../../messages/language";
import { CrossIcon } from "../icons/icons";
import styles from "./notification.module.css";

export type NoticeKind = "error" | "success" | "info";
interface Notice {
  kind: NoticeKind;
  sentence: Sentence;
}
interface Notify {
  notify(kind: NoticeKind, sentence: Sentence): void;
  clear(): void;
}

const NotifyContext = createContext<Notify>({ notify() {}, clear() {} });
const NoticeContext = createContext<Notice | null>(null);

export function NotificationProvider({ children }: { children: ReactNode }) {
  const [notice, setNotice] = useState<Notice | null>(null);
  const actions = useMemo(
    () => ({
      notify: (kind: NoticeKind, sentence: Sentence) => setNotice({ kind, sentence }),
      clear: () => setNotice(null),
    }),
    [],
  );
  return (
    <NotifyContext value={actions}>
      <NoticeContext value={notice}>{children}</NoticeContext>
    </NotifyContext>
  );
}

/** Functions that show and clear messages; stable across renders. */
export function useNotify(): Notify {
  return useContext(NotifyContext);
}

/** One line across the page, with its buttons as children. */
export function Bar(props: { kind: NoticeKind; text: string; children: ReactNode }) {
  return (
    <div className={styles.bar} data-kind={props.kind}>
      <span>{props.text}</span>
      {props.children}
    </div>
  );
}

/** The bar. Its live regions are always in the DOM, so that screen readers announce messages. */
export function NotificationBar({ children }: { children?: ReactNode }) {
  const messages = useMessages();
  const notice = useContext(NoticeContext);
  const { clear } = useNotify();
  const bar = notice && (
    <Bar kind={notice.kind} text={messages.translate(notice.sentence)}>
      <button
        type="button"
        className={styles.dismiss}
        onClick={clear}
        aria-label={messages.notification.dismiss}
      >
        <CrossIcon />
      </button>
    </Bar>
  );
  return (
    <div className={styles.place}>
      <div role="alert">{notice?.kind === "error" && bar}</div>
      <div role="status">{notice?.kind !== "error" && bar}</div>
      {children}
    </div>
  );
}
