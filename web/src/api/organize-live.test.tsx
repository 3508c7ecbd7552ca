/** Paged lists: rows shown during a fetch, and the number of fetches. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CHANNEL_KEY, ChannelStateProvider, NO_CHANNEL } from "./organize-channel-state";
import { FIGURES_MS, useLive, useLivePages } from "./organize-live";
import { OrganizeNews } from "./organize-news";

interface Page {
  readonly rows: readonly number[];
  readonly next: string | null;
}

let rows: number[];
let reads: (string | undefined)[];
let isDown: boolean;
let cache: QueryClient;

beforeEach(() => {
  vi.useFakeTimers();
  rows = [4, 3, 2, 1];
  reads = [];
  isDown = false;
  cache = new QueryClient({ defaultOptions: { queries: { retry: false } } });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** Returns two rows per page; a cursor is the last row of the previous page. */
async function read(cursor: string | undefined): Promise<Page> {
  reads.push(cursor);
  const left = cursor ? rows.filter((row) => row < Number(cursor)) : rows;
  const some = left.slice(0, 2);
  return { rows: some, next: left.length > 2 ? `${some.at(-1)}` : null };
}

const reaches = (last: Page, shown: Page) => (last.rows.at(-1) ?? 0) <= (shown.rows.at(-1) ?? 0);
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={cache}>
    <ChannelStateProvider>{children}</ChannelStateProvider>
  </QueryClientProvider>
);

/** Merges new rows before the existing ones; null if rows may be missing in between. */
function withHead(first: Page, head: readonly Page[]): Page | null {
  const fresh = head.flatMap((page) => page.rows);
  const end = fresh.at(-1) ?? 0;
  if ((first.rows[0] ?? 0) < end) return null;
  return { ...first, rows: [...fresh, ...first.rows.filter((row) => row < end)] };
}

async function list(readPage = read) {
  const options = () => ({ reaches: isDown ? reaches : undefined, withHead });
  const { result, rerender } = renderHook(
    () => useLivePages(["flags"], readPage, ({ next }) => next, options()),
    { wrapper },
  );
  await wait(10);
  return { shown: () => result.current.data?.pages.map((page) => page.rows), result, rerender };
}

test("a refetch while scrolled down stops at the previously loaded rows", async () => {
  const { shown, result, rerender } = await list();
  expect(shown()).toEqual([[4, 3]]);
  isDown = true;
  rerender();
  rows.unshift(6, 5);
  await wait(3000);
  expect(shown()?.flat()).toEqual([6, 5, 4, 3]);
  rows.unshift(7);
  await wait(3000);
  expect(shown()?.flat()).toEqual([7, 6, 5, 4, 3, 2]);
  rows.unshift(8);
  await wait(3000);
  expect(shown()?.flat()).toEqual([8, 7, 6, 5, 4, 3]);
  act(() => result.current.fetchNextPage());
  await wait(10);
  expect(shown()?.flat()).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
  isDown = false;
  rerender();
  await wait(6000);
  expect(shown()?.flat()).toEqual([8, 7, 6, 5]);
});

test("a hint about flags fetches new rows, one about an action fetches all", async () => {
  cache.setQueryData(CHANNEL_KEY, { ...NO_CHANNEL, isOn: true, hasActions: true });
  const news = new OrganizeNews(cache);
  const { shown, result } = await list();
  act(() => result.current.fetchNextPage());
  await wait(10);
  expect(shown()).toEqual([
    [4, 3],
    [2, 1],
  ]);
  reads = [];
  rows.unshift(7, 6, 5);
  rows.pop();
  news.take(["flags", "story"]);
  await wait(10);
  expect(reads).toEqual([undefined, "6"]);
  expect(shown()).toEqual([
    [7, 6, 5, 4, 3],
    [2, 1],
  ]);
  reads = [];
  news.take(["flags", "actions"]);
  await wait(2100);
  expect(reads).toEqual([undefined, "6"]);
  expect(shown()?.flat()).toEqual([7, 6, 5, 4]);
  // The next full fetch is due later, but new rows still arrive.
  reads = [];
  rows.unshift(8);
  news.take(["flags", "actions"]);
  await wait(2100);
  expect(reads).toEqual([undefined]);
  expect(shown()?.flat()).toEqual([8, 7, 6, 5, 4]);
  await wait(2100);
  expect(reads).toEqual([undefined, undefined, "7"]);
  news.stop();
});

test("a failed next page keeps the loaded rows, and is fetched again", async () => {
  let isBroken = true;
  const { shown, result } = await list(async (cursor) => {
    if (cursor && isBroken) throw new TypeError("down");
    return await read(cursor);
  });
  act(() => result.current.fetchNextPage());
  await wait(70_000);
  expect(result.current.error).toBeInstanceOf(TypeError);
  expect(shown()).toEqual([[4, 3]]);
  expect(result.current.isFetchingNextPage).toBe(true);
  isBroken = false;
  await wait(6000);
  expect(shown()?.flat()).toEqual([4, 3, 2, 1]);
});

test.each([
  ["every few seconds without action events", false, 6],
  ["less often with them", true, 2],
])("with the channel, a list is polled %s", async (_, hasActions, times) => {
  cache.setQueryData(CHANNEL_KEY, { ...NO_CHANNEL, isOn: true, hasActions });
  await list();
  await wait(15_000);
  expect(reads).toHaveLength(times);
});

test("metrics are polled every five seconds with the channel", async () => {
  cache.setQueryData(CHANNEL_KEY, { ...NO_CHANNEL, isOn: true, hasActions: true });
  const readFigures = vi.fn(async () => 1);
  renderHook(() => useLive(["overview"], readFigures, { quietMs: FIGURES_MS }), { wrapper });
  await wait(15_010);
  expect(readFigures).toHaveBeenCalledTimes(4);
});
