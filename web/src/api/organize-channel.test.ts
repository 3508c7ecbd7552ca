/** The organizer channel with a fake socket, and the lists that its messages change. */
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FakeSocket } from "./fake-socket";
import { type Frame, OrganizeChannel } from "./organize-channel";
import { withHead } from "./organize-flags";
import type { SentFlag, SentFlags } from "./organize-lists";
import { LIVE_KEY } from "./organize-live";
import { OrganizeNews } from "./organize-news";

const flag = (at: number, more: Partial<SentFlag> = {}): SentFlag => ({
  at,
  teamName: "Otters",
  challengeId: "oars",
  verdict: "wrong",
  countsNow: false,
  afterEnd: false,
  ...more,
});
const ALL = { event: "changed", lists: ["teams", "flags"] };

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  FakeSocket.all = [];
  vi.stubGlobal("WebSocket", FakeSocket);
});
afterEach(() => void vi.useRealTimers());

describe("the connection", () => {
  let frames: Frame[];
  let opened: (readonly string[])[];
  let lost: number;
  let refused: number;
  let channel: OrganizeChannel;
  let stop: () => void;
  const latest = () => FakeSocket.all.at(-1) ?? expect.fail("no socket was opened");

  beforeEach(() => {
    [frames, opened, lost, refused] = [[], [], 0, 0];
    channel = new OrganizeChannel("public", {
      onOpen: (lists) => opened.push(lists),
      onFrame: (frame) => frames.push(frame),
      onLost: () => {
        lost += 1;
      },
      onRefused: () => {
        refused += 1;
      },
    });
    stop = channel.start();
  });
  afterEach(() => stop());

  test("one socket with the view in its URL; unknown messages are ignored", () => {
    expect(latest().url).toMatch(/^ws:.*\/api\/organize\/live\?view=public$/);
    latest().open();
    latest().say("no json");
    latest().say({ event: "comet" });
    expect(opened).toEqual([]);
    latest().say(ALL);
    const hint = { event: "changed", lists: ["flags"] };
    latest().say(hint);
    expect(frames).toEqual([ALL, hint]);
    expect(opened).toEqual([["teams", "flags"]]);
  });

  test("a lost socket reopens with growing delay until it has named all lists", () => {
    latest().close();
    expect(lost).toBe(1);
    vi.advanceTimersByTime(750);
    expect(FakeSocket.all).toHaveLength(2);
    latest().close();
    vi.advanceTimersByTime(750);
    expect(FakeSocket.all).toHaveLength(2);
    vi.advanceTimersByTime(750);
    latest().open();
    latest().say(ALL);
    latest().close();
    vi.advanceTimersByTime(750);
    expect(FakeSocket.all).toHaveLength(4);
    expect(refused).toBe(0);
    latest().close(1008);
    expect(refused).toBe(1);
    window.dispatchEvent(new Event("online"));
    expect(FakeSocket.all).toHaveLength(5);
  });

  test("back online while a reconnect is pending: only one socket is opened", () => {
    latest().close();
    window.dispatchEvent(new Event("online"));
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all.filter(({ readyState }) => readyState !== 3)).toEqual([latest()]);
    expect([FakeSocket.all.length, lost]).toEqual([2, 1]);
  });

  test("after a permanent close nothing reopens it", () => {
    latest().open();
    stop();
    expect(latest().readyState).toBe(3);
    vi.advanceTimersByTime(100_000);
    expect(FakeSocket.all).toHaveLength(1);
  });

  test("sends the viewed object, again after a reconnect, and when the viewing ends", () => {
    const end = channel.look("team Otters");
    latest().open();
    latest().say(ALL);
    vi.advanceTimersByTime(300);
    expect(latest().sent).toEqual([{ event: "look", object: "team Otters" }]);
    const endOfSheet = channel.look("question 7");
    endOfSheet();
    vi.advanceTimersByTime(300);
    expect(latest().sent).toHaveLength(1);
    latest().close();
    vi.advanceTimersByTime(1000);
    latest().open();
    latest().say(ALL);
    vi.advanceTimersByTime(300);
    expect(latest().sent).toEqual([{ event: "look", object: "team Otters" }]);
    end();
    vi.advanceTimersByTime(300);
    expect(latest().sent.at(-1)).toEqual({ event: "look", object: null });
  });
});

