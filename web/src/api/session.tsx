/** The session: the team of the token cookie, login and logout, and the live channel. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo } from "react";
import { postLogout } from "./calls";
import type { Failure } from "./client";
import { clearDrafts } from "./draft-keys";
import { LIVE_KEY, LiveClient } from "./live";
import {
  ACCOUNT_KEY,
  applyNews,
  CHALLENGES_KEY,
  CTF_KEY,
  type Ctf,
  fetchCtf,
  hadSession,
  QUESTIONS_KEY,
  refetchChallenges,
  refetchLimits,
  refetchNews,
  refetchOlder,
  refetchQuestions,
  useCtf,
} from "./queries";
import { clearToken, followOtherTabs, readToken, writeToken } from "./token";
import { discardFlags } from "./waiting-flags";

export const COOKIE_REFUSED =
  "Your browser rejected the session cookie. Open the site over https:// and log in again.";

export const SESSION_ENDED =
  "Your session has ended, possibly in another tab. Log in again; any flag you typed is kept.";

const LiveContext = createContext<LiveClient | null>(null);

/** Clears all team data after the token was removed, here or in another tab. */
function forgetTeam(cache: QueryClient, live: LiveClient | null, isElsewhere: boolean): void {
  cache.setQueryData<Ctf>(CTF_KEY, (old) => {
    if (!old) return old;
    const sessionEnded = isElsewhere && hadSession(old);
    return { ...old, info: { ...old.info, loggedTeam: null }, sessionEnded };
  });
  forgetPlay(cache);
  live?.checkViewer();
}

/** Clears the team's challenges, questions and submitted flags. */
function forgetPlay(cache: QueryClient): void {
  discardFlags(cache);
  cache.removeQueries({ queryKey: CHALLENGES_KEY });
  cache.removeQueries({ queryKey: QUESTIONS_KEY });
  cache.removeQueries({ queryKey: ACCOUNT_KEY });
}

/** Follows logins and logouts in other tabs. */
function useOtherTabs(cache: QueryClient, live: LiveClient): void {
  useEffect(
    () =>
      followOtherTabs(() => {
        if (readToken() === "") return forgetTeam(cache, live, true);
        forgetPlay(cache);
        void cache.invalidateQueries({ queryKey: CTF_KEY });
      }),
    [cache, live],
  );
}

/** Runs the live channel for its children; `onError` receives channel errors. */
export function LiveProvider(props: { onError: (failure: Failure) => void; children: ReactNode }) {
  const { onError, children } = props;
  const cache = useQueryClient();
  const live = useMemo(
    () =>
      new LiveClient({
        onView: (view) => cache.setQueryData(LIVE_KEY, view),
        onError,
        onNews: (message) => applyNews(cache, message),
        onAnswer: () => refetchQuestions(cache),
        onProgress: () => refetchChallenges(cache),
        onReopened: () => refetchLimits(cache),
        onBoardReplaced: () => refetchNews(cache),
        onFirstBoard: (seq) => refetchOlder(cache, seq),
      }),
    [cache, onError],
  );
  const ctf = useCtf().data;

  useEffect(() => live.start(), [live]);
  useOtherTabs(cache, live);

  useEffect(() => {
    if (ctf) live.checkViewer();
  }, [ctf, live]);

  return <LiveContext value={live}>{children}</LiveContext>;
}

/** Returns a function that requests missed board updates. */
export function useLiveRefresh(): () => void {
  const live = useContext(LiveContext);
  return useMemo(() => () => live?.refresh(), [live]);
}

export interface Session {
  /** The team, set when the server has accepted the token. */
  readonly team: string | null;
  /** False until the server has checked the token. */
  readonly known: boolean;
  /** True if the session ended without a logout in this tab. */
  readonly ended: boolean;
}

/** The current session. Without the cookie it is logged out, whatever the cache contains. */
export function useSession(): Session {
  const { data } = useCtf();
  if (readToken() === "") return { team: null, known: true, ended: hadSession(data) };
  return { team: data?.info.loggedTeam ?? null, known: data !== undefined, ended: false };
}

/** Client side of login and logout. */
export function useSessionActions() {
  const cache = useQueryClient();
  const live = useContext(LiveContext);
  return useMemo(
    () => ({
      /** Stores the token and fetches its team; throws if the browser rejects the cookie. */
      async logIn(token: string): Promise<void> {
        if (!writeToken(token)) throw new Error(COOKIE_REFUSED);
        await cache.cancelQueries({ queryKey: CTF_KEY });
        await cache.fetchQuery({ queryKey: CTF_KEY, queryFn: fetchCtf, staleTime: 0 });
      },
      /** Replaces the token with a new one of the same team. */
      renew(token: string): void {
        if (!writeToken(token)) throw new Error(COOKIE_REFUSED);
        live?.checkViewer();
      },
      /** Logs out locally at once, then on the server. */
      async logOut(): Promise<void> {
        const token = readToken();
        clearToken();
        clearDrafts("play");
        forgetTeam(cache, live, false);
        if (token !== "") await postLogout(token);
      },
    }),
    [cache, live],
  );
}
