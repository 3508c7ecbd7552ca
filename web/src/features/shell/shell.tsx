/**
 * The frame of every page: navigation, notification bar, the page, the languages, and what the
 * event's look sets.
 */
import { Outlet, useLocation } from "@tanstack/react-router";
import { type ComponentType, lazy, Suspense, useEffect, useReducer, useRef } from "react";
import { errorMessage } from "../../api/client";
import { useCtf } from "../../api/queries";
import { useMessages } from "../../messages/language";
import { loadChunk } from "../../ui/chunk";
import { NotificationBar, useNotify } from "../../ui/notification";
import { useAccent } from "./accent";
import { LanguageSwitch } from "./language-switch";
import { EVENT_NAME_DEFAULT, Navigation } from "./navigation";
import styles from "./shell.module.css";

/** News for those who look already: it comes after the page, and the page stands without it. */
const FirstBlood = lazy(async (): Promise<{ default: ComponentType<{ large: boolean }> }> => {
  try {
    return await loadChunk("first-blood", () => import("./first-blood"));
  } catch {
    return { default: () => null };
  }
});

/** The home page stands this long before it fetches the news: most go on from it at once. */
const HOME_NEWS_MS = 5000;

/** Whether first bloods are told yet; from then on they are, whatever page is shown. */
function useTellsNews(): boolean {
  const isHome = useLocation({ select: ({ pathname }) => pathname === "/" });
  const [tells, tell] = useReducer(() => true, false);
  useEffect(() => {
    const timer = setTimeout(tell, isHome ? HOME_NEWS_MS : 0);
    return () => clearTimeout(timer);
  }, [isHome]);
  return tells;
}

/** The projector's view fills the screen: nothing of the frame is drawn around it. */
function useIsStage(): boolean {
  return useLocation({
    select: ({ pathname, search }) => pathname === "/scoreboard" && search.view === "stage",
  });
}

/** A change of route clears the message and moves the focus to the new page. */
function useRouteChange(main: React.RefObject<HTMLElement | null>): void {
  const { clear } = useNotify();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    clear();
    main.current?.focus({ preventScroll: true });
  }, [path, clear, main]);
}

export function Shell() {
  const say = useMessages();
  const main = useRef<HTMLElement>(null);
  const ctf = useCtf();
  const { notify } = useNotify();
  const name = ctf.data?.info.name || EVENT_NAME_DEFAULT;
  const isStage = useIsStage();
  const tellsNews = useTellsNews();
  useRouteChange(main);
  useAccent(ctf.data?.info.site.accent ?? null);
  useEffect(() => {
    document.title = name;
  }, [name]);
  useEffect(() => {
    if (ctf.error) notify("error", errorMessage(ctf.error));
  }, [ctf.error, notify]);
  return (
    <>
      {!isStage && (
        <>
          <a className={styles.skip} href="#main">
            {say.navigation.skip}
          </a>
          <Navigation name={name} />
        </>
      )}
      <NotificationBar />
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        <Outlet />
      </main>
      {!isStage && (
        <footer className={styles.footer}>
          <LanguageSwitch />
        </footer>
      )}
      {tellsNews && (
        <Suspense fallback={null}>
          <FirstBlood large={isStage} />
        </Suspense>
      )}
    </>
  );
}
