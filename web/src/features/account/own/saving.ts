/** What the forms of the page share: what was saved is said, and read again. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ACCOUNT_KEY } from "../../../api/queries";
import { useNotify } from "../../../ui/notification/notification";

const SAVED = "It is saved.";

/** Sends a form; says the server's message, or that it is saved. */
export function useSaving<Input>(send: (input: Input) => Promise<{ message?: string }>) {
  const cache = useQueryClient();
  const { notify, clear } = useNotify();
  return useMutation({
    mutationFn: send,
    // Not later, when the connection is back: another team may be logged in then.
    networkMode: "always",
    onMutate: clear,
    onSuccess: ({ message = SAVED }) => {
      notify("success", { message });
      return cache.invalidateQueries({ queryKey: ACCOUNT_KEY });
    },
    onError: (error) => notify("error", error),
  });
}
