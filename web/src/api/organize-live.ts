/**
 * Keeps what organizers see current. The live channel tells what is new; without it, what is shown
 * is asked for every few seconds, until the server refuses for good.
 */
import { keepPreviousData, skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { codeOf } from "./organize";
import type { Look } from "./organize-channel";

/** The beginning of the key of all that changes while it is looked at; a list's name follows. */
export const LIVE_KEY = ["organize", "live"] as const;
export type List =
  | ("overview" | "challenges" | "teams" | "story" | "flags" | "evidence")
  | ("source" | "acts" | "questions" | "notices");
type Key = readonly [List, ...unknown[]];

/** How often it is asked without the channel. */
export const LIVE_MS = 3000;
/** With it: for figures of which nothing is told, such as those of mails. */
const QUIET_MS = 15_000;
/** A list stays this long after its page was left, so that going back shows it at once. */
const KEEP_MS = 60_000;

const FINAL = new Set([
  ...["login_needed", "factor_needed", "not_found", "team_not_found", "field_invalid"],
]);

/** The live channel, as the pages see it; in the query cache under `CHANNEL_KEY`. */
export interface Channel {
  readonly isOn: boolean;
  /** What the other organizers look at. */
  readonly looks: readonly Look[];
}
export const CHANNEL_KEY = ["organize", "channel"] as const;
export const NO_CHANNEL: Channel = { isOn: false, looks: [] };

const looksOf = ({ looks }: Channel) => looks;
const isOnOf = ({ isOn }: Channel) => isOn;

function useChannel<T>(select: (channel: Channel) => T): T {
  const { data } = useQuery({ queryKey: CHANNEL_KEY, queryFn: skipToken, select });
  return data ?? select(NO_CHANNEL);
}

/** What the other organizers look at. */
export function useLooks(): readonly Look[] {
  return useChannel(looksOf);
}

/** How often a list of some pages is asked for. */
function useInterval(pages: number) {
  const isOn = useChannel(isOnOf);
  const ms = pages * (isOn ? QUIET_MS : LIVE_MS);
  return ({ state }: { state: { error: unknown } }): number | false =>
    FINAL.has(codeOf(state.error) ?? "") ? false : ms;
}

/** What is read at once; `isOn` is false if the role may not see it. */
export function useLive<T>(key: Key, read: () => Promise<T>, isOn = true) {
  return useQuery({
    queryKey: [...LIVE_KEY, ...key],
    queryFn: read,
    enabled: isOn,
    refetchInterval: useInterval(1),
    placeholderData: keepPreviousData,
    gcTime: KEEP_MS,
  });
}

/**
 * A list in pages, of which each read takes all that are shown. Not the library's infinite query,
 * of which a part would be in what players load.
 */
export function useLivePages<T>(
  key: Key,
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<T>,
  next: (page: T) => string | null | undefined,
  isOn = true,
) {
  const cache = useQueryClient();
  const list = JSON.stringify(key);
  const [asked, ask] = useState({ list, count: 1 });
  const count = asked.list === list ? asked.count : 1;
  const keyOf = (pages: number) => [...LIVE_KEY, ...key, pages];
  async function readAll({ signal }: { signal: AbortSignal }): Promise<readonly T[]> {
    const isFirst = cache.getQueryData(keyOf(count)) === undefined;
    const known = isFirst ? cache.getQueryData<readonly T[]>(keyOf(count - 1)) : undefined;
    const pages = known ? [...known] : [await read(undefined, signal)];
    while (pages.length < count) {
      const last = pages.at(-1);
      const cursor = last && next(last);
      if (!cursor) break;
      pages.push(await read(cursor, signal));
    }
    return pages;
  }
  const query = useQuery({
    queryKey: keyOf(count),
    queryFn: readAll,
    enabled: isOn,
    refetchInterval: useInterval(count),
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
