/** Errors of fields and calls. */
import { useCallback, useRef, useState } from "react";
import { ApiError, failureOf } from "../../api/client";
import { codeOf } from "../../api/organize";
import { useTranslate } from "../../messages/organize/words";
import { useNotify } from "../../ui/notification/notification";

/** The error of a field. The field gets the focus when the error appears. */
export function useFault(initial: string | null = null) {
  const field = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState(initial);
  function show(text: string | null): void {
    setFault(text);
    if (text !== null) field.current?.focus();
  }
  return { field, fault, show };
}

/** Returns an error's message; `null` if the login page opens instead. */
export function useSentence(): (error: unknown) => string | null {
  const translate = useTranslate();
  return useCallback(
    (error) => (codeOf(error) === "login_needed" ? null : translate(failureOf(error))),
    [translate],
  );
}

/** Returns an error's message, followed by its individual problems. */
export function useFaultText(): (error: unknown) => string {
  const sentence = useSentence();
  return useCallback(
    (error) => {
      const problems = error instanceof ApiError ? error.problems : [];
      return [sentence(error) ?? "", ...problems].join(" ");
    },
    [sentence],
  );
}

export function useShowError(): (error: unknown) => void {
  const { notify } = useNotify();
  const sentence = useSentence();
  return useCallback(
    (error) => {
      const message = sentence(error);
      if (message !== null) notify("error", { message });
    },
    [notify, sentence],
  );
}
