/** Server state in the query cache: one key and one hook per resource. */
import {
  MutationCache,
  QueryCache,
  QueryClient,
  skipToken,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useSyncExternalStore } from "react";
import { type NewsMessage, type Notice, withNotice } from "../domain/live";
import { isOpen, type Question } from "../domain/news";
import {
  type Challenge,
  type CtfInfo,
  getAccount,
  getChallenges,
  getCtf,
  getNotices,
  getOwnPage,
  getQuestions,
  getRules,
} from "./calls";
import { ApiError } from "./client";
import { LIVE_KEY, type LiveView, NO_LIVE_VIEW } from "./live";
import { clearToken, readToken } from "./token";

export const CTF_KEY = ["ctf"] as const;
export const CHALLENGES_KEY = ["challenges"] as const;
export const NOTICES_KEY = ["notices"] as const;
export const QUESTIONS_KEY = ["questions"] as const;
export const ACCOUNT_KEY = ["account"] as const;

const REFRESH_MS = 300_000;
/** Polling interval for answers to open questions, which the live channel does not send. */
const ANSWER_MS = 10_000;
const RETRIES_MAX = 2;

/** True if the server rejected a request, so that the same request would fail again. */
function isRefused(error: Error): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}

function retry(failures: number, error: Error): boolean {
  return !isRefused(error) && failures < RETRIES_MAX;
}

/** True while the last response to a request of the page was missing or a server error. */
export function useIsServerDown(): boolean {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    (onChange) => cache.subscribe(onChange),
    () =>
      cache.getAll().some((query) => {
        const error = query.state.fetchFailureReason ?? query.state.error;
        return error !== null && query.isActive() && !isRefused(error);
      }),
  );
}

/**
 * Creates the query cache. A 401 refetches the event info, which shows if the token has expired.
 */
export function createQueryClient(): QueryClient {
  const onError = (error: Error) => {
    const refused = error instanceof ApiError && error.status === 401;
    if (refused && readToken() !== "") void client.invalidateQueries({ queryKey: CTF_KEY });
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: { queries: { retry, staleTime: 30_000 }, mutations: { retry: false } },
  });
  // Up to 1,000 rows arrive several times a second. The reducer already preserves their identity.
  client.setQueryDefaults(LIVE_KEY, { structuralSharing: false, staleTime: Infinity });
  client.setQueryDefaults(CTF_KEY, { refetchInterval: REFRESH_MS });
  return client;
}

/** The event info, with data that only this client knows. */
export interface Ctf {
  readonly info: CtfInfo;
  /** Difference by which the local clock is behind the server's, in milliseconds. */
  readonly clockBehindMs: number;
  /** True if the team's session ended without a logout in this tab. */
  readonly sessionEnded: boolean;
}

export async function fetchCtf({ client }: { client: QueryClient }): Promise<Ctf> {
  const token = readToken();
  const askedAtMs = Date.now();
  const info = await getCtf();
  const answeredAtMs = Date.now();
  // After a logout during the fetch, the response belongs to no team.
  const isCurrent = readToken() === token;
  const loggedTeam = isCurrent ? info.loggedTeam : null;
  const wasRefused = isCurrent && token !== "" && loggedTeam === null;
  if (wasRefused) clearToken();
  const sessionEnded =
    loggedTeam === null && (wasRefused || hadSession(client.getQueryData<Ctf>(CTF_KEY)));
  const clockBehindMs = info.serverTime - (askedAtMs + answeredAtMs) / 2;
  return { info: { ...info, loggedTeam }, clockBehindMs, sessionEnded };
}

/** True if there was a session that ended without a logout in this tab. */
export function hadSession(ctf: Ctf | undefined): boolean {
  return ctf !== undefined && (ctf.info.loggedTeam !== null || ctf.sessionEnded);
}

const CtfContext = createContext<UseQueryResult<Ctf> | null>(null);

/** Provides the event info, so that its dozen consumers per page share one subscription. */
export function CtfProvider({ children }: { children: ReactNode }) {
  const ctf = useQuery({ queryKey: CTF_KEY, queryFn: fetchCtf });
  return <CtfContext value={ctf}>{children}</CtfContext>;
}

/** The latest event info; needs a `CtfProvider`. */
export function useCtf(): UseQueryResult<Ctf> {
  const ctf = useContext(CtfContext);
  if (!ctf) throw new Error("useCtf needs a CtfProvider");
  return ctf;
}

/** Prefetches the event info; `useCtf` reports a failure. */
export function prefetchCtf(client: QueryClient): Promise<void> {
  return client.prefetchQuery({ queryKey: CTF_KEY, queryFn: fetchCtf });
}

/** The server's error for a request without a token. */
const LOGIN_NEEDED = { code: "login_needed", message: "Please log in first." };

/**
 * Wraps a call for the team's data, so that nothing is sent without a token: a component that was
 * rendered before a logout may fetch only after it.
 */
function ofTeam<T>(call: (options: { signal: AbortSignal }) => Promise<T>) {
  return async (options: { signal: AbortSignal }): Promise<T> => {
    if (readToken() === "") throw new ApiError(LOGIN_NEEDED, 401);
    return call(options);
  };
}

/** The team's challenges; fetched only when logged in. */
export function useChallenges(enabled: boolean) {
  const queryFn = enabled ? ofTeam(getChallenges) : skipToken;
  return useQuery({ queryKey: CHALLENGES_KEY, queryFn });
}

