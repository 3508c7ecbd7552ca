/** Shared by the account forms: confirms a save and refetches the account. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ACCOUNT_KEY } from "../../../api/queries";
import { useNotify } from "../../../ui/notification/notification";

const SAVED = "Saved.";

/** Sends a form; shows the server's message, or a default one. */
export function useSaving<Input>(send: (input: Input) => Promise<{ message?: string }>) {
  const cache = useQueryClient();
  const { notify, clear } = useNotify();
  return useMutation({
    mutationFn: send,
    // The request must not wait for the connection, because another team may log in before then.
    networkMode: "always",
    onMutate: clear,
    onSuccess: ({ message = SAVED }) => {
      notify("success", { message });
      return cache.invalidateQueries({ queryKey: ACCOUNT_KEY });
    },
    onError: (error) => notify("error", error),
  });
}
