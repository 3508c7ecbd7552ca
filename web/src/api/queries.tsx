/** Server state in the query cache: one key and one hook for each resource. */
import {
  MutationCache,
  QueryCache,
  QueryClient,
  skipToken,
  type UseQueryResult,
  useQuery,
} from "@tanstack/react-query";
import { createContext, type ReactNode, useContext } from "react";
import { type Notice, type Told, withNotice } from "../domain/live";
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
/** How often a team that waits for an answer looks for it: answers are not on the live channel. */
const ANSWER_MS = 10_000;
const RETRIES_MAX = 2;

function retry(failures: number, error: Error): boolean {
  const refused = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return !refused && failures < RETRIES_MAX;
}

/** The cache. A 401 refetches the event's info, which tells whether the token has expired. */
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
  // A thousand rows arrive several times a second; the reducer already keeps their identity.
  client.setQueryDefaults(LIVE_KEY, { structuralSharing: false, staleTime: Infinity });
  client.setQueryDefaults(CTF_KEY, { refetchInterval: REFRESH_MS });
  return client;
}

/** The event's info, and what this client knows beside it. */
export interface Ctf {
  readonly info: CtfInfo;
  /** How far this machine's clock is behind the server's, in milliseconds. */
  readonly clockBehindMs: number;
  /** The team's session is over, and no logout of this tab has ended it. */
  readonly sessionEnded: boolean;
}

export async function fetchCtf({ client }: { client: QueryClient }): Promise<Ctf> {
  const token = readToken();
  const askedAtMs = Date.now();
  const info = await getCtf();
  const answeredAtMs = Date.now();
  // After a logout meanwhile the answer is about nobody.
  const isCurrent = readToken() === token;
  const loggedTeam = isCurrent ? info.loggedTeam : null;
  const wasRefused = isCurrent && token !== "" && loggedTeam === null;
  if (wasRefused) clearToken();
  const sessionEnded =
    loggedTeam === null && (wasRefused || hadSession(client.getQueryData<Ctf>(CTF_KEY)));
  const clockBehindMs = info.serverTime - (askedAtMs + answeredAtMs) / 2;
  return { info: { ...info, loggedTeam }, clockBehindMs, sessionEnded };
}

/** True if there was a session that no logout of this tab has ended. */
export function hadSession(ctf: Ctf | undefined): boolean {
  return ctf !== undefined && (ctf.info.loggedTeam !== null || ctf.sessionEnded);
}

const CtfContext = createContext<UseQueryResult<Ctf> | null>(null);

/** Subscribes once to the event's info for all components below; a page has a dozen consumers. */
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

/** Fetches the event info before any page needs it; a failure surfaces in `useCtf`. */
export function prefetchCtf(client: QueryClient): Promise<void> {
  return client.prefetchQuery({ queryKey: CTF_KEY, queryFn: fetchCtf });
}

/** The team's challenges; fetched only when logged in. */
export function useChallenges(enabled: boolean) {
  return useQuery({ queryKey: CHALLENGES_KEY, queryFn: enabled ? getChallenges : skipToken });
}

/** What organizers told everyone; unless it is enabled, as far as it is known. */
export function useNotices(enabled: boolean) {
  return useQuery<Notice[]>({ queryKey: NOTICES_KEY, queryFn: getNotices, enabled });
}

/** The team's questions and what it was told; unless it is enabled, as far as it is known. */
export function useQuestions(enabled: boolean) {
  return useQuery<Question[]>({
    queryKey: QUESTIONS_KEY,
    queryFn: getQuestions,
    enabled,
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? ANSWER_MS : REFRESH_MS),
  });
}

/** The team's own account; fetched only when logged in, and not kept after its page. */
export function useAccount(enabled: boolean) {
  const queryFn = enabled ? getAccount : skipToken;
  return useQuery({ queryKey: ACCOUNT_KEY, queryFn, staleTime: 0, gcTime: 0 });
}

/** Writes what organizers tell into the cache, so that not all clients ask at the same moment. */
export function takeTold(client: QueryClient, message: Told): void {
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
  // The note of a challenge with requirements is only in the list.
  const isPartial = card.requirements.length > 0 && !card.locked;
  const statusNote = card.locked ? "" : note;
  client.setQueryData<Challenge[]>(CHALLENGES_KEY, (old) =>
    old?.map((one) => (one.id === challengeId ? { ...one, status, statusNote } : one)),
  );
  if (isPartial) void client.invalidateQueries({ queryKey: CHALLENGES_KEY });
}

/** The team has a new answer, or a message. */
export function refetchQuestions(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: QUESTIONS_KEY });
}

/** A notice may be the answer that a team waits for. */
function refetchAnswers(client: QueryClient): void {
  const waits = client.getQueryData<Question[]>(QUESTIONS_KEY)?.some(isOpen);
  if (waits) void client.invalidateQueries({ queryKey: QUESTIONS_KEY });
}

/** After a snapshot: a pause, a name, a count, a notice or a challenge's text may have changed. */
export function refetchTold(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: CHALLENGES_KEY });
  void client.invalidateQueries({ queryKey: CTF_KEY });
  void client.invalidateQueries({ queryKey: NOTICES_KEY });
}

/** After the first snapshot: what was fetched before it may lack a change that it has. */
export function refetchOlder(client: QueryClient, seq: number): void {
  const ctf = client.getQueryData<Ctf>(CTF_KEY);
  if (ctf && ctf.info.seq < seq) refetchTold(client);
}

export function useRules() {
  return useQuery({ queryKey: ["rules"], queryFn: getRules });
}

/** A page of the event's own. */
export function useOwnPage(slug: string) {
  return useQuery({ queryKey: ["pages", slug], queryFn: () => getOwnPage(slug) });
}

/** The latest board. */
export function useLive(): LiveView {
  return useQuery<LiveView>({ queryKey: LIVE_KEY, queryFn: skipToken }).data ?? NO_LIVE_VIEW;
}
