/** The layout of every page: navigation, notices, page, footer, toasts, branding. */
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
import { NoticeSlot } from "./notice-slot";
import { Paused } from "./paused";
import { useSessionEnd } from "./session-end";
import { useTheme } from "./settings";
import styles from "./shell.module.css";
import { usePageTitle } from "./title";
import { WaitingFlags } from "./waiting-flags";

// Loaded after the page, which works without them.
const NONE = () => null;
const FirstBlood = chunkPart("first-blood", () => import("./first-blood"), NONE);
const NoticeBanner = chunkPart("notice-banner", () => import("./notice-banner"), NONE);

/** Delay before the home page loads announcements, because most visitors leave earlier. */
const HOME_NEWS_MS = 5000;

/** True once the page has settled, so that news may be fetched. */
function useIsLate(): boolean {
  const isHome = useAddress().path === "/";
  const [isLate, setLate] = useReducer(() => true, false);
  useEffect(() => {
    const timer = setTimeout(setLate, isHome ? HOME_NEWS_MS : 0);
    return () => clearTimeout(timer);
  }, [isHome]);
  return isLate;
}

/** True for the projector view, which fills the screen without navigation and footer. */
function useIsStage(): boolean {
  const { path, search } = useAddress();
  return path === "/scoreboard" && readScoreboardView(search).view === "stage";
}

/** True for the organizer pages. */
function useIsOrganizers(): boolean {
  return /^\/organize(\/|$)/.test(useAddress().path);
}

/** Organizer pages before login, which have the bar of the site. */
const ENTRANCE = /(sign-in|invite)$/;

/** Organizer pages exist only in English and Italian, regardless of the chosen language. */
function useOwnLanguage(): { lang?: "en"; dir?: "ltr" } {
  const { language } = useLanguage();
  return useIsOrganizers() && language !== "en" && language !== "it"
    ? { lang: "en", dir: "ltr" }
    : {};
}

/** The main part of a page: a marked element, else the whole page. */
function contentOf(main: HTMLElement | null): HTMLElement | null {
  return main?.querySelector<HTMLElement>("[data-content]") ?? main;
}

/**
 * Handles a route change: clears the notification and focuses the new page, unless it has the
 * focus.
 */
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
  const { path } = useAddress();
  const isBare = isStage || (isOrganizers && !ENTRANCE.test(path));
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
  // The address stays unchanged, because the hash of an emailed link is its token.
  function skip(event: MouseEvent) {
    event.preventDefault();
    contentOf(main.current)?.focus();
  }
  return (
    <>
      {!isStage && (
        <>
          {/* biome-ignore lint/a11y/useValidAnchor: it is a link within the page. */}
          <a className={styles.skip} href="#main" onClick={skip}>
            {messages.navigation.skip}
          </a>
          {!isBare && (
            <Navigation name={name} onKeys={hasKeys ? () => openKeys(true) : undefined} />
          )}
        </>
      )}
      {!isStage && !isOrganizers && (
        <NoticeSlot>
          {(isLate || hasNotices) && (
            <Suspense fallback={null}>
              <NoticeBanner />
            </Suspense>
          )}
        </NoticeSlot>
      )}
      <NotificationBar>
        <WaitingFlags />
        {isLate && !isOrganizers && (
          <Suspense fallback={null}>
            <FirstBlood large={isStage} />
          </Suspense>
        )}
      </NotificationBar>
      <main {...useOwnLanguage()} id="main" ref={main} tabIndex={-1} className={styles.main}>
        {!isBare && <Paused />}
        {children}
      </main>
      {!isBare && (
        <footer className={styles.footer}>
          <FooterLinks />
        </footer>
      )}
      {hasKeys && <Keys isOpen={isKeysOpen} onOpen={openKeys} />}
    </>
  );
}
