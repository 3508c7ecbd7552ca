/** Reads lists again that the organizers' live channel has named, of those in the cache. */
import type { Query as Cached, QueryClient } from "@tanstack/react-query";
import { HEAD_READS, LIVE_KEY } from "./organize-live";

/** Shortest time between two reads of a list, for each of its pages. */
const AGAIN_MS = 2000;
/** Time between two looks for lists that are due. */
const TICK_MS = 250;

/** The number of pages of a cached list, which is the end of its key; 1 for one without pages. */
function pagesOf({ queryKey, state }: Cached): number {
  const asked = queryKey.at(-1);
  if (typeof asked !== "number") return 1;
  return Array.isArray(state.data) ? Math.max(asked, state.data.length) : asked;
}

/** Follows hints: what was not read lately is read at once, the rest when it is due. */
export class OrganizeNews {
  /** Lists of the cache that are to be read to the end of what is shown. */
  readonly #wholes = new Set<Cached>();
  /** Lists of flags of which those that are new are to be read, which takes a page or two. */
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
      if (!lists.some((list) => list === name)) continue;
      if (name === "flags") this.#heads.add(query);
      // An action may have taken back a flag of any page.
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
      // One that is being read may miss what was told: it is due when that is done.
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
