/**
 * From page to page without loading the site anew. Links are plain ones: a click on one that leads
 * to a page of the site is taken here, all others are the browser's.
 */
import { createContext, useContext, useLayoutEffect, useState } from "react";
import { navigate, useLocationProperty } from "wouter/use-browser-location";

/** What is drawn; `path` without a slash at its end, `search` with its question mark or empty. */
export interface Address {
  readonly path: string;
  readonly search: string;
}

/** An address as the browser shows it, without its hash, in parts. */
export function parseAddress(address: string): Address {
  // Not as a second argument: an address that begins with two slashes would name a host.
  const { pathname, search } = new URL(window.location.origin + address);
  return { path: pathname.replace(/(.)\/+$/, "$1"), search };
}

/** The address that the browser shows, without its hash. */
export function useAskedAddress(): string {
  return useLocationProperty(shownAddress);
}

/** The address that the browser shows now, without its hash. */
export function shownAddress(): string {
  return window.location.pathname + window.location.search;
}

/** What follows the `#`, a mailed link's token; kept while the page is left for another. */
export function useHash(): string {
  const asked = useLocationProperty(() => window.location.hash.slice(1));
  const [kept, keep] = useState(asked);
  if (asked !== "" && asked !== kept) keep(asked);
  return asked || kept;
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
  if (address === shownAddress()) {
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

/** Leads on, without a trace of this page in the history; not from a page that is being left. */
export function Redirect({ to }: { to: string }) {
  const asked = parseAddress(useAskedAddress()).path;
  const { path } = useAddress();
  useLayoutEffect(() => {
    if (asked === path) go(to, { replace: true });
  }, [asked, path, to]);
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
  const onHistory = () => {
    scrollsUp = false;
  };
  const intents = ["pointerover", "focusin", "touchstart"];
  window.addEventListener("popstate", onHistory);
  document.addEventListener("click", onClick);
  for (const name of intents) document.addEventListener(name, onIntent, { passive: true });
  return () => {
    window.removeEventListener("popstate", onHistory);
    document.removeEventListener("click", onClick);
    for (const name of intents) document.removeEventListener(name, onIntent);
  };
}
