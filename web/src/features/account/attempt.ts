/** What login and signup share: no captcha token, no attempt; the captcha resets after each. */
import { useMutation } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { failureOf } from "../../api/client";
import { type CaptchaHandle, INVALID_CAPTCHA } from "../../ui/captcha/captcha";
import { useNotify } from "../../ui/notification/notification";

/** One form's attempts. `send` gets the captcha's token. */
export function useAttempt<Input>(send: (input: Input, captchaToken: string) => Promise<void>) {
  const captcha = useRef<CaptchaHandle>(null);
  const { notify, clear } = useNotify();
  const showError = useCallback((error: unknown) => notify("error", failureOf(error)), [notify]);
  const attempt = useMutation({
    mutationFn: ({ input, token }: { input: Input; token: string }) => send(input, token),
    onError: showError,
    onSettled: () => captcha.current?.reset(),
  });
  /** With a fault in the form nothing is sent, but a missing captcha is told along with it. */
  function submit(input: Input, isSound = true): void {
    clear();
    const token = captcha.current?.token() ?? null;
    if (token === null) notify("error", INVALID_CAPTCHA);
    else if (isSound) attempt.mutate({ input, token });
  }
  return { captcha, submit, showError, pending: attempt.isPending, error: attempt.error };
}

/** A text field of a submitted form. */
export function formText(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === "string" ? value : "";
}
