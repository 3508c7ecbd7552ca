/**
 * The flag form. A flag that is wrong or not judged shakes the card for a second, without a
 * message; then a line below says which it was. After too many wrong ones the button counts down.
 */
import { useMutation } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { postSolve } from "../../api/calls";
import { ApiError } from "../../api/client";
import { useLiveRefresh, useTeamDraft } from "../../api/session";
import { solveKey, useIsSubmitting } from "../../api/waiting-flags";
import { useMessages } from "../../messages/language";
import { Form } from "../../ui/field/field";
import { useNotify } from "../../ui/notification/notification";
import styles from "./card.module.css";
import { Verdict } from "./verdict";

/** The server's own error. */
const FLAG_MISSING = { code: "flag_missing", message: "flag missing" };
const SHAKE_MS = 1000;
const FLAG_MAX = 256;

/** Seconds until the next attempt is allowed; counts down to 0. */
function useWait(): [number, (seconds: number) => void] {
  const [waitS, setWaitS] = useState(0);
  useEffect(() => {
    if (waitS === 0) return;
    const timer = setTimeout(() => setWaitS(waitS - 1), 1000);
    return () => clearTimeout(timer);
  }, [waitS]);
  return [waitS, setWaitS];
}

/** True for a second after each call. */
function useShake(): [boolean, () => void] {
  const [shakes, setShakes] = useState(0);
  const [still, setStill] = useState(0);
  useEffect(() => {
    if (shakes === still) return;
    const timer = setTimeout(() => setStill(shakes), SHAKE_MS);
    return () => clearTimeout(timer);
  }, [shakes, still]);
  return [shakes !== still, () => setShakes((count) => count + 1)];
}

interface FlagFormProps {
  challenge: { id: string; challengeName: string; flagFormat?: string | null };
  onSolved: () => void;
}

/** Sends flags; `onRefused` is called for those that are wrong or not judged. */
function useSubmission({ challenge, onSolved }: FlagFormProps, onRefused: () => void) {
  const refreshBoard = useLiveRefresh();
  const [waitS, setWaitS] = useWait();
  const isSubmitting = useIsSubmitting(challenge);
  const solve = useMutation({
    mutationKey: solveKey(challenge),
    mutationFn: (flag: string) => postSolve({ flag, challengeId: challenge.id }),
    onSuccess: ({ correct }) => {
      if (!correct) return onRefused();
      onSolved();
      refreshBoard();
    },
    onError: (error) => {
      onRefused();
      if (error instanceof ApiError && error.status === 429) setWaitS(error.retryAfterS ?? 1);
    },
  });
  /** The answer to the last flag goes; a flag that is on its way keeps its own. */
  function forget() {
    if (!solve.isPending) solve.reset();
  }
  return { solve, forget, isSubmitting, waitS };
}

export function FlagForm({ challenge, onSolved }: FlagFormProps) {
  const { challenges: words } = useMessages();
  const { notify, clear } = useNotify();
  const [wrong, shake] = useShake();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const draft = useTeamDraft(challenge.id);
  function accept() {
    draft.discard();
    onSolved();
  }
  function refuse() {
    shake();
    // Disabling the button has removed the focus from it.
    const { activeElement, body } = document;
    const isHere = activeElement === body || input.current?.form?.contains(activeElement);
    if (isHere) input.current?.focus();
  }
  const { solve, forget, isSubmitting, waitS } = useSubmission(
    { challenge, onSolved: accept },
    refuse,
  );
  function submit() {
    const flag = draft.values.text.trim();
    forget();
    if (flag === "") return notify("error", FLAG_MISSING);
    clear();
    solve.mutate(flag);
  }
  const { data, error, variables = "" } = solve;
  return (
    <Form className={styles.form} data-wrong={wrong} onSubmit={submit} onInput={forget}>
      <input
        ref={input}
        type="text"
        name="flag"
        value={draft.values.text}
        onChange={(event) => draft.set("text", event.currentTarget.value)}
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
      <button type="submit" disabled={isSubmitting || waitS > 0}>
        {waitS > 0 ? words.wait(waitS) : words.submit}
      </button>
      <Verdict
        id={id}
        flag={variables}
        format={challenge.flagFormat ?? null}
        isWrong={data?.correct === false}
        error={error}
        isHidden={wrong}
      />
    </Form>
  );
}
