/**
 * Keeps what organizers see current. The one place that knows how: it asks again every few seconds,
 * until the server refuses for good.
 */
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { codeOf } from "./organize";

/** The beginning of the key of all that changes while it is looked at. */
export const LIVE_KEY = ["organize", "live"] as const;
const LIVE_MS = 3000;
/** A list stays this long after its page was left, so that going back shows it at once. */
const KEEP_MS = 60_000;

const FINAL = new Set(["login_needed", "factor_needed", "not_found", "field_invalid"]);

function interval(query: { state: { error: unknown } }): number | false {
  return FINAL.has(codeOf(query.state.error) ?? "") ? false : LIVE_MS;
}

type Key = readonly unknown[];

/** What is read at once; `isOn` is false if the role may not see it. */
export function useLive<T>(key: Key, read: () => Promise<T>, isOn = true) {
  return useQuery({
    queryKey: [...LIVE_KEY, ...key],
    queryFn: read,
    enabled: isOn,
    refetchInterval: interval,
    placeholderData: keepPreviousData,
    gcTime: KEEP_MS,
  });
}

/**
 * A list in pages: only while its first page alone is shown does it move by itself. Not the
 * library's infinite query, of which a part would be in what players load.
 */
export function useLivePages<T>(
  key: Key,
  read: (cursor: string | undefined) => Promise<T>,
  next: (page: T) => string | null | undefined,
) {
  const cache = useQueryClient();
  const list = JSON.stringify(key);
  const [asked, ask] = useState({ list, count: 1 });
  const count = asked.list === list ? asked.count : 1;
  const keyOf = (pages: number) => [...LIVE_KEY, ...key, pages];
  async function readAll(): Promise<readonly T[]> {
    const isFirst = cache.getQueryData(keyOf(count)) === undefined;
    const known = isFirst ? cache.getQueryData<readonly T[]>(keyOf(count - 1)) : undefined;
    const pages = known ? [...known] : [await read(undefined)];
    while (pages.length < count) {
      const last = pages.at(-1);
      const cursor = last && next(last);
      if (!cursor) break;
      pages.push(await read(cursor));
    }
    return pages;
  }
  const query = useQuery({
    queryKey: keyOf(count),
    queryFn: readAll,
    refetchInterval: count > 1 ? false : interval,
    placeholderData: keepPreviousData,
    gcTime: KEEP_MS,
  });
  const last = query.data?.at(-1);
  return {
    data: query.data && { pages: query.data },
    error: query.error,
    refetch: query.refetch,
    hasNextPage: last !== undefined && Boolean(next(last)),
    isFetchingNextPage: count > 1 && query.isPlaceholderData,
    fetchNextPage: () => ask({ list, count: count + 1 }),
  };
}
