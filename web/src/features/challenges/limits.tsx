/** Flags found of several, and the attempts that are left. Nothing without such rules. */
import { useEffect, useRef } from "react";
import type { Challenge } from "../../api/calls";
import { useMessages } from "../../messages/language";
import styles from "./task.module.css";

/** The server's error without attempts. */
export const NO_ATTEMPTS = {
  code: "attempts_used",
  message: "Your team has no attempts left for this challenge.",
};

/** Flags found of several, such as "2 of 3 flags". Nothing if there is only one. */
export function FlagsFound({
  challenge: { progress },
}: {
  challenge: Pick<Challenge, "progress">;
}) {
  const { challenges: words } = useMessages();
  if (!progress || progress.of === 1) return null;
  return <span>{words.flagsFound(progress.found, progress.of)}</span>;
}

/** The attempts that are left, below the form; a warning before the last one. */
export function AttemptsLeft({ left }: { left: number }) {
  const { challenges: words } = useMessages();
  return (
    <p role="status" className={styles.attempts} data-last={left === 1 || undefined}>
      {left === 1 ? words.lastAttempt : words.attemptsLeft(left)}
    </p>
  );
}

/**
 * Replaces the form without attempts; `isAnswer` is set if a flag submitted here used the last one.
 * Takes the focus that the form had.
 */
export function NoAttempts({ isAnswer }: { isAnswer: boolean }) {
  const { challenges: words, translate } = useMessages();
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) line.current?.focus();
  }, []);
  return (
    <p ref={line} tabIndex={-1} role="status" className={styles.solvedAt}>
      {isAnswer ? words.lastWrong : translate(NO_ATTEMPTS)}
    </p>
  );
}
