/** Sends a form; the notification bar shows the response's message, or the error. */
import { useMutation } from "@tanstack/react-query";
import { useNotify } from "../../ui/notification/notification";

export function useSending<Input, Answer extends { message: string }>(
  send: (input: Input) => Promise<Answer>,
) {
  const { notify } = useNotify();
  return useMutation({
    mutationFn: send,
    onSuccess: ({ message }) => notify("success", { message }),
    onError: (error) => notify("error", error),
  });
}
