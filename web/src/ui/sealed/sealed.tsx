/**
 * Marks of the freeze: of the viewer's own sealed solves, and of ranks as they were when the freeze
 * began.
 */
import { createContext, type ReactNode, useContext } from "react";
import { useMessages } from "../../messages/language";
import { SealedIcon } from "../icons/icons";
import { useHours } from "../times/times";
import styles from "./sealed.module.css";

/**
 * Time of the reveal in epoch milliseconds; null if organizers decide, undefined while nothing is
 * frozen.
 */
type RevealMs = number | null | undefined;

const RevealContext = createContext<RevealMs>(undefined);

export function SealProvider(props: { revealMs: RevealMs; children: ReactNode }) {
  return <RevealContext value={props.revealMs}>{props.children}</RevealContext>;
}

/** True while the scoreboard is frozen. */
export function useIsFrozen(): boolean {
  return useContext(RevealContext) !== undefined;
}

/** "sealed until 23:03", for a solve of the viewer's team during the freeze. */
export function useSealText(): string {
  const { sealed: words } = useMessages();
  const hours = useHours();
  const revealMs = useContext(RevealContext);
  if (revealMs === undefined) return words.plain;
  return revealMs === null ? words.untilReveal : words.untilTime(hours(revealMs));
}

/** The seal of a solve: a hollow flag and the time of the reveal. */
export function Seal({ className = "" }: { className?: string | undefined }) {
  return (
    <span className={`${styles.seal} ${className}`}>
      <SealedIcon />
      <span>{useSealText()}</span>
    </span>
  );
}

/** The mark beside a rank while the scoreboard is frozen; otherwise nothing. */
export function FrozenMark() {
  const { sealed: words } = useMessages();
  if (!useIsFrozen()) return null;
  return <span className={styles.frozen}>{words.frozen}</span>;
}
