/**
 * What a message of the organizers' live channel changes: flags and acts are put into their lists,
 * the other lists that it concerns are read again. Pure, but for the cache that is handed in.
 */
import type { Query as Cached, QueryClient } from "@tanstack/react-query";
import type { Frame } from "./organize-channel";
import { nameOf } from "./organize-flag-name";
import type { Entry, Query, SentFlag, SentFlags } from "./organize-lists";
import { LIVE_KEY, LIVE_MS, type List } from "./organize-live";

/** What comes within this time is one change of a list. */
const FLUSH_MS = 50;
/** What was told is put in again for so long: a list that was being read may have been too old. */
const RECENT_MS = 15_000;
const AGAIN_MS = 1000;
/** Rows that may come to the first page before it is read again, as it was at first. */
const GROWN_MAX = 1000;

/** Acts about a team's account, which change nothing that counts. */
const OF_ACCOUNTS = new Set([
  ...[
    "team.message",
    "team.note",
    "team.address",
    "team.resend",
    "team.reset",
    "team.code",
    "team.end_sessions",
  ],
]);

/** The lists that an act may change, but for those that are told of it. */
export function listsOf(act: string): readonly List[] {
  if (act.startsWith("evidence.")) return ["evidence"];
  if (act === "answers.set") return ["answers"];
  if (/^(settings|brand|page)\.|^event\.rules$/.test(act)) return ["settings"];
  if (/^(notice|question)\./.test(act)) return ["overview", "story"];
  if (act === "challenge.status") return ["overview", "challenges"];
  if (OF_ACCOUNTS.has(act)) return ["teams", "story"];
  if (!/^(team|solve|challenge|event)\./.test(act)) return [];
  const of = act.startsWith("event.") ? (["settings"] as const) : [];
  return ["overview", "challenges", "source", "teams", "story", "flags", ...of];
}

/**
 * Whether a flag is one that the filters of a list leave; null where the server has to say it. It
 * knows a team by a former name, too, of which the flags that a list has already have the new one.
 */
export function fits(flag: SentFlag, query: Query, known?: SentFlag): boolean | null {
  const { team, challenge, verdict, near, network, from, until } = query;
  const nears = near ? near.split(",") : [];
  const isNear = nears.includes("any") ? Boolean(flag.near) : nears.includes(flag.near ?? "");
  const isLeft =
    (!challenge || flag.challengeId === challenge) &&
    (!verdict || flag.verdict === verdict) &&
    (!near || isNear) &&
    // Which addresses a network of IPv6 has is for the server to say.
    (!network || network.includes(":") || flag.network === network) &&
    (!from || flag.at >= Date.parse(from)) &&
    (!until || flag.at < Date.parse(until));
  if (!isLeft) return false;
  const isOfTeam = !team || flag.teamName === (known?.teamName ?? team);
  if (!isOfTeam) return known ? false : null;
  return network?.includes(":") ? null : true;
}

/**
 * The pages with flags that are new, the newest first; the same pages if there are none. Those that
 * are older than the first page are on the next one.
 */
export function withFlags(
  pages: readonly SentFlags[],
  flags: readonly SentFlag[],
): readonly SentFlags[] {
  const [first, ...others] = pages;
  if (!first) return pages;
  const known = new Set(first.flags.map(nameOf));
  const from = first.next ? (first.flags.at(-1)?.at ?? 0) : 0;
  const fresh = flags.filter((flag) => flag.at >= from && !known.has(nameOf(flag)));
  if (fresh.length === 0) return pages;
  const all = [...fresh, ...first.flags].sort((a, b) => b.at - a.at);
  return [{ ...first, flags: all }, ...others];
}

/** The pages with acts that are new, the newest first; what an act takes back is undone by it. */
export function withActs(
  pages: readonly (readonly Entry[])[],
  acts: readonly Entry[],
): readonly (readonly Entry[])[] {
  const known = new Set(pages.flat().map(({ id }) => id));
  const fresh = acts.filter(({ id }) => !known.has(id)).sort((a, b) => b.id - a.id);
  if (fresh.length === 0) return pages;
  const undoneBy = new Map(fresh.flatMap(({ id, undoes }) => (undoes ? [[undoes, id]] : [])));
  const [first = [], ...others] = pages;
  return [[...fresh, ...first], ...others].map((page) =>
    page.map((act) => {
      const by = undoneBy.get(act.id);
      return by === undefined ? act : { ...act, undoneBy: by };
    }),
  );
}