/** The notices; if not enabled, only those in the cache. */
export function useNotices(enabled: boolean) {
  return useQuery<Notice[]>({ queryKey: NOTICES_KEY, queryFn: getNotices, enabled });
}

/** The team's questions and messages; if not enabled, only those in the cache. */
export function useQuestions(enabled: boolean) {
  return useQuery<Question[]>({
    queryKey: QUESTIONS_KEY,
    queryFn: ofTeam(getQuestions),
    enabled,
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? ANSWER_MS : REFRESH_MS),
  });
}

/** The team's account; fetched only when logged in, and not cached after its page closes. */
export function useAccount(enabled: boolean) {
  const queryFn = enabled ? ofTeam(getAccount) : skipToken;
  return useQuery({ queryKey: ACCOUNT_KEY, queryFn, staleTime: 0, gcTime: 0 });
}

/** Writes an organizer message into the cache, so that clients do not all refetch at once. */
export function applyNews(client: QueryClient, message: NewsMessage): void {
  if (message.event === "notice") {
    const hasNone = client.getQueryData<Ctf>(CTF_KEY)?.info.notices === 0;
    const notices = client.setQueryData<Notice[]>(NOTICES_KEY, (old) => {
      const known = old ?? (hasNone ? [] : undefined);
      return known && withNotice(known, message);
    });
    refetchAnswers(client);
    const count = notices?.length ?? 1;
    client.setQueryData<Ctf>(CTF_KEY, (old) => {
      if (!old || old.info.notices >= count) return old;
      return { ...old, info: { ...old.info, notices: count } };
    });
    return;
  }
  const { challengeId, status, note } = message;
  const known = client.getQueryData<Challenge[]>(CHALLENGES_KEY);
  const card = known?.find(({ id }) => id === challengeId);
  if (!card) return;
  // Only the list contains the status note of a challenge with requirements.
  const isPartial = card.requirements.length > 0 && !card.locked;
  const statusNote = card.locked ? "" : note;
  client.setQueryData<Challenge[]>(CHALLENGES_KEY, (old) =>
    old?.map((one) => (one.id === challengeId ? { ...one, status, statusNote } : one)),
  );
  if (isPartial) void client.invalidateQueries({ queryKey: CHALLENGES_KEY });
}

/** Found flags and attempts left, as far as they changed. */
type Limits = { [Name in "progress" | "attemptsLeft"]?: Challenge[Name] | undefined };

/** Returns a setter of the found flags and the attempts left of a challenge. */
export function useNoteLimits(challengeId: string): (limits: Limits) => void {
  const client = useQueryClient();
  return (limits) =>
    client.setQueryData<Challenge[]>(CHALLENGES_KEY, (old) =>
      old?.map((one) => (one.id === challengeId ? withLimits(one, limits) : one)),
    );
}

function withLimits(challenge: Challenge, { progress, attemptsLeft }: Limits): Challenge {
  return {
    ...challenge,
    ...(progress && { progress }),
    ...(attemptsLeft !== undefined && { attemptsLeft }),
  };
}

/** Returns a function that marks a challenge as solved after the end; it may unlock others. */
export function useNotePractice(challengeId: string): () => void {
  const client = useQueryClient();
  const clockBehindMs = useCtf().data?.clockBehindMs ?? 0;
  return () => {
    const practicedAt = Date.now() + clockBehindMs;
    client.setQueryData<Challenge[]>(CHALLENGES_KEY, (old) =>
      old?.map((one) => (one.id === challengeId ? { ...one, practicedAt } : one)),
    );
    refetchChallenges(client);
  };
}

/** Refetches the challenges when the team's found flags, attempts or hints changed. */
export function refetchChallenges(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: CHALLENGES_KEY });
}

/** Refetches the challenges if another member can change them without a change of the board. */
export function refetchLimits(client: QueryClient): void {
  const known = client.getQueryData<Challenge[]>(CHALLENGES_KEY);
  const canChange = ({ progress, attemptsLeft, hints }: Challenge) =>
    progress !== undefined ||
    attemptsLeft !== undefined ||
    hints.some(({ html = null }) => html === null);
  if (known?.some(canChange)) refetchChallenges(client);
}

/** Refetches the questions when the team has a new answer or message. */
export function refetchQuestions(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: QUESTIONS_KEY });
}

/** Refetches open questions, because a notice may answer one. */
function refetchAnswers(client: QueryClient): void {
  const waits = client.getQueryData<Question[]>(QUESTIONS_KEY)?.some(isOpen);
  if (waits) void client.invalidateQueries({ queryKey: QUESTIONS_KEY });
}

/** Refetches data that snapshots lack: pause, names, counts, notices, challenges. */
export function refetchNews(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: CHALLENGES_KEY });
  void client.invalidateQueries({ queryKey: CTF_KEY });
  void client.invalidateQueries({ queryKey: NOTICES_KEY });
}

/** Refetches data that is older than the first snapshot and may lack its changes. */
export function refetchOlder(client: QueryClient, seq: number): void {
  const ctf = client.getQueryData<Ctf>(CTF_KEY);
  if (ctf && ctf.info.seq < seq) refetchNews(client);
}

export function useRules() {
  return useQuery({ queryKey: ["rules"], queryFn: getRules });
}

/** A custom page of the event. */
export function useOwnPage(slug: string) {
  return useQuery({ queryKey: ["pages", slug], queryFn: () => getOwnPage(slug) });
}

/** The latest board. */
export function useLive(): LiveView {
  return useQuery<LiveView>({ queryKey: LIVE_KEY, queryFn: skipToken }).data ?? NO_LIVE_VIEW;
}
