/** The status of a challenge as a badge with an icon; nothing while it works. */
import { useMessages } from "../../messages/language";
import { BrokenIcon, CheckIcon, EyeIcon } from "../icons/icons";
import styles from "./status-badge.module.css";

export type BadgeStatus = "works" | "looked_at" | "broken" | "fixed";

const ICONS = { looked_at: EyeIcon, broken: BrokenIcon, fixed: CheckIcon } as const;

export function StatusBadge({ status }: { status: BadgeStatus }) {
  const { challengeStatus: words } = useMessages();
  if (status === "works") return null;
  const StatusIcon = ICONS[status];
  return (
    <span className={styles.badge} data-status={status}>
      <StatusIcon />
      {words[status]}
    </span>
  );
}
