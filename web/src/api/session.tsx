/**
 * Who is looking: the team behind the cookie, login and logout, and the live channel that goes
 * along.
 */
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo } from "react";
import { postLogout } from "./calls";
import type { Failure } from "./client";
import { LIVE_KEY, LiveClient } from "./live";
import { CHALLENGES_KEY, CTF_KEY, fetchCtf, useCtf } from "./queries";
import { clearToken, readToken, writeToken } from "./token";

export const COOKIE_REFUSED =
  "This browser did not keep the login: open the site over https and log in again.";

const LiveContext = createContext<LiveClient | null>(null);

/** Runs the live channel for everything below; `onError` shows the channel's error messages. */
export function LiveProvider(props: { onError: (failure: Failure) => void; children: ReactNode }) {
  const { onError, children } = props;
  const cache = useQueryClient();
  const live = useMemo(
    () => new LiveClient({ onView: (view) => cache.setQueryData(LIVE_KEY, view), onError }),
    [cache, onError],
  );
  const ctf = useCtf().data;

  useEffect(() => live.start(), [live]);

  useEffect(() => {
    if (ctf) live.checkViewer();
  }, [ctf, live]);

  return <LiveContext value={live}>{children}</LiveContext>;
}

/** Asks for what the board may have missed. */
export function useLiveRefresh(): () => void {
  const live = useContext(LiveContext);
  return useMemo(() => () => live?.refresh(), [live]);
}

export interface Session {
  /** The team, once the server has recognised the token. */
  readonly team: string | null;
  /** False while a token is still to be recognised. */
  readonly known: boolean;
}

/** Without the cookie nobody is logged in, whatever was last heard. */
export function useSession(): Session {
  const { data } = useCtf();
  if (readToken() === "") return { team: null, known: true };
  return { team: data?.info.loggedTeam ?? null, known: data !== undefined };
}

/** Login and logout as the client does them. */
export function useSessionActions() {
  const cache = useQueryClient();
  const live = useContext(LiveContext);
  return useMemo(
    () => ({
      /** Keeps the token and learns whose it is; throws when the browser refuses the cookie. */
      async enter(token: string): Promise<void> {
        if (!writeToken(token)) throw new Error(COOKIE_REFUSED);
        await cache.cancelQueries({ queryKey: CTF_KEY });
        await cache.fetchQuery({ queryKey: CTF_KEY, queryFn: fetchCtf, staleTime: 0 });
      },
      /** Logged out at once here; the server is told after. */
      async leave(): Promise<void> {
        const token = readToken();
        clearToken();
        cache.setQueryData<Awaited<ReturnType<typeof fetchCtf>>>(CTF_KEY, (old) =>
          old ? { ...old, info: { ...old.info, loggedTeam: null } } : old,
        );
        cache.removeQueries({ queryKey: CHALLENGES_KEY });
        live?.checkViewer();
        if (token !== "") await postLogout(token);
      },
    }),
    [cache, live],
  );
}
