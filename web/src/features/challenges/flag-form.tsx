/**
 * The flag form. An incorrect or unchecked flag shakes the card for a second, without a message;
 * then a line below shows the result. After too many incorrect flags the button counts down; Enter
 * then repeats the reason.
 */
import { useMutation } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { postSolve } from "../../api/calls";
import { ApiError } from "../../api/client";
import { useNoteLimits, useNotePractice } from "../../api/queries";
import { useLiveRefresh } from "../../api/session";
import { useTeamDraft } from "../../api/team-draft";
import { solveKey, useIsSubmitting } from "../../api/waiting-flags";
import { useMessages } from "../../messages/language";
import { Form } from "../../ui/field/field";
import { useReducedMotion } from "../../ui/motion/motion";
import { useNotify } from "../../ui/notification/notification";
import { useShake } from "../../ui/shake/shake";
import styles from "./flag-form.module.css";
import { Verdict } from "./verdict";

/** The same error as the server's. */
const FLAG_MISSING = { code: "flag_missing", message: "flag missing" };
const FLAG_MAX = 256;
const PULSE = { transform: ["none", "scale(1.06)", "none"], opacity: [0.6, 1, 0.6] };
const PULSE_MS = 360;

/** Seconds until the next attempt, counting down to 0. */
function useWait(): [number, (seconds: number) => void] {
  const [waitS, setWaitS] = useState(0);
  useEffect(() => {
    if (waitS === 0) return;
    const timer = setTimeout(() => setWaitS(waitS - 1), 1000);
    return () => clearTimeout(timer);
  }, [waitS]);
  return [waitS, setWaitS];
}

/** Counts the presses of Enter without success since the last other key; returns its setters. */
function useReminder(waitS: number) {
  const [count, setCount] = useState(0);
  const button = useRef<HTMLButtonElement>(null);
  const isStill = useReducedMotion();
  function remindOnEnter(event: KeyboardEvent) {
    if (event.key !== "Enter" || waitS === 0) return;
    event.preventDefault();
    setCount(count + 1);
    if (!isStill) button.current?.animate(PULSE, PULSE_MS);
  }
  return { reminders: waitS > 0 ? count : 0, button, remindOnEnter, calm: () => setCount(0) };
}

interface FlagFormProps {
  challenge: { id: string; challengeName: string; flagFormat?: string | null };
  /** Called for a correct flag; `isPractice` is true after the end. */
  onSolved: (isPractice: boolean) => void;
  /** Called for an incorrect flag, with the attempts that are left if they are limited. */
  onAttempt?: (left: number | undefined) => void;
}

interface Handlers {
  /** Called for flags that are incorrect or not checked. */
  onRefused: () => void;
  /** Called for one of several flags. */
  onFound: () => void;
}

/** Submits flags. */
function useSubmission(
  { challenge, onSolved, onAttempt }: FlagFormProps,
  { onRefused, onFound }: Handlers,
) {
  const noteLimits = useNoteLimits(challenge.id);
  const notePractice = useNotePractice(challenge.id);
  const refreshBoard = useLiveRefresh();
  const [waitS, setWaitS] = useWait();
  const isSubmitting = useIsSubmitting(challenge);
  const solve = useMutation({
    mutationKey: solveKey(challenge),
    mutationFn: (flag: string) => postSolve({ flag, challengeId: challenge.id }),
    onSuccess: ({ correct, progress, attemptsLeft, practice = false }) => {
      if (!correct && !progress) onAttempt?.(attemptsLeft);
      if (progress || attemptsLeft !== undefined) noteLimits({ progress, attemptsLeft });
      if (progress) return onFound();
      if (!correct) return onRefused();
      if (practice) notePractice();
      onSolved(practice);
      if (!practice) refreshBoard();
    },
    onError: (error) => {
      onRefused();
      if (!(error instanceof ApiError)) return;
      if (error.status === 429) setWaitS(error.retryAfterS ?? 1);
      if (error.code === "attempts_used") noteLimits({ attemptsLeft: 0 });
    },
  });
  /** Clears the last result, but keeps a pending submission. */
  function forget() {
    if (!solve.isPending) solve.reset();
  }
  return { solve, forget, isSubmitting, waitS };
}

export function FlagForm({ challenge, onSolved, onAttempt }: FlagFormProps) {
  const { challenges: words } = useMessages();
  const { notify, clear } = useNotify();
  const [wrong, shake] = useShake();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const draft = useTeamDraft(challenge.id);
  function accept(isPractice: boolean) {
    draft.discard();
    onSolved(isPractice);
  }
  function found() {
    draft.discard();
    focusHere();
  }
  function refuse() {
    shake();
    focusHere();
  }
  function focusHere() {
    // The focus is lost when the button is disabled.
    const { activeElement, body } = document;
    const isHere = activeElement === body || input.current?.form?.contains(activeElement);
    if (isHere) input.current?.focus();
  }
  const { solve, forget, isSubmitting, waitS } = useSubmission(
    { challenge, onSolved: accept, ...(onAttempt && { onAttempt }) },
    { onRefused: refuse, onFound: found },
  );
  const { reminders, button, remindOnEnter, calm } = useReminder(waitS);
  function change() {
    forget();
    calm();
  }
  function submit() {
    const flag = draft.values.text.trim();
    forget();
    if (flag === "") return notify("error", FLAG_MISSING);
    clear();
    solve.mutate(flag);
  }
  const { data, error, variables = "" } = solve;
  return (
    <Form className={styles.form} data-wrong={wrong} onSubmit={submit} onInput={change}>
      <input
        ref={input}
        type="text"
        name="flag"
        value={draft.values.text}
        onChange={(event) => draft.set("text", event.currentTarget.value)}
        onKeyDown={remindOnEnter}
        placeholder={words.flag}
        aria-label={words.flagOf(challenge.challengeName)}
        aria-describedby={id}
        aria-invalid={wrong ? true : undefined}
        maxLength={FLAG_MAX * 2}
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
      />
      <button ref={button} type="submit" disabled={isSubmitting || waitS > 0}>
        {waitS > 0 ? words.wait(waitS) : words.submit}
      </button>
      <Verdict
        id={id}
        flag={variables}
        format={challenge.flagFormat ?? null}
        isWrong={data?.correct === false && !data.progress}
        found={data?.progress}
        error={error}
        isHidden={wrong}
        reminders={reminders}
      />
    </Form>
  );
}
