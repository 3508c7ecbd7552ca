/**
 * What became of the last flag: wrong, or not judged, with what to do; else, in a pause, that no
 * flag counts. While the card shakes the line is only read out; it stays until the next keystroke.
 */
import { ApiError } from "../../api/client";
import { useIsPaused } from "../../api/clock";
import { shownFormat, wrapping } from "../../domain/flag-format";
import { notJudged } from "../../domain/not-judged";
import type { Messages } from "../../messages/en";
import { useMessages } from "../../messages/language";
import styles from "./card.module.css";

/** The format is only said to whom it may help: the flag lacks it, or it is in words. */
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
  /** The flag that was sent. */
  flag: string;
  /** That of the challenge. */
  format: string | null;
  isWrong: boolean;
  error: Error | null;
  /** Not to be seen yet. */
  isHidden: boolean;
}

export function Verdict({ id, flag, format, isWrong, error, isHidden }: VerdictProps) {
  const messages = useMessages();
  const isPaused = useIsPaused();
  let text = isPaused ? messages.paused.beforeFlag : "";
  if (isWrong) text = wrongText(messages, format, flag);
  else if (error) text = notJudgedText(messages, error);
  const isSeen = text !== "" && !isHidden;
  return (
    <p
      id={id}
      role="status"
      className={isSeen ? styles.verdict : "visually-hidden"}
      data-wrong={isWrong}
    >
      {text}
    </p>
  );
}
