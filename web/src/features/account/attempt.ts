/** Shared by login and signup: each attempt needs a captcha token, and resets the captcha after. */
import { useMutation } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { failureOf } from "../../api/client";
import { type CaptchaHandle, INVALID_CAPTCHA } from "../../ui/captcha/captcha";
import { useNotify } from "../../ui/notification/notification";

/** The attempts of one form. `send` gets the captcha's token. */
export function useAttempt<Input>(send: (input: Input, captchaToken: string) => Promise<void>) {
  const captcha = useRef<CaptchaHandle>(null);
  const { notify, clear } = useNotify();
  const showError = useCallback((error: unknown) => notify("error", failureOf(error)), [notify]);
  const attempt = useMutation({
    mutationFn: ({ input, token }: { input: Input; token: string }) => send(input, token),
    // Without a connection it fails at once, rather than with an old captcha later.
    networkMode: "always",
    onError: showError,
    onSettled: () => captcha.current?.reset(),
  });
  /** Sends a valid form; an invalid one still reports a missing captcha. */
  function submit(input: Input, isSound = true): void {
    clear();
    const token = captcha.current?.token() ?? null;
    if (token === null) notify("error", INVALID_CAPTCHA);
    else if (isSound) attempt.mutate({ input, token });
  }
  return { captcha, submit, showError, pending: attempt.isPending, error: attempt.error };
}
