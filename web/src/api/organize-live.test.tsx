/** Lists in pages: what is shown while they are read, and how often they are. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CHANNEL_KEY, NO_CHANNEL, useLivePages } from "./organize-live";

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

/** Two rows a page; a cursor is the last row before it. */
async function read(cursor: string | undefined): Promise<Page> {
  reads.push(cursor);
  const left = cursor ? rows.filter((row) => row < Number(cursor)) : rows;
  const some = left.slice(0, 2);
  return { rows: some, next: left.length > 2 ? `${some.at(-1)}` : null };
}

const reaches = (last: Page, shown: Page) => (last.rows.at(-1) ?? 0) <= (shown.rows.at(-1) ?? 0);
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

async function list(readPage = read) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={cache}>{children}</QueryClientProvider>
  );
  const options = () => ({ reaches: isDown ? reaches : undefined });
  const { result, rerender } = renderHook(
    () => useLivePages(["flags"], readPage, ({ next }) => next, options()),
    { wrapper },
  );
  await wait(10);
  return { shown: () => result.current.data?.pages.map((page) => page.rows), result, rerender };
}

test("further down, a read goes on until it has what was there, and no further", async () => {
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

test("a next page that fails leaves the rows that are there, and is asked for again", async () => {
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
  ["every few seconds by a role that is not told of acts", false, 6],
  ["more seldom by one that is", true, 2],
])("with the channel, a list is asked for %s", async (_, hasActs, times) => {
  cache.setQueryData(CHANNEL_KEY, { ...NO_CHANNEL, isOn: true, hasActs });
  await list();
  await wait(15_000);
  expect(reads).toHaveLength(times);
});
