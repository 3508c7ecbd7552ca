/**
 * The one place for toasts: a message (error, success or info) until it is dismissed, and toasts
 * that other parts add as children.
 */
import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Sentence } from "../../messages/en";
import { useMessages } from "../../messages/language";
import { BrokenIcon, CheckIcon, CrossIcon, InfoIcon } from "../icons/icons";
import { freeEdge } from "./free-edge";
import styles from "./notification.module.css";

type NoticeKind = "error" | "success" | "info";
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

const ICONS = { error: <BrokenIcon />, success: <CheckIcon />, info: <InfoIcon /> } as const;

interface ToastProps {
  kind: NoticeKind | "blood";
  /** Replaces the icon of the kind. */
  icon?: ReactNode;
  /** Called by the button that dismisses the toast. */
  onDismiss?: (() => void) | undefined;
  children: ReactNode;
}

/** One toast, for the toast region. Its live region is the parent. */
export function Toast({ kind, icon, onDismiss, children }: ToastProps) {
  const { notification } = useMessages();
  return (
    <div className={styles.toast} data-kind={kind}>
      {icon ?? (kind === "blood" ? null : ICONS[kind])}
      <div className={styles.text}>{children}</div>
      {onDismiss && (
        <button
          type="button"
          className={styles.dismiss}
          onClick={onDismiss}
          aria-label={notification.dismiss}
        >
          <CrossIcon />
        </button>
      )}
    </div>
  );
}

/** Moves the region to the edge at which it covers no controls, whenever a toast is added. */
function useFreeEdge(region: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const box = region.current;
    if (!box) return;
    let heightPx = 0;
    const observer = new ResizeObserver(() => {
      const { offsetHeight } = box;
      if (offsetHeight > heightPx) box.dataset.edge = freeEdge(box);
      heightPx = offsetHeight;
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [region]);
}

/**
 * The region. Its status stays in the DOM so that screen readers announce messages; an alert is
 * announced when it is added.
 */
export function NotificationBar({ children }: { children?: ReactNode }) {
  const messages = useMessages();
  const notice = useContext(NoticeContext);
  const { clear } = useNotify();
  const region = useRef<HTMLDivElement>(null);
  useFreeEdge(region);
  const toast = notice && (
    <Toast key={notice.kind} kind={notice.kind} onDismiss={clear}>
      {messages.translate(notice.sentence)}
    </Toast>
  );
  return (
    <div className={styles.region} ref={region}>
      {notice?.kind === "error" && <div role="alert">{toast}</div>}
      <div role="status">{notice?.kind !== "error" && toast}</div>
      {children}
    </div>
  );
}
