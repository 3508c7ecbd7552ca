/** Login and signup attempts: each needs a captcha token and resets the captcha afterwards. */
import { useMutation } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { failureOf } from "../../api/client";
import { type CaptchaHandle, INVALID_CAPTCHA } from "../../ui/captcha/captcha";
import { useNotify } from "../../ui/notification/notification";

/** The attempts of one form. `send` gets the captcha's token. */
export function useAttempt<Input>(send: (input: Input, captchaToken: string) => Promise<void>) {
  const handle = useRef<CaptchaHandle>(null);
  const [isUnsolved, setIsUnsolved] = useState(false);
  const { notify, clear } = useNotify();
  const onError = useCallback(
    (error: unknown) => {
      if (error !== INVALID_CAPTCHA) return notify("error", failureOf(error));
      clear();
      setIsUnsolved(true);
    },
    [notify, clear],
  );
  const onSolved = useCallback(() => setIsUnsolved(false), []);
  const attempt = useMutation({
    mutationFn: ({ input, token }: { input: Input; token: string }) => send(input, token),
    // Fail immediately when offline, rather than later with an expired captcha.
    networkMode: "always",
    onError,
    onSettled: () => handle.current?.reset(),
  });
  function submit(input: Input): void {
    clear();
    const token = handle.current?.token() ?? null;
    if (token === null) onError(INVALID_CAPTCHA);
    else attempt.mutate({ input, token });
  }
  /** A rejection is about the fields as they were. */
  function onInput(): void {
    if (attempt.isError) clear();
  }
  /** Properties of the form's captcha. */
  const captcha = { ref: handle, onError, onSolved, isUnsolved };
  return { captcha, submit, onInput, pending: attempt.isPending, error: attempt.error };
}
