/**
 * The place of the urgent notice below the navigation bar. It has its height from the first render,
 * so that the page does not move when the notice arrives.
 */
import { type ReactNode, useLayoutEffect } from "react";
import { useSecondsUntil } from "../../api/clock";
import { useCtf, useNotices } from "../../api/queries";
import { interrupts, lastUrgentEnd, urgentNotices } from "../../domain/news";
import { useSeen } from "../../ui/seen/seen";
import styles from "./notice-banner.module.css";

/** Urgent notices for this viewer; null before the notices are loaded. */
export function useUrgentNotices() {
  const notices = useNotices(false).data ?? null;
  const seen = useSeen();
  const nowMs = useSecondsUntil(lastUrgentEnd(notices ?? []));
  return { urgent: notices && urgentNotices(notices, seen, nowMs), seen, nowMs };
}

export function NoticeSlot({ children }: { children: ReactNode }) {
  const info = useCtf().data?.info;
  const { urgent, seen, nowMs } = useUrgentNotices();
  const isUsed = urgent ? urgent.length > 0 : interrupts(info?.urgent ?? [], seen, nowMs);
  useLayoutEffect(() => {
    // Everything that sticks to the top of the window is below the notice.
    document.documentElement.toggleAttribute("data-notice", isUsed);
    return () => document.documentElement.removeAttribute("data-notice");
  }, [isUsed]);
  return (
    <div className={styles.slot} data-used={isUsed}>
      {children}
    </div>
  );
}
