/**
 * Keeps what organizers see current. The live channel tells which lists to read; without it, what
 * is shown is asked for every few seconds, until the server refuses for good.
 */
import {
  type Query as Cached,
  keepPreviousData,
  skipToken,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { List } from "./actions";
import { codeOf } from "./organize";
import type { Look } from "./organize-channel";

/** The beginning of the key of all that changes while it is looked at; a list's name follows. */
export const LIVE_KEY = ["organize", "live"] as const;
type Key = readonly [List, ...unknown[]];

/** How often it is asked without the channel, or by a role that is not told of actions. */
const LIVE_MS = 3000;
/** With it: for figures of which nothing is told, such as those of mails. */
const QUIET_MS = 15_000;
/** With it, for those of the event and of the node. */
export const FIGURES_MS = 5000;
/** A list stays this long after its page was left, so that going back shows it at once. */
const KEEP_MS = 60_000;

const FINAL = new Set([
  ...["login_needed", "factor_needed", "not_found", "team_not_found", "field_invalid"],
]);

/** The live channel, as the pages see it; in the query cache under `CHANNEL_KEY`. */
export interface Channel {
  readonly isOn: boolean;
  /** Whether actions are told, after which lists are read. */
  readonly hasActions: boolean;
  /** What the other organizers look at. */
  readonly looks: readonly Look[];
}
export const CHANNEL_KEY = ["organize", "channel"] as const;
export const NO_CHANNEL: Channel = { isOn: false, hasActions: false, looks: [] };

const looksOf = ({ looks }: Channel) => looks;
const isToldOf = ({ isOn, hasActions }: Channel) => isOn && hasActions;

function useChannel<T>(select: (channel: Channel) => T): T {
  const { data } = useQuery({ queryKey: CHANNEL_KEY, queryFn: skipToken, select });
  return data ?? select(NO_CHANNEL);
}

/** What the other organizers look at. */
export function useLooks(): readonly Look[] {
  return useChannel(looksOf);
}

/** How often a list of some pages is asked for. */
function useInterval(pages: number, quietMs = QUIET_MS) {
  const isTold = useChannel(isToldOf);
  const ms = pages * (isTold ? quietMs : LIVE_MS);
  return ({ state }: { state: { error: unknown } }): number | false =>
    FINAL.has(codeOf(state.error) ?? "") ? false : ms;
}

interface LiveOptions {
  /** False if the role may not see it. */
  readonly isOn?: boolean;
  /** How often it is asked for with the channel. */
  readonly quietMs?: number;
}

/** What is read at once. */
export function useLive<T>(
  key: Key,
  read: () => Promise<T>,
  { isOn = true, quietMs }: LiveOptions = {},
) {
  return useQuery({
    queryKey: [...LIVE_KEY, ...key],
    queryFn: read,
    enabled: isOn,
    refetchInterval: useInterval(1, quietMs),
    placeholderData: keepPreviousData,
    gcTime: KEEP_MS,
  });
}

/** Lists of several pages of which the next read may be that of what is new alone. */
export const HEAD_READS = new WeakSet<Cached>();
/** Pages that such a read takes at most; behind more, everything is read. */
const HEAD_PAGES_MAX = 5;

interface PagesOptions<T> {
  /** False if the role may not see it. */
  readonly isOn?: boolean;
  /**
   * Whether pages that end with `last` have what pages that ended with `shown` had. Given while
   * somebody reads further down: what they read has to be there, though much came before it.
   */
  readonly reaches?: ((last: T, shown: T) => boolean) | undefined;
  /**
   * The first page with what pages that were read since have, the newest first; null if something
   * may be missing between them, or if it would be too long.
   */
  readonly withHead?: (first: T, head: readonly T[]) => T | null;
}

/**
 * A list in pages, of which each read takes all that are shown. Not the library's infinite query,
 * of which a part would be in what players load.
 */
export function useLivePages<T>(
  key: Key,
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<T>,
  next: (page: T) => string | null | undefined,
  { isOn = true, reaches, withHead }: PagesOptions<T> = {},
) {
  const cache = useQueryClient();
  const list = JSON.stringify(key);
  const [asked, ask] = useState({ list, count: 1 });
  const count = asked.list === list ? asked.count : 1;
  const keyOf = (pages: number) => [...LIVE_KEY, ...key, pages];
  // The end of what somebody read first. Reads that went to the end of the last one would grow.
  const end = useRef<{ readonly of: string; readonly page: T | undefined }>(undefined);
  function endOf(shown: readonly T[] | undefined): T | undefined {
    const of = `${list} ${count}`;
    if (!reaches || !shown) end.current = undefined;
    else if (end.current?.of !== of) end.current = { of, page: shown.at(-1) };
    return end.current?.page;
  }
  /** The pages with what is new before them, if that is all that has to be read. */
  async function readHead(signal: AbortSignal): Promise<readonly T[] | null> {
    const query = cache.getQueryCache().find({ queryKey: keyOf(count) });
    const isHead = query !== undefined && HEAD_READS.delete(query);
    const [first, ...others] = cache.getQueryData<readonly T[]>(keyOf(count)) ?? [];
    if (!isHead || !withHead || first === undefined || others.length === 0) return null;
    const head: T[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await read(cursor ?? undefined, signal);
      head.push(page);
      const merged = withHead(first, head);
      if (merged !== null) return [merged, ...others];
      cursor = next(page);
    } while (cursor && head.length < HEAD_PAGES_MAX);
    return null;
  }
  async function readAll({ signal }: { signal: AbortSignal }): Promise<readonly T[]> {
    const current = await readHead(signal);
    if (current) return current;
    const shown = cache.getQueryData<readonly T[]>(keyOf(count));
    const known = shown ? undefined : cache.getQueryData<readonly T[]>(keyOf(count - 1));
    const least = known ? known.length + 1 : count;
    const oldest = endOf(shown);
    const pages = known ? [...known] : [await read(undefined, signal)];
    for (let last = pages.at(-1); last !== undefined; last = pages.at(-1)) {
      const isFar = !reaches || oldest === undefined || reaches(last, oldest);
      const cursor = pages.length >= least && isFar ? undefined : next(last);
      if (!cursor) break;
      pages.push(await read(cursor, signal));
    }
    return pages;
  }
  // What is shown until the next page is there, also if that fails.
  const before = useQuery<readonly T[]>({
    queryKey: keyOf(count - 1),
    queryFn: skipToken,
    gcTime: KEEP_MS,
  });
  const query = useQuery({
    queryKey: keyOf(count),
    queryFn: readAll,
    enabled: isOn,
    refetchInterval: useInterval(count),
    placeholderData: keepPreviousData,
    gcTime: KEEP_MS,
  });
  const own = query.isPlaceholderData ? undefined : query.data;
  const pages = own ?? before.data ?? query.data;
  const last = pages?.at(-1);
  return {
    data: pages && { pages },
    /** Whether they are of these filters: those of the filters before stay meanwhile. */
    isCurrent: own !== undefined,
    error: query.error,
    refetch: query.refetch,
    hasNextPage: last !== undefined && Boolean(next(last)),
    isFetchingNextPage: count > 1 && own === undefined,
    fetchNextPage: () => ask({ list, count: count + 1 }),
  };
}
