/** Refetches cached lists that the organizer live channel reported as changed. */
import type { Query as Cached, QueryClient } from "@tanstack/react-query";
import { HEAD_READS, LIVE_KEY } from "./organize-live";

/** Minimum time between two fetches of a list, per page. */
const AGAIN_MS = 2000;
/** Interval of the check for lists that are due. */
const TICK_MS = 250;

/** Number of pages of a cached list, the last part of its key; 1 for unpaged lists. */
function pagesOf({ queryKey, state }: Cached): number {
  const asked = queryKey.at(-1);
  if (typeof asked !== "number") return 1;
  return Array.isArray(state.data) ? Math.max(asked, state.data.length) : asked;
}

/** Refetches a list after a hint: at once, or after an interval if it was fetched recently. */
export class OrganizeNews {
  /** Cached lists to refetch completely. */
  readonly #wholes = new Set<Cached>();
  /** Lists of submissions to refetch from the top, which takes one or two pages. */
  readonly #heads = new Set<Cached>();
  readonly #wholeAtMs = new WeakMap<Cached, number>();
  readonly #readAtMs = new WeakMap<Cached, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #cache: QueryClient;

  constructor(cache: QueryClient) {
    this.#cache = cache;
  }

  take(lists: readonly string[]): void {
    for (const query of this.#cache.getQueryCache().findAll({ queryKey: LIVE_KEY })) {
      const name = query.queryKey[LIVE_KEY.length];
      // A source lists the teams that took hints, which change the challenges.
      const isTold = (list: string) =>
        list === name || (list === "challenges" && name === "source");
      if (!lists.some(isTold)) continue;
      if (name === "flags") this.#heads.add(query);
      // An action may have withdrawn a submission on any page.
      if (name !== "flags" || lists.includes("actions")) this.#wholes.add(query);
    }
    if (this.#timer === undefined) this.#readDue();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #readDue(): void {
    const now = Date.now();
    const due = new Set<Cached>();
    for (const query of [...this.#wholes, ...this.#heads]) {
      // A fetch in progress may miss the change, so the list is refetched after it.
      const isBusy = query.state.fetchStatus !== "idle" || due.has(query);
      if (isBusy || now - (this.#readAtMs.get(query) ?? 0) < AGAIN_MS) continue;
      const wholeAtMs = this.#wholeAtMs.get(query) ?? 0;
      const isWhole = this.#wholes.has(query) && now - wholeAtMs >= AGAIN_MS * pagesOf(query);
      if (!isWhole && !this.#heads.has(query)) continue;
      this.#heads.delete(query);
      this.#readAtMs.set(query, now);
      due.add(query);
      if (isWhole) {
        this.#wholes.delete(query);
        this.#wholeAtMs.set(query, now);
        HEAD_READS.delete(query);
      } else {
        HEAD_READS.add(query);
      }
    }
    const predicate = (query: Cached) => due.has(query);
    void this.#cache.invalidateQueries({ queryKey: LIVE_KEY, predicate }, { cancelRefetch: false });
    const isOver = this.#wholes.size + this.#heads.size === 0;
    this.#timer = isOver ? undefined : setTimeout(() => this.#readDue(), TICK_MS);
  }
}
