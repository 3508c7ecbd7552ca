/** What a call said, in the notification bar: its sentence, or its failure. */
import { useMemo } from "react";
import { failureOf } from "../../api/client";
import { useNotify } from "../../ui/notification/notification";

/** Handlers for a mutation whose answer is a sentence. */
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
