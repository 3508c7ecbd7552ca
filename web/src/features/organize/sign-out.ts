/** Logs the organizer out. */
import { useMutation } from "@tanstack/react-query";
import { postSignOut } from "../../api/organize";
import { go } from "../../navigate";
import { useShowError } from "./fault";
import { SIGN_IN, useGate } from "./second-factor-gate";

/** Returns a function that logs out and opens the login page. */
export function useSignOut(): () => void {
  const run = useGate();
  const { mutate } = useMutation({
    mutationFn: () => run(postSignOut),
    onSuccess: () => go(SIGN_IN),
    onError: useShowError(),
  });
  return mutate;
}