describe("lists", () => {
  const keyOf = (list: string, pages = 1) => [...LIVE_KEY, list, {}, pages];
  function cacheOf(...lists: readonly string[]) {
    const cache = new QueryClient();
    for (const list of lists) cache.setQueryData(keyOf(list), []);
    const stale = () =>
      lists.filter((list) => cache.getQueryState(keyOf(list))?.isInvalidated === true);
    const read = () => {
      for (const list of stale()) cache.setQueryData(keyOf(list), []);
    };
    return { cache, stale, read, news: new OrganizeNews(cache) };
  }

  test("only the lists named by a hint are fetched, at once", () => {
    const { news, stale } = cacheOf("teams", "flags", "evidence");
    news.take([]);
    expect(stale()).toEqual([]);
    news.take(["flags", "teams", "comets"]);
    expect(stale()).toEqual(["teams", "flags"]);
  });

  test("a fetched list is refetched two seconds later, however many hints name it", () => {
    const { news, stale, read } = cacheOf("teams", "flags");
    news.take(["teams"]);
    read();
    for (let hint = 0; hint < 3; hint += 1) news.take(["teams", "flags"]);
    expect(stale()).toEqual(["flags"]);
    read();
    vi.advanceTimersByTime(1900);
    expect(stale()).toEqual([]);
    vi.advanceTimersByTime(350);
    expect(stale()).toEqual(["teams", "flags"]);
    read();
    vi.advanceTimersByTime(10_000);
    expect(stale()).toEqual([]);
  });

  test("a list named during its fetch is refetched afterwards", async () => {
    const { cache, news } = cacheOf();
    const queryKey = keyOf("teams");
    let answer = (_: unknown) => {};
    const queryFn = () => new Promise((resolve) => (answer = resolve));
    const read = cache.fetchQuery({ queryKey, queryFn });
    news.take(["teams"]);
    answer([]);
    await read;
    expect(cache.getQueryState(queryKey)?.isInvalidated).toBe(false);
    vi.advanceTimersByTime(250);
    expect(cache.getQueryState(queryKey)?.isInvalidated).toBe(true);
  });

  test("a list of two pages is fetched half as often, and to its end", async () => {
    const { cache, news } = cacheOf();
    const queryKey = keyOf("teams", 2);
    const reads: AbortSignal[] = [];
    const answers: ((_: unknown) => void)[] = [];
    cache.setQueryData(queryKey, []);
    const list = new QueryObserver(cache, {
      queryKey,
      staleTime: Number.POSITIVE_INFINITY,
      queryFn({ signal }) {
        reads.push(signal);
        return new Promise((resolve) => answers.push(resolve));
      },
    });
    const end = list.subscribe(() => {});
    for (let hint = 0; hint < 4; hint += 1) {
      news.take(["teams"]);
      await vi.advanceTimersByTimeAsync(500);
    }
    expect(reads.map(({ aborted }) => aborted)).toEqual([false]);
    for (const answer of answers) answer([]);
    await vi.advanceTimersByTimeAsync(1500);
    expect(reads).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(750);
    expect(reads).toHaveLength(2);
    end();
    news.stop();
  });
});

describe("the first page with new rows", () => {
  const page = (next: string | null, ...at: number[]): SentFlags => ({
    flags: at.map((ms) => flag(ms)),
    next,
  });
  const times = (merged: SentFlags | null) => merged?.flags.map(({ at }) => at);

  test("new submissions come first without duplicates, and a late one in order", () => {
    const merged = withHead(page("n", 9, 5, 3), [page("x", 11, 9, 7)]);
    expect(times(merged)).toEqual([11, 9, 7, 5, 3]);
    expect(merged?.next).toBe("n");
  });

  test("a withdrawn submission is gone, and the next page keeps its own", () => {
    expect(times(withHead(page("n", 9, 7, 5), [page("x", 9, 5, 4)]))).toEqual([9, 5]);
    expect(times(withHead(page(null, 9, 7), [page(null, 9)]))).toEqual([9]);
  });

  test("there is none if submissions may be missing, or if it gets too long", () => {
    expect(withHead(page("n", 3, 2), [page("x", 9, 8)])).toBeNull();
    expect(times(withHead(page("n", 3, 2), [page("x", 9, 8), page("x", 7, 3)]))).toEqual([
      ...[9, 8, 7, 3, 2],
    ]);
    const long = page("n", ...Array.from({ length: 1000 }, (_, at) => 1000 - at));
    expect(withHead(long, [page("x", 1001, 1000)])).toBeNull();
  });

  test("the latest version of a submission replaces older ones", () => {
    const now = { flags: [flag(9, { countsNow: true })], next: "x" };
    expect(withHead(page("n", 9, 5), [now])?.flags[0]?.countsNow).toBe(true);
  });
});
