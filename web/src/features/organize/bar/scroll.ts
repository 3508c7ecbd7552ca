/**
 * Keeps what was scrolled. A reload and Back restore the position of the window and of the panels
 * at their address; a link starts at the top. The browser alone cannot, because lists arrive later.
 */
import { useEffect } from "react";
import { currentAddress } from "../../../navigate";

const KEY = "scroll";
/** Addresses whose positions are kept. */
const ADDRESSES_MAX = 50;
/** Elements that scroll by themselves. */
const BOXES = ".org-panel, [data-scroll]";
/** Time for the content to arrive. */
const WAIT_MS = 5000;
/** Time after which a reached position counts as restored: the old page may still be shown. */
const LAST_MS = 500;

type Places = Readonly<Record<string, readonly number[]>>;

function readPlaces(): Places {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

function writePlaces(places: Places): void {
  const newest = Object.entries(places).slice(-ADDRESSES_MAX);
  try {
    sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(newest)));
  } catch {
    // Storage is unavailable: positions are lost.
  }
}

const boxes = () => [...document.querySelectorAll<HTMLElement>(BOXES)];
/** Positions of the window and of the boxes, in the order of the page. */
const placesNow = () => [window.scrollY, ...boxes().map(({ scrollTop }) => scrollTop)];

/** Scrolls to the kept positions, as far as the content reaches; true if all are reached. */
function restore([top = 0, ...tops]: readonly number[]): boolean {
  if (Math.abs(window.scrollY - top) > 1) window.scrollTo(0, top);
  const found = boxes();
  tops.forEach((one, at) => {
    const box = found[at];
    if (box && Math.abs(box.scrollTop - one) > 1) box.scrollTop = one;
  });
  const now = [window.scrollY, ...tops.map((_, at) => found[at]?.scrollTop ?? -1)];
  return [top, ...tops].every((one, at) => Math.abs((now[at] ?? -1) - one) <= 1);
}

/**
 * Restores positions while the content arrives, until they last or the user scrolls. Returns a
 * function that stops it early.
 */
function restoreSoon(places: readonly number[], onDone: () => void): () => void {
  const observer = new MutationObserver(look);
  const inputs = ["wheel", "touchstart", "pointerdown", "keydown"];
  let timer = setTimeout(done, WAIT_MS);
  function stop() {
    observer.disconnect();
    clearTimeout(timer);
    for (const input of inputs) document.removeEventListener(input, done, true);
  }
  function done() {
    stop();
    onDone();
  }
  function look() {
    if (!restore(places)) return;
    clearTimeout(timer);
    timer = setTimeout(done, LAST_MS);
  }
  for (const input of inputs) document.addEventListener(input, done, true);
  observer.observe(document.body, { childList: true, subtree: true });
  look();
  return stop;
}

/** True if the document was loaded again at this address, not opened by a link. */
function isReload(): boolean {
  const [entry] = performance.getEntriesByType?.("navigation") ?? [];
  if (!entry || !("type" in entry)) return false;
  const isAgain = entry.type === "reload" || entry.type === "back_forward";
  const { pathname, search } = new URL(entry.name, window.location.href);
  return isAgain && pathname + search === currentAddress();
}

/** True once the positions of a reload are restored. Before, the frame can be hidden and shown. */
let isRestored = false;
const finish = () => {
  isRestored = true;
};

export function useKeptScroll(): void {
  useEffect(() => {
    let address = currentAddress();
    let stop = () => {};
    const recall = () => {
      stop();
      address = currentAddress();
      const places = readPlaces()[address];
      if (places) stop = restoreSoon(places, finish);
    };
    if (!isRestored && isReload()) recall();
    const keep = () => {
      if (address !== currentAddress()) {
        // The scroll belongs to the page that just opened.
        address = currentAddress();
        stop();
        finish();
      }
      const { [address]: _, ...others } = readPlaces();
      writePlaces({ ...others, [address]: placesNow() });
    };
    let frame = 0;
    const onScroll = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(keep);
    };
    document.addEventListener("scroll", onScroll, { capture: true, passive: true });
    window.addEventListener("popstate", recall);
    return () => {
      stop();
      cancelAnimationFrame(frame);
      document.removeEventListener("scroll", onScroll, { capture: true });
      window.removeEventListener("popstate", recall);
    };
  }, []);
}
