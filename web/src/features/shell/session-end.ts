/** Notifies that the session has ended, on the current page and on the login page. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { CTF_KEY, type Ctf, hadSession } from "../../api/queries";
import { SESSION_ENDED, useSession } from "../../api/session";
import { useAddress } from "../../navigate";
import { useNotify } from "../../ui/notification/notification";

/** Must run after the effect that clears the notification on a route change. */
export function useSessionEnd(): void {
  const { ended } = useSession();
  const isAtLogin = useAddress().path === "/login";
  const { notify } = useNotify();
  const cache = useQueryClient();
  useEffect(() => {
    // After a logout here, the page renders once with the event info of before.
    if (!ended || !hadSession(cache.getQueryData<Ctf>(CTF_KEY))) return;
    notify("info", { message: SESSION_ENDED });
  }, [ended, notify, cache]);
  useEffect(() => {
    if (!ended || !isAtLogin || !hadSession(cache.getQueryData<Ctf>(CTF_KEY))) return;
    notify("info", { message: SESSION_ENDED });
  }, [ended, isAtLogin, notify, cache]);
}