/**
 * The number of pages of a cached list, or that its reader asked for, which is the end of its key;
 * 1 for one without pages.
 */
function pagesOf({ queryKey, state }: Cached): number {
  const asked = queryKey.at(-1);
  if (typeof asked !== "number") return 1;
  return Array.isArray(state.data) ? Math.max(asked, state.data.length) : asked;
}

/** Its name follows the beginning of the key of all. */
function nameOfList({ queryKey }: Cached): unknown {
  return queryKey[LIVE_KEY.length];
}

/** What was told, and when. */
interface Told<T> {
  readonly toldAtMs: number;
  readonly what: T;
}

/** Applies frames to the cache, those of a moment together. */
export class OrganizeNews {
  #flags: Told<SentFlag>[] = [];
  #acts: Told<Entry>[] = [];
  /** Lists to read at once: what is being read of them may be older. */
  #now = new Set<unknown>();
  #soon = new Set<unknown>();
  /** The lists of the cache that are read again when they are due, by hash. */
  #waiting = new Set<string>();
  #readAtMs = new WeakMap<Cached, number>();
  #flushTimer: ReturnType<typeof setTimeout> | undefined;
  #soonTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #cache: QueryClient;
  readonly #view: string | undefined;

  constructor(cache: QueryClient, view: string | undefined) {
    this.#cache = cache;
    this.#view = view;
  }

  take(frame: Frame): void {
    if (frame.event === "state") this.#replace(frame);
    if (frame.event === "health") {
      const { event: _, ...overview } = frame;
      this.#cache.setQueryData([...LIVE_KEY, "overview", this.#view], overview);
    }
    if (frame.event === "flag") {
      const { event: _, ...flag } = frame;
      this.#flags.push({ toldAtMs: Date.now(), what: flag });
      this.#read(["challenges", "story"], { isSoon: true });
    }
    if (frame.event === "act") {
      const { event: _, ...act } = frame;
      this.#acts.push({ toldAtMs: Date.now(), what: act });
      const lists = listsOf(act.act);
      // It may have taken some of them back.
      if (lists.includes("flags")) this.#flags = [];
      this.#read(lists);
    }
    if (frame.event === "question") this.#read(["questions", "overview", "story"]);
    if (frame.event === "notice") this.#read(["notices"]);
    if (frame.event === "board" && !frame.whole) {
      // The whole one comes with `state`, after which all is read.
      const moved = [frame.challenges, frame.scoreboard, frame.gone];
      const hasMoved = moved.some(({ length }) => length > 0);
      if (hasMoved) this.#read(["teams", "story", "challenges"], { isSoon: true });
    }
  }

  stop(): void {
    clearTimeout(this.#flushTimer);
    clearTimeout(this.#soonTimer);
  }

  /** Everything may have changed while nothing was told. */
  #replace({ acts, questions, notices }: Extract<Frame, { event: "state" }>): void {
    const told = [
      { key: [...LIVE_KEY, "acts", 1], data: acts && [acts] },
      { key: [...LIVE_KEY, "questions"], data: questions },
      { key: [...LIVE_KEY, "notices"], data: notices },
    ];
    const isTold = new Set<unknown>();
    for (const { key, data } of told) {
      if (!data) continue;
      this.#cache.setQueryData(key, data);
      isTold.add(this.#cache.getQueryCache().find({ queryKey: key }));
    }
    void this.#cache.invalidateQueries({
      queryKey: LIVE_KEY,
      predicate: (query) => !isTold.has(query),
    });
  }

