/**
 * Navigation without reloading the site. Links are plain `<a>` elements: a click on a link to a
 * page of the site is handled here; the browser handles all others.
 */
import { createContext, useContext, useLayoutEffect, useState } from "react";
import { navigate, useLocationProperty } from "wouter/use-browser-location";

/** `path` has no trailing slash, `search` is empty or begins with `?`. */
export interface Address {
  readonly path: string;
  readonly search: string;
}

/** Splits an address into path and query, without its hash. */
export function parseAddress(address: string): Address {
  // The address is not a second argument, because one with two leading slashes would name a host.
  const { pathname, search } = new URL(window.location.origin + address);
  return { path: pathname.replace(/(.)\/+$/, "$1"), search };
}

/** The address in the address bar, without its hash. */
export function useRequestedAddress(): string {
  return useLocationProperty(currentAddress);
}

/** The current value of the address bar, without the hash. */
export function currentAddress(): string {
  return window.location.pathname + window.location.search;
}

/** The part after `#`, such as the token of an emailed link; kept while the next page loads. */
export function useHash(): string {
  const hash = useLocationProperty(() => window.location.hash.slice(1));
  const [kept, keep] = useState(hash);
  if (hash !== "" && hash !== kept) keep(hash);
  return hash || kept;
}

/** The address of the rendered page: the requested one once its code has loaded. */
export const AddressContext = createContext<Address>({ path: "/", search: "" });

export function useAddress(): Address {
  return useContext(AddressContext);
}

export interface NavigateOptions {
  /** Replaces the history entry, so that Back skips the current one. */
  replace?: boolean;
  /** Keeps the scroll position, for another view of the same page. */
  keepScroll?: boolean;
}

let scrollsUp = false;

/** Navigates to an address of the site; if it is the current one, only scrolls to the top. */
export function go(
  address: string,
  { replace = false, keepScroll = false }: NavigateOptions = {},
): void {
  if (address === currentAddress()) {
    if (!keepScroll) window.scrollTo(0, 0);
    return;
  }
  scrollsUp = !keepScroll;
  navigate(address, { replace });
}

/** Scrolls a newly opened page to its top; on Back the browser restores the position. */
export function useScrollUp(drawn: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs on each new address.
  useLayoutEffect(() => {
    if (scrollsUp) window.scrollTo(0, 0);
    scrollsUp = false;
  }, [drawn]);
}

/** Redirects and replaces the history entry; does nothing while another page loads. */
export function Redirect({ to }: { to: string }) {
  const requested = parseAddress(useRequestedAddress()).path;
  const { path } = useAddress();
  useLayoutEffect(() => {
    if (requested === path) go(to, { replace: true });
  }, [requested, path, to]);
  return null;
}

/** The address of the link around `target` if it is on this origin, else null. */
function linkedAddress(target: EventTarget | null): string | null {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
  if (!link || link.target || link.hasAttribute("download")) return null;
  const { origin, pathname, search, hash } = link;
  return origin === window.location.origin && hash === "" ? pathname + search : null;
}

/** False for a click that opens a new tab or window, or downloads. */
function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
}

interface Pages {
  has(address: string): boolean;
  /** Called when the pointer or the focus is on a link, so that a click is likely. */
  expect(address: string): void;
}

/** Handles clicks on links to `pages`; returns a function that removes the listeners. */
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
  const following = new AbortController();
  const { signal } = following;
  window.addEventListener("popstate", onHistory, { signal });
  document.addEventListener("click", onClick, { signal });
  for (const name of intents) document.addEventListener(name, onIntent, { passive: true, signal });
  return () => following.abort();
}
