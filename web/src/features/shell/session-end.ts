/** Says that the session has ended, where it happens and on the login page that it leads to. */
import { useEffect } from "react";
import { SESSION_ENDED, useSession } from "../../api/session";
import { useAddress } from "../../navigate";
import { useNotify } from "../../ui/notification/notification";

/** Runs after what clears the notification on a route change. */
export function useSessionEnd(): void {
  const { ended } = useSession();
  const isAtLogin = useAddress().path === "/login";
  const { notify } = useNotify();
  useEffect(() => {
    if (ended) notify("info", { message: SESSION_ENDED });
  }, [ended, notify]);
  useEffect(() => {
    if (ended && isAtLogin) notify("info", { message: SESSION_ENDED });
  }, [ended, isAtLogin, notify]);
}