  /** Reads lists again: at once, or with what comes in the next seconds. */
  #read(lists: readonly List[], { isSoon = false } = {}): void {
    const waiting = isSoon ? this.#soon : this.#now;
    for (const list of lists) waiting.add(list);
    this.#flushTimer ??= setTimeout(() => this.#flush(), FLUSH_MS);
  }

  #flush(): void {
    this.#flushTimer = undefined;
    const isRecent = ({ toldAtMs }: Told<unknown>) => toldAtMs > Date.now() - RECENT_MS;
    this.#flags = this.#flags.filter(isRecent);
    this.#acts = this.#acts.filter(isRecent);
    const wereRead = [this.#putFlags(), this.#putActs()];
    this.#queue();
    if (this.#waiting.size > 0 && this.#soonTimer === undefined) this.#readDue();
    if (wereRead.includes(true)) {
      this.#flushTimer = setTimeout(() => this.#flush(), AGAIN_MS);
    }
  }

  /**
   * A list of several pages always waits: reads that begin anew with each act would never end. So
   * does one that is read for the first time, which cannot begin anew.
   */
  #queue(): void {
    const isShort = (query: Cached) => query.state.data !== undefined && pagesOf(query) === 1;
    const isAtOnce = (query: Cached) => this.#now.has(nameOfList(query)) && isShort(query);
    for (const query of this.#cache.getQueryCache().findAll({ queryKey: LIVE_KEY })) {
      const name = nameOfList(query);
      if (isAtOnce(query)) this.#waiting.delete(query.queryHash);
      else if (this.#now.has(name) || this.#soon.has(name)) this.#waiting.add(query.queryHash);
    }
    void this.#cache.invalidateQueries({ queryKey: LIVE_KEY, predicate: isAtOnce });
    this.#now.clear();
    this.#soon.clear();
  }

  /** What always moves is read at once and then every few seconds, in long lists more seldom. */
  #readDue(): void {
    const due = new Set<Cached>();
    for (const hash of this.#waiting) {
      const query = this.#cache.getQueryCache().get(hash);
      if (query && !this.#isDue(query)) continue;
      this.#waiting.delete(hash);
      if (query) due.add(query);
    }
    for (const query of due) this.#readAtMs.set(query, Date.now());
    const predicate = (query: Cached) => due.has(query);
    void this.#cache.invalidateQueries({ queryKey: LIVE_KEY, predicate }, { cancelRefetch: false });
    this.#soonTimer = setTimeout(() => {
      this.#soonTimer = undefined;
      if (this.#waiting.size > 0) this.#readDue();
    }, LIVE_MS);
  }

  /** One that is being read may miss what was told: it is due when that is done. */
  #isDue(query: Cached): boolean {
    if (query.state.fetchStatus !== "idle") return false;
    const readAtMs = this.#readAtMs.get(query) ?? 0;
    return pagesOf(query) === 1 || Date.now() - readAtMs >= LIVE_MS * pagesOf(query);
  }

  #putFlags(): boolean {
    const flags = this.#flags.map(({ what }) => what);
    return this.#put<readonly SentFlags[]>("flags", flags.length > 0, (pages, key) => {
      const query = key.find((part) => typeof part === "object" && part !== null) ?? {};
      const { view, ...filter }: Query = { ...query };
      if (view !== this.#view) return pages;
      const known = pages.find((page) => page.flags.length > 0)?.flags[0];
      if (flags.some((flag) => fits(flag, filter, known) === null)) return null;
      const next = withFlags(
        pages,
        flags.filter((flag) => fits(flag, filter, known)),
      );
      return (next[0]?.flags.length ?? 0) > GROWN_MAX ? null : next;
    });
  }

  #putActs(): boolean {
    const acts = this.#acts.map(({ what }) => what);
    return this.#put<readonly (readonly Entry[])[]>("acts", acts.length > 0, (pages) => {
      return withActs(pages, acts);
    });
  }

  /**
   * Changes a list in the cache; one for which there is null is read again. True if one was just
   * being read, so that what is read may be older.
   */
  #put<T>(
    list: List,
    isNew: boolean,
    change: (data: T, key: readonly unknown[]) => T | null,
  ): boolean {
    if (!isNew) return false;
    let wasRead = false;
    for (const query of this.#cache.getQueryCache().findAll({ queryKey: [...LIVE_KEY, list] })) {
      const { queryKey } = query;
      wasRead ||= query.state.fetchStatus !== "idle";
      const data = this.#cache.getQueryData<T>(queryKey);
      if (data === undefined) continue;
      const next = change(data, queryKey);
      if (next === null) {
        this.#waiting.add(query.queryHash);
      } else if (next !== data) {
        // Not compared row by row with what was there: rows that moved would be copied.
        query.setState({ data: next, dataUpdatedAt: Date.now(), error: null, status: "success" });
      }
    }
    return wasRead;
  }
}
