/** The organizers' channel with a fake socket, and the lists that its messages change. */
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FakeSocket } from "./fake-socket";
import { type Frame, OrganizeChannel } from "./organize-channel";
import type { Entry, SentFlag } from "./organize-lists";
import { LIVE_KEY } from "./organize-live";
import { fits, listsOf, OrganizeNews, withActs, withFlags } from "./organize-news";

const flag = (at: number, more: Partial<SentFlag> = {}): SentFlag => ({
  at,
  teamName: "Otters",
  challengeId: "oars",
  verdict: "wrong",
  countsNow: false,
  ...more,
});
const entry = (id: number, more: Partial<Entry> = {}): Entry => ({
  ...{ id, at: id, actor: "Ada", act: "team.ban", arguments: {}, reason: "" },
  ...{ sentence: `Act ${id}.`, undoable: true },
  ...more,
});
const STATE = { event: "state", flags: null, acts: null, questions: [], notices: null };

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  FakeSocket.all = [];
  vi.stubGlobal("WebSocket", FakeSocket);
});
afterEach(() => void vi.useRealTimers());

describe("the connection", () => {
  let frames: Frame[];
  let lost: number;
  let refused: number;
  let channel: OrganizeChannel;
  let stop: () => void;
  const latest = () => FakeSocket.all.at(-1) ?? expect.fail("no socket was opened");

  beforeEach(() => {
    [frames, lost, refused] = [[], 0, 0];
    channel = new OrganizeChannel("public", {
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

  test("one socket, whose view is in its address; what is not known is left out", () => {
    expect(latest().url).toMatch(/^ws:.*\/api\/organize\/live\?view=public$/);
    latest().open();
    latest().say("no json");
    latest().say({ event: "comet" });
    latest().say(STATE);
    const board = { event: "board", view: "truth", whole: false, challenges: [], gone: [] };
    latest().say({ ...board, whole: true, scoreboard: [["Otters"]] });
    latest().say({ ...board, scoreboard: [] });
    expect(frames).toEqual([STATE, { ...board, scoreboard: [] }]);
  });

  test("a lost socket is opened again, later each time, until it tells everything", () => {
    latest().close();
    expect(lost).toBe(1);
    vi.advanceTimersByTime(750);
    expect(FakeSocket.all).toHaveLength(2);
    latest().close();
    vi.advanceTimersByTime(750);
    expect(FakeSocket.all).toHaveLength(2);
    vi.advanceTimersByTime(750);
    latest().open();
    latest().say(STATE);
    latest().close();
    vi.advanceTimersByTime(750);
    expect(FakeSocket.all).toHaveLength(4);
    expect(refused).toBe(0);
    latest().close(1008);
    expect(refused).toBe(1);
    window.dispatchEvent(new Event("online"));
    expect(FakeSocket.all).toHaveLength(5);
  });

  test("back online while a socket is due: there is one socket, also later", () => {
    latest().close();
    window.dispatchEvent(new Event("online"));
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all.filter(({ readyState }) => readyState !== 3)).toEqual([latest()]);
    expect([FakeSocket.all.length, lost]).toEqual([2, 1]);
  });

  test("closed for good, nothing opens it again", () => {
    latest().open();
    stop();
    expect(latest().readyState).toBe(3);
    vi.advanceTimersByTime(100_000);
    expect(FakeSocket.all).toHaveLength(1);
  });

  test("says what is looked at, also after it was lost, and that it is over", () => {
    const end = channel.look("team Otters");
    latest().open();
    latest().say(STATE);
    vi.advanceTimersByTime(300);
    expect(latest().sent).toEqual([{ event: "look", object: "team Otters" }]);
    const endOfSheet = channel.look("question 7");
    endOfSheet();
    vi.advanceTimersByTime(300);
    expect(latest().sent).toHaveLength(1);
    latest().close();
    vi.advanceTimersByTime(1000);
    latest().open();
    latest().say(STATE);
    vi.advanceTimersByTime(300);
    expect(latest().sent).toEqual([{ event: "look", object: "team Otters" }]);
    end();
    vi.advanceTimersByTime(300);
    expect(latest().sent.at(-1)).toEqual({ event: "look", object: null });
  });
});

describe("lists", () => {
  test.each([
    [{}, true],
    [{ team: "Otters", challenge: "oars", verdict: "wrong" }, true],
    [{ team: "Ants" }, null],
    [{ team: "Ants", verdict: "right" }, false],
    [{ verdict: "right" }, false],
    [{ near: "any" }, true],
    [{ near: "blanks,case" }, true],
    [{ near: "decoy" }, false],
    [{ network: "192.0.2.7" }, true],
    [{ network: "192.0.2.8" }, false],
    [{ network: "2001:db8::" }, null],
    [{ from: "1970-01-01T00:00:00.005Z" }, true],
    [{ until: "1970-01-01T00:00:00.006Z" }, true],
    [{ until: "1970-01-01T00:00:00.005Z" }, false],
  ])("a near flag and the filter %j: %s", (query, expected) => {
    const one = flag(5, { near: "case", network: "192.0.2.7" });
    expect(fits(one, { ...query, view: undefined })).toBe(expected);
    if ("near" in query) expect(fits(flag(5), query)).toBe(false);
    if ("team" in query) expect(fits(one, query, flag(1, { teamName: "Bees" }))).toBe(false);
  });

  test("the flags of a list say what its team is called by now", () => {
    expect(fits(flag(5), { team: "Beavers" }, flag(1))).toBe(true);
    expect(fits(flag(5, { teamName: "Ants" }), { team: "Beavers" }, flag(1))).toBe(false);
  });

  test("flags come first, each once, and one that is late at its place", () => {
    const pages = [
      { flags: [flag(9), flag(5)], next: "n" },
      { flags: [flag(1)], next: null },
    ];
    const next = withFlags(pages, [flag(9), flag(7), flag(11)]);
    expect(next.map(({ flags }) => flags.map(({ at }) => at))).toEqual([[11, 9, 7, 5], [1]]);
    expect(next[0]?.next).toBe("n");
    expect(withFlags(pages, [flag(9)])).toBe(pages);
  });

  test("an act that takes another one back says so there", () => {
    const pages = [[entry(3), entry(2)], [entry(1)]];
    const next = withActs(pages, [entry(4, { undoes: 1 }), entry(3)]);
    expect(next.map((page) => page.map(({ id }) => id))).toEqual([[4, 3, 2], [1]]);
    expect(next[1]?.[0]?.undoneBy).toBe(4);
    expect(withActs(pages, [entry(2)])).toBe(pages);
  });

  test("each act concerns what it can change", () => {
    expect(listsOf("team.ban")).toContain("teams");
    expect(listsOf("evidence.state")).toEqual(["evidence"]);
    expect(listsOf("challenge.status")).toEqual(["overview", "challenges"]);
    expect(listsOf("team.note")).toEqual(["teams", "story"]);
    expect(listsOf("page.set")).toContain("settings");
    expect(listsOf("event.times")).toContain("settings");
    expect(listsOf("answers.set")).toEqual(["answers"]);
    expect(listsOf("organizer.add")).toEqual([]);
  });

  function cacheOf(lists: Readonly<Record<string, unknown[]>>) {
    const cache = new QueryClient();
    for (const [name, data] of Object.entries(lists)) {
      cache.setQueryData([...LIVE_KEY, name, { team: "Otters" }, 1], data);
    }
    const isStale = (name: string) => {
      const state = cache.getQueryState([...LIVE_KEY, name, { team: "Otters" }, 1]);
      return state?.isInvalidated;
    };
    return { cache, isStale, news: new OrganizeNews(cache, undefined) };
  }
  const told = (one: SentFlag): Frame => ({ event: "flag", ...one });

  test("a list without a flag of its team yet is read again: it may be a former name", () => {
    const { isStale, news } = cacheOf({ flags: [{ flags: [], next: null }] });
    news.take(told(flag(1, { teamName: "Beavers" })));
    vi.advanceTimersByTime(50);
    expect(isStale("flags")).toBe(true);
  });

  test("flags of a moment are put into the lists that have them, and nothing is asked", () => {
    const { cache, isStale, news } = cacheOf({ flags: [{ flags: [flag(1)], next: null }] });
    news.take(told(flag(2)));
    news.take(told(flag(3, { teamName: "Ants" })));
    news.take(told(flag(4)));
    vi.advanceTimersByTime(50);
    const pages = cache.getQueryData([...LIVE_KEY, "flags", { team: "Otters" }, 1]);
    expect(pages).toEqual([{ flags: [flag(4), flag(2), flag(1)], next: null }]);
    expect(isStale("flags")).toBe(false);
  });

  test("what was told while a list was read is not lost to what was read", async () => {
    const { cache, news } = cacheOf({});
    const queryKey = [...LIVE_KEY, "flags", { team: "Otters" }, 1];
    let answer = (_: unknown) => {};
    const read = cache.fetchQuery({
      queryKey,
      queryFn: () => new Promise((resolve) => (answer = resolve)),
    });
    news.take(told(flag(2)));
    vi.advanceTimersByTime(50);
    answer([{ flags: [flag(1)], next: null }]);
    await read;
    vi.advanceTimersByTime(1000);
    expect(cache.getQueryData(queryKey)).toEqual([{ flags: [flag(2), flag(1)], next: null }]);
    // What an act may have taken back does not come again.
    news.take({ event: "act", ...entry(1) });
    cache.setQueryData(queryKey, [{ flags: [flag(1)], next: null }]);
    news.take(told(flag(3)));
    vi.advanceTimersByTime(50);
    expect(cache.getQueryData(queryKey)).toEqual([{ flags: [flag(3), flag(1)], next: null }]);
  });

  test("a list that has grown long is read again", () => {
    const { isStale, news } = cacheOf({ flags: [{ flags: [flag(0)], next: null }] });
    for (let at = 1; at <= 1000; at += 1) news.take(told(flag(at)));
    vi.advanceTimersByTime(50);
    expect(isStale("flags")).toBe(true);
  });

  test("what moves with each flag is read at once, then every few seconds", () => {
    const { cache, isStale, news } = cacheOf({ challenges: [], teams: [] });
    const read = () => {
      for (const list of ["challenges", "teams"]) {
        cache.setQueryData([...LIVE_KEY, list, { team: "Otters" }, 1], []);
      }
    };
    const board = { event: "board", whole: false, challenges: [], gone: [] } as const;
    news.take({ ...board, scoreboard: [] });
    vi.advanceTimersByTime(50);
    expect(isStale("teams")).toBe(false);
    news.take({ ...board, scoreboard: [["Otters"]] });
    vi.advanceTimersByTime(50);
    expect([isStale("teams"), isStale("challenges")]).toEqual([true, true]);
    read();
    news.take(told(flag(1)));
    vi.advanceTimersByTime(2900);
    expect([isStale("teams"), isStale("challenges")]).toEqual([false, false]);
    vi.advanceTimersByTime(100);
    expect([isStale("teams"), isStale("challenges")]).toEqual([false, true]);
  });

  const MOVED: Frame = {
    event: "board",
    whole: false,
    challenges: [],
    gone: [],
    scoreboard: [["Otters"]],
  };

  test("a list that was being read when it moved is read again when that is done", async () => {
    const { cache, isStale, news } = cacheOf({});
    const queryKey = [...LIVE_KEY, "teams", { team: "Otters" }, 1];
    let answer = (_: unknown) => {};
    const queryFn = () => new Promise((resolve) => (answer = resolve));
    const read = cache.fetchQuery({ queryKey, queryFn });
    news.take(MOVED);
    vi.advanceTimersByTime(50);
    answer([]);
    await read;
    expect(isStale("teams")).toBe(false);
    vi.advanceTimersByTime(3000);
    expect(isStale("teams")).toBe(true);
  });

  test("a list of two pages that moved soon after it was read is read again in time", () => {
    const { cache, news } = cacheOf({});
    const queryKey = [...LIVE_KEY, "teams", {}, 2];
    const isStale = () => cache.getQueryState(queryKey)?.isInvalidated;
    cache.setQueryData(queryKey, []);
    news.take(MOVED);
    vi.advanceTimersByTime(50);
    expect(isStale()).toBe(true);
    cache.setQueryData(queryKey, []);
    news.take(MOVED);
    vi.advanceTimersByTime(5900);
    expect(isStale()).toBe(false);
    vi.advanceTimersByTime(100);
    expect(isStale()).toBe(true);
  });

  test.each([
    ["of one page begins anew with each act", 1, [true, true, false]],
    ["of more is read to its end, and then again", 2, [false]],
  ])("a list %s", async (_, pages, aborted) => {
    const { cache, news } = cacheOf({});
    const reads: AbortSignal[] = [];
    const answers: ((_: unknown) => void)[] = [];
    const queryKey = [...LIVE_KEY, "teams", {}, pages];
    cache.setQueryData(queryKey, []);
    const list = new QueryObserver(cache, {
      queryKey,
      queryFn({ signal }) {
        reads.push(signal);
        return new Promise((resolve) => answers.push(resolve));
      },
    });
    const end = list.subscribe(() => {});
    for (const id of [1, 2]) {
      news.take({ event: "act", ...entry(id) });
      await vi.advanceTimersByTimeAsync(50);
    }
    expect(reads.map((signal) => signal.aborted)).toEqual(aborted);
    for (const answer of answers) answer([]);
    await vi.advanceTimersByTimeAsync(3000);
    expect(reads).toHaveLength(pages === 1 ? 3 : 2);
    end();
  });

  test("an act changes its lists at once; after a gap all that was not told is read", () => {
    const { cache, isStale, news } = cacheOf({ teams: [], evidence: [], flags: [] });
    cache.setQueryData([...LIVE_KEY, "acts", 1], [[entry(1)]]);
    news.take({ event: "act", ...entry(2) });
    vi.advanceTimersByTime(50);
    expect(cache.getQueryData([...LIVE_KEY, "acts", 1])).toEqual([[entry(2), entry(1)]]);
    expect([isStale("teams"), isStale("evidence")]).toEqual([true, false]);
    news.take({ event: "state", flags: null, acts: [entry(9)], questions: null, notices: [] });
    expect(cache.getQueryData([...LIVE_KEY, "acts", 1])).toEqual([[entry(9)]]);
    expect(cache.getQueryData([...LIVE_KEY, "notices"])).toEqual([]);
    expect(cache.getQueryData([...LIVE_KEY, "questions"])).toBeUndefined();
    expect(isStale("evidence")).toBe(true);
    expect(cache.getQueryState([...LIVE_KEY, "acts", 1])?.isInvalidated).toBe(false);
  });
});
