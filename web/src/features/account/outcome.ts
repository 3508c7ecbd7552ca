/** Shows the result of a call in the notification bar: its message, or its error. */
import { useMemo } from "react";
import { failureOf } from "../../api/client";
import { useNotify } from "../../ui/notification/notification";

/** Handlers for a mutation whose response is a message. */
export function useOutcome() {
  const { notify } = useNotify();
  return useMemo(
    () => ({
      onSuccess: ({ message }: { message: string }) => notify("success", { message }),
      onError: (error: unknown) => notify("error", failureOf(error)),
    }),
    [notify],
  );
}
