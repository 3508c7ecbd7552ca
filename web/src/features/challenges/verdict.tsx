/**
 * The result of the last flag: incorrect, or not checked, with advice; otherwise the pause note.
 * While the card shakes the line is only announced; it stays until the next keystroke.
 */
import { ApiError } from "../../api/client";
import { useIsPaused } from "../../api/clock";
import { shownFormat, wrapping } from "../../domain/flag-format";
import { notJudged } from "../../domain/not-judged";
import type { Messages } from "../../messages/en";
import { useMessages } from "../../messages/language";
import styles from "./flag-form.module.css";
import { usePreloadedMoment } from "./moment";

/** Text for an incorrect flag. Mentions the format only if the flag lacks it, or if it is prose. */
function wrongText({ challenges: words }: Messages, format: string | null, flag: string): string {
  const shown = shownFormat(format);
  const part = wrapping(format, flag);
  if (shown === null || part === "whole") return words.wrongFlag;
  return part === "none" ? words.wrapperMissing(shown) : words.flagsLookLike(shown);
}

function notJudgedText({ challenges: words, translate }: Messages, error: Error): string {
  const reason = error instanceof ApiError ? notJudged(error) : "noAnswer";
  if (reason === "other") return words.notJudged.other(translate(error));
  return words.notJudged[reason];
}

interface VerdictProps {
  id: string;
  /** The submitted flag. */
  flag: string;
  /** Flag format of the challenge. */
  format: string | null;
  isWrong: boolean;
  /** Set if the flag is one of several. */
  found?: { found: number; of: number } | undefined;
  error: Error | null;
  /** True while the line is only announced. */
  isHidden: boolean;
  /** Number of times that the reason for the waiting time is repeated. */
  reminders?: number;
}

export function Verdict({ id, flag, format, isWrong, error, isHidden, ...props }: VerdictProps) {
  const messages = useMessages();
  const isPaused = useIsPaused();
  const { reminders = 0, found } = props;
  usePreloadedMoment();
  let text = isPaused ? messages.paused.beforeFlag : "";
  if (found) text = messages.challenges.flagFound(found.found, found.of);
  else if (isWrong) text = wrongText(messages, format, flag);
  else if (error) text = notJudgedText(messages, error);
  else if (reminders > 0) text = messages.challenges.notJudged.tooFast;
  const isSeen = text !== "" && !isHidden;
  return (
    <p
      id={id}
      role="status"
      className={isSeen ? styles.verdict : "visually-hidden"}
      data-wrong={isWrong}
      data-found={found !== undefined || undefined}
    >
      {/* A new element is announced even if its text is the same. */}
      <span key={reminders}>{text}</span>
    </p>
  );
}
