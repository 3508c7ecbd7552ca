/**
 * From page to page without loading the site anew. Links are plain ones: a click on one that leads
 * to a page of the site is taken here, all others are the browser's.
 */
import { createContext, useContext, useLayoutEffect } from "react";
import { navigate, useLocationProperty } from "wouter/use-browser-location";

/** What is drawn; `path` without a slash at its end, `search` with its question mark or empty. */
export interface Address {
  readonly path: string;
  readonly search: string;
}

export function parseAddress(address: string): Address {
  const { pathname, search } = new URL(address, window.location.origin);
  return { path: pathname.replace(/(.)\/+$/, "$1"), search };
}

/** The address that the browser shows, without its hash. */
export function useAskedAddress(): string {
  return useLocationProperty(() => window.location.pathname + window.location.search);
}

/** What follows the `#`: a mailed link's token. */
export function useHash(): string {
  return useLocationProperty(() => window.location.hash.slice(1));
}

/** The address of the page that is drawn: the asked one, once its page is there. */
export const AddressContext = createContext<Address>({ path: "/", search: "" });

export function useAddress(): Address {
  return useContext(AddressContext);
}

export interface Going {
  /** The address takes the place of the present one: going back does not lead here. */
  replace?: boolean;
  /** The page shows another view of the same: it stays where it is scrolled to. */
  keepScroll?: boolean;
}

let scrollsUp = false;

/** Leads to an address of the site; where one is already, only up to its top. */
export function go(address: string, { replace = false, keepScroll = false }: Going = {}): void {
  if (address === window.location.pathname + window.location.search) {
    if (!keepScroll) window.scrollTo(0, 0);
    return;
  }
  scrollsUp = !keepScroll;
  navigate(address, { replace });
}

/** A page that was gone to is shown from its top; where one goes back to, the browser scrolls. */
export function useScrollUp(drawn: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is the occasion.
  useLayoutEffect(() => {
    if (scrollsUp) window.scrollTo(0, 0);
    scrollsUp = false;
  }, [drawn]);
}

/** Leads on at once, without a trace of this page in the history. */
export function Redirect({ to }: { to: string }) {
  useLayoutEffect(() => go(to, { replace: true }), [to]);
  return null;
}

/** Where on this origin the link leads that `target` is in; null for all else. */
function linkedAddress(target: EventTarget | null): string | null {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
  if (!link || link.target || link.hasAttribute("download")) return null;
  const { origin, pathname, search, hash } = link;
  return origin === window.location.origin && hash === "" ? pathname + search : null;
}

/** Whether the click wants the page here; the others want a new tab, a window or a download. */
function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
}

interface Pages {
  has(address: string): boolean;
  /** Somebody is about to go there. */
  expect(address: string): void;
}

/** Takes the clicks on links to `pages`; the answer lets go of them. */
export function followLinks(pages: Pages): () => void {
  const onClick = (event: MouseEvent) => {
    const address = linkedAddress(event.target);
    if (event.defaultPrevented || !isPlainClick(event)) return;
    if (address === null || !pages.has(address)) return;
    event.preventDefault();
    go(address);
  };
  const onIntent = (event: Event) => {
    const address = linkedAddress(event.target);
    if (address !== null) pages.expect(address);
  };
  const intents = ["pointerover", "focusin", "touchstart"];
  document.addEventListener("click", onClick);
  for (const name of intents) document.addEventListener(name, onIntent, { passive: true });
  return () => {
    document.removeEventListener("click", onClick);
    for (const name of intents) document.removeEventListener(name, onIntent);
  };
}
