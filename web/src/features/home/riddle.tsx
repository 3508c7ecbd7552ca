/** A riddle to solve before the signup. It is judged here, and nothing is sent. */
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { shownFormat, wrapping } from "../../domain/flag-format";
import { riddleOf } from "../../domain/riddle";
import type { Messages } from "../../messages/en";
import { useMessages } from "../../messages/language";
import { useShake } from "../../ui/shake/shake";
import styles from "./riddle.module.css";

/** Text for an incorrect flag, which mentions the format if the flag lacks it. */
function wrongText({ challenges: words }: Messages, answer: string, flag: string): string {
  const hasWrapper = answer.endsWith("}");
  const shown = hasWrapper ? shownFormat(answer.replace(/\{.*/, "{...}")) : null;
  const part = hasWrapper ? wrapping(shown, flag) : null;
  if (shown === null || part === "whole") return words.wrongFlag;
  return part === "none" ? words.wrapperMissing(shown) : words.flagsLookLike(shown);
}

/** The moment of the first solve; it takes the focus from the field that it replaces. */
function Solved({ answer }: { answer: string }) {
  const { home, challenges } = useMessages();
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => link.current?.focus({ preventScroll: true }), []);
  return (
    <div className={styles.solved}>
      <svg viewBox="0 0 48 72" className={styles.hoist} aria-hidden="true">
        <path d="M6 2h3v70H6z" />
        <circle cx="7.5" cy="3" r="3" />
        <path d="M9 8c10-4 16 4 24 1s10-1 13 1l-6 9 6 9c-8-3-14 3-22 1s-10-2-15 0z" />
      </svg>
      <div>
        <p className={styles.correct}>
          <span className="visually-hidden">{challenges.solved}: </span>
          <code>{answer}</code>
        </p>
        <p>
          {home.riddle.solved}{" "}
          <a ref={link} href="/signup" className="reach">
            {home.riddle.signUp}
          </a>
        </p>
      </div>
    </div>
  );
}

export default function Riddle({ format }: { format: string | null }) {
  const messages = useMessages();
  const { home, challenges } = messages;
  const { shown, answer } = riddleOf(format);
  const [wrong, setWrong] = useState<string | null>(null);
  const [isSolved, setSolved] = useState(false);
  const [shakes, shake] = useShake();
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  function submit(event: FormEvent) {
    event.preventDefault();
    const flag = input.current?.value.trim() ?? "";
    if (flag === answer) return setSolved(true);
    setWrong(flag);
    shake();
    input.current?.focus();
  }
  return (
    <section className={styles.riddle} aria-labelledby={`${id}-title`} data-wrong={shakes}>
      <h2 id={`${id}-title`}>{home.riddle.title}</h2>
      <p id={`${id}-task`}>{home.riddle.prompt}</p>
      <p className={styles.cipher}>
        <code translate="no">{shown}</code>
      </p>
      <div role="status" className={styles.verdict}>
        {isSolved && <Solved answer={answer} />}
        {wrong !== null && !isSolved && (
          <p className={shakes ? "visually-hidden" : styles.wrong}>
            {wrongText(messages, answer, wrong)}
          </p>
        )}
      </div>
      {!isSolved && (
        <form onSubmit={submit}>
          <input
            ref={input}
            type="text"
            name="riddle"
            placeholder={challenges.flag}
            aria-label={home.riddle.flag}
            aria-describedby={`${id}-task`}
            aria-invalid={wrong === null ? undefined : true}
            onInput={() => setWrong(null)}
            autoComplete="off"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="go"
          />
          <button type="submit">{challenges.submit}</button>
        </form>
      )}
    </section>
  );
}
