/** The layout of every page: navigation, notification bar, the page, the footer, the brand. */
import {
  type MouseEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useReducer,
  useRef,
  useState,
} from "react";
import { readScoreboardView } from "../../addresses";
import { useCtf } from "../../api/queries";
import { useLanguage, useMessages } from "../../messages/language";
import { parseAddress, useAddress, useRequestedAddress } from "../../navigate";
import { chunkPart } from "../../ui/chunk-part/chunk-part";
import { NotificationBar, useNotify } from "../../ui/notification/notification";
import { useBrand } from "./brand";
import { FooterLinks } from "./footer-links";
import { Keys } from "./keys";
import { EVENT_NAME_DEFAULT, Navigation } from "./navigation";
import { Paused } from "./paused";
import { useSessionEnd } from "./session-end";
import { Settings, useTheme } from "./settings";
import styles from "./shell.module.css";
import { usePageTitle } from "./title";
import { WaitingFlags } from "./waiting-flags";

// Fetched after the page, which works without them.
const NONE = () => null;
const FirstBlood = chunkPart("first-blood", () => import("./first-blood"), NONE);
const Told = chunkPart("told", () => import("./told"), NONE);

/** The home page fetches announcements after this time: most visitors leave it sooner. */
const HOME_NEWS_MS = 5000;

/** True once the page has had its time, from when on news may be fetched. */
function useIsLate(): boolean {
  const isHome = useAddress().path === "/";
  const [isLate, setLate] = useReducer(() => true, false);
  useEffect(() => {
    const timer = setTimeout(setLate, isHome ? HOME_NEWS_MS : 0);
    return () => clearTimeout(timer);
  }, [isHome]);
  return isLate;
}

/** True for the projector's view, which fills the screen without navigation and footer. */
function useIsStage(): boolean {
  const { path, search } = useAddress();
  return path === "/scoreboard" && readScoreboardView(search).view === "stage";
}

/** True for the organizers' pages, which have keys of their own. */
function useIsOrganizers(): boolean {
  const { path } = useAddress();
  return path === "/organize" || path.startsWith("/organize/");
}

/** Organizers' pages speak English and Italian, whatever is around them. */
function useOwnLanguage(): { lang?: "en"; dir?: "ltr" } {
  const { language } = useLanguage();
  return useIsOrganizers() && language !== "en" && language !== "it"
    ? { lang: "en", dir: "ltr" }
    : {};
}

/** What a page is about: its own mark, else all of it. */
function contentOf(main: HTMLElement | null): HTMLElement | null {
  return main?.querySelector<HTMLElement>("[data-content]") ?? main;
}

/** Leaving a page clears the notification; the next page gets the focus, unless it has it. */
function useRouteChange(main: RefObject<HTMLElement | null>): void {
  const { clear } = useNotify();
  const { path } = useAddress();
  const requested = parseAddress(useRequestedAddress()).path;
  const left = useRef(requested);
  const shown = useRef(path);
  useEffect(() => {
    if (left.current !== requested) clear();
    left.current = requested;
  }, [requested, clear]);
  useEffect(() => {
    const isInside = document.activeElement?.closest("main > *");
    if (shown.current !== path && !isInside)
      contentOf(main.current)?.focus({ preventScroll: true });
    shown.current = path;
  }, [path, main]);
}

export function Shell({ children }: { children: ReactNode }) {
  const messages = useMessages();
  const main = useRef<HTMLElement>(null);
  const ctf = useCtf();
  const { notify } = useNotify();
  const name = ctf.data?.info.name || EVENT_NAME_DEFAULT;
  const isStage = useIsStage();
  const isOrganizers = useIsOrganizers();
  const hasKeys = !isOrganizers && !isStage;
  const [isKeysOpen, openKeys] = useState(false);
  const isLate = useIsLate();
  const hasNotices = (ctf.data?.info.notices ?? 0) > 0;
  useRouteChange(main);
  useSessionEnd();
  useTheme();
  useBrand();
  usePageTitle(name);
  useEffect(() => {
    if (ctf.error) notify("error", ctf.error);
  }, [ctf.error, notify]);
  // Do not change the address: the hash of a mailed link is its token.
  function skip(event: MouseEvent) {
    event.preventDefault();
    contentOf(main.current)?.focus();
  }
  return (
    <>
      {!isStage && (
        <>
          {/* biome-ignore lint/a11y/useValidAnchor: it leads within the page, as it says. */}
          <a className={styles.skip} href="#main" onClick={skip}>
            {messages.navigation.skip}
          </a>
          <Navigation name={name} isOrganizers={isOrganizers} />
        </>
      )}
      <NotificationBar>
        <WaitingFlags />
        {!isStage && (isLate || hasNotices) && (
          <Suspense fallback={null}>
            <Told />
          </Suspense>
        )}
      </NotificationBar>
      <main {...useOwnLanguage()} id="main" ref={main} tabIndex={-1} className={styles.main}>
        {!isStage && <Paused />}
        {children}
      </main>
      {!isStage && (
        <footer className={styles.footer}>
          <FooterLinks />
          <Settings onKeys={hasKeys ? () => openKeys(true) : undefined} />
        </footer>
      )}
      {hasKeys && <Keys isOpen={isKeysOpen} onOpen={openKeys} />}
      {isLate && !isOrganizers && (
        <Suspense fallback={null}>
          <FirstBlood large={isStage} />
        </Suspense>
      )}
    </>
  );
}
