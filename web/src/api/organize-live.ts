/**
 * Keeps the organizer pages current. The live channel names the lists to refetch. Without the
 * channel, visible data is polled every few seconds until the server denies access.
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
import { useIsTold } from "./organize-channel-state";

/** Prefix of the query keys of live data; the list name follows. */
export const LIVE_KEY = ["organize", "live"] as const;
type Key = readonly [List, ...unknown[]];

/** Polling interval when the channel is down, or when the role receives no action events. */
const LIVE_MS = 3000;
/** Polling interval with the channel, for data without events, such as email counts. */
const QUIET_MS = 15_000;
/** Polling interval with the channel, for event and node metrics. */
export const FIGURES_MS = 5000;
/** Time a list stays cached after its page closes, so that going back shows it at once. */
const KEEP_MS = 60_000;

const FINAL = new Set([
  ...["login_needed", "factor_needed", "not_found", "team_not_found", "field_invalid"],
]);

/** Polling interval of a list with this number of pages. */
function useInterval(pages: number, quietMs = QUIET_MS) {
  const isTold = useIsTold();
  const ms = pages * (isTold ? quietMs : LIVE_MS);
  return ({ state }: { state: { error: unknown } }): number | false =>
    FINAL.has(codeOf(state.error) ?? "") ? false : ms;
}

interface LiveOptions {
  /** False if the role cannot see the data. */
  readonly isOn?: boolean;
  /** Polling interval with the channel. */
  readonly quietMs?: number;
}

/** Live data fetched in one request. */
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

/** Paged lists whose next refetch can be limited to new rows. */
export const HEAD_READS = new WeakSet<Cached>();
/** Maximum pages of such a refetch; beyond it, the whole list is fetched. */
const HEAD_PAGES_MAX = 5;

interface PagesOptions<T> {
  /** False if the role cannot see the list. */
  readonly isOn?: boolean;
  /**
   * True if pages that end with `last` still include everything up to `shown`. Set while the user
   * is scrolled down: the visible rows must remain, regardless of the number of rows added above.
   */
  readonly reaches?: ((last: T, shown: T) => boolean) | undefined;
  /**
   * Merges newer pages, newest first, into the first page. Null if rows may be missing in between,
   * or if the page would be too long.
   */
  readonly withHead?: (first: T, head: readonly T[]) => T | null;
}

/**
 * A paged list; each refetch covers all visible pages. The library's infinite query is not used
 * because it would add code to the players' bundle.
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
  // The end of the first read. With the end of the latest read, each refetch would be longer.
  const end = useRef<{ readonly of: string; readonly page: T | undefined }>(undefined);
  function endOf(shown: readonly T[] | undefined): T | undefined {
    const of = `${list} ${count}`;
    if (!reaches || !shown) end.current = undefined;
    else if (end.current?.of !== of) end.current = { of, page: shown.at(-1) };
    return end.current?.page;
  }
  /** Returns the pages with new rows added, or null if the whole list must be fetched. */
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
  // The previous pages are shown until the next one arrives, and also if it fails.
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
    /** False while the rows of the previous filters are still shown. */
    isCurrent: own !== undefined,
    error: query.error,
    refetch: query.refetch,
    hasNextPage: last !== undefined && Boolean(next(last)),
    isFetchingNextPage: count > 1 && own === undefined,
    fetchNextPage: () => ask({ list, count: count + 1 }),
  };
}
