/** The session: the team of the cookie's token, login and logout, and the live channel. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo } from "react";
import { postLogout } from "./calls";
import type { Failure } from "./client";
import { clearDrafts, useDraft } from "./drafts";
import { LIVE_KEY, LiveClient } from "./live";
import {
  ACCOUNT_KEY,
  CHALLENGES_KEY,
  CTF_KEY,
  type Ctf,
  fetchCtf,
  hadSession,
  QUESTIONS_KEY,
  refetchOlder,
  refetchQuestions,
  refetchTold,
  takeTold,
  useCtf,
} from "./queries";
import { clearToken, followOtherTabs, readToken, writeToken } from "./token";
import { discardWaitingFlags } from "./waiting-flags";

export const COOKIE_REFUSED =
  "This browser did not keep the login: open the site over https and log in again.";

export const SESSION_ENDED =
  "Your session has ended, perhaps in another tab. Log in again: a flag that you typed is kept.";

const LiveContext = createContext<LiveClient | null>(null);

/** What the site shows of a team goes when its token has gone, here or in another tab. */
function forgetTeam(cache: QueryClient, live: LiveClient | null, isElsewhere: boolean): void {
  cache.setQueryData<Ctf>(CTF_KEY, (old) => {
    if (!old) return old;
    const sessionEnded = isElsewhere && hadSession(old);
    return { ...old, info: { ...old.info, loggedTeam: null }, sessionEnded };
  });
  forgetPlay(cache);
  live?.checkViewer();
}

/** What a team played goes with it: its challenges, questions, and flags that wait to be sent. */
function forgetPlay(cache: QueryClient): void {
  discardWaitingFlags(cache);
  cache.removeQueries({ queryKey: CHALLENGES_KEY });
  cache.removeQueries({ queryKey: QUESTIONS_KEY });
  cache.removeQueries({ queryKey: ACCOUNT_KEY });
}

/** Follows logins and logouts in the site's other tabs. */
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

/** Runs the live channel for all components below; `onError` gets the channel's errors. */
export function LiveProvider(props: { onError: (failure: Failure) => void; children: ReactNode }) {
  const { onError, children } = props;
  const cache = useQueryClient();
  const live = useMemo(
    () =>
      new LiveClient({
        onView: (view) => cache.setQueryData(LIVE_KEY, view),
        onError,
        onTold: (message) => takeTold(cache, message),
        onAnswer: () => refetchQuestions(cache),
        onReplaced: () => refetchTold(cache),
        onFirst: (seq) => refetchOlder(cache, seq),
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

/** Requests what the board may have missed. */
export function useLiveRefresh(): () => void {
  const live = useContext(LiveContext);
  return useMemo(() => () => live?.refresh(), [live]);
}

export interface Session {
  /** The team, once the server has accepted the token. */
  readonly team: string | null;
  /** False until the server has answered for the token. */
  readonly known: boolean;
  /** A session was there and is over, and no logout of this tab has ended it. */
  readonly ended: boolean;
}

/** Without the cookie nobody is logged in, whatever the cached info says. */
export function useSession(): Session {
  const { data } = useCtf();
  if (readToken() === "") return { team: null, known: true, ended: hadSession(data) };
  return { team: data?.info.loggedTeam ?? null, known: data !== undefined, ended: false };
}

const NOTHING_TYPED = { text: "" };

/** What the team typed for something, such as a challenge, and did not send yet. */
export function useTeamDraft(what: string) {
  const { team } = useSession();
  return useDraft("play", JSON.stringify([team, what]), NOTHING_TYPED);
}

/** The client's side of login and logout. */
export function useSessionActions() {
  const cache = useQueryClient();
  const live = useContext(LiveContext);
  return useMemo(
    () => ({
      /** Stores the token and fetches its team; throws when the browser refuses the cookie. */
      async logIn(token: string): Promise<void> {
        if (!writeToken(token)) throw new Error(COOKIE_REFUSED);
        await cache.cancelQueries({ queryKey: CTF_KEY });
        await cache.fetchQuery({ queryKey: CTF_KEY, queryFn: fetchCtf, staleTime: 0 });
      },
      /** Stores the token of the same team that takes the place of the one before. */
      renew(token: string): void {
        if (!writeToken(token)) throw new Error(COOKIE_REFUSED);
        live?.checkViewer();
      },
      /** Logs out here at once, then on the server. */
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
