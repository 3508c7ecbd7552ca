/**
 * The frame of every page: navigation, notification bar, the page, the languages, and what the
 * event's look sets.
 */
import {
  type ComponentType,
  lazy,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useReducer,
  useRef,
} from "react";
import { readScoreboardView } from "../../addresses";
import { failureOf } from "../../api/client";
import { useCtf } from "../../api/queries";
import { useMessages } from "../../messages/language";
import { parseAddress, useAddress, useAskedAddress } from "../../navigate";
import { loadChunk } from "../../ui/chunk/chunk";
import { NotificationBar, useNotify } from "../../ui/notification/notification";
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

/** First bloods, told from a moment on whatever page is shown. */
function News({ large }: { large: boolean }) {
  const isHome = useAddress().path === "/";
  const [tells, tell] = useReducer(() => true, false);
  useEffect(() => {
    const timer = setTimeout(tell, isHome ? HOME_NEWS_MS : 0);
    return () => clearTimeout(timer);
  }, [isHome]);
  if (!tells) return null;
  return (
    <Suspense fallback={null}>
      <FirstBlood large={large} />
    </Suspense>
  );
}

/** The projector's view fills the screen: nothing of the frame is drawn around it. */
function useIsStage(): boolean {
  const { path, search } = useAddress();
  return path === "/scoreboard" && readScoreboardView(search).view === "stage";
}

/** Leaving a page clears the message; the next one, when it is drawn, gets the focus. */
function useRouteChange(main: RefObject<HTMLElement | null>): void {
  const { clear } = useNotify();
  const { path } = useAddress();
  const asked = parseAddress(useAskedAddress()).path;
  const left = useRef(asked);
  const shown = useRef(path);
  useEffect(() => {
    if (left.current !== asked) clear();
    left.current = asked;
  }, [asked, clear]);
  useEffect(() => {
    if (shown.current !== path) main.current?.focus({ preventScroll: true });
    shown.current = path;
  }, [path, main]);
}

export function Shell({ children }: { children: ReactNode }) {
  const say = useMessages();
  const main = useRef<HTMLElement>(null);
  const ctf = useCtf();
  const { notify } = useNotify();
  const name = ctf.data?.info.name || EVENT_NAME_DEFAULT;
  const isStage = useIsStage();
  useRouteChange(main);
  useAccent(ctf.data?.info.site.accent ?? null);
  useEffect(() => {
    document.title = name;
  }, [name]);
  useEffect(() => {
    if (ctf.error) notify("error", failureOf(ctf.error));
  }, [ctf.error, notify]);
  // The address stays as it is: a mailed link has its token where this one would write.
  function skip(event: MouseEvent) {
    event.preventDefault();
    main.current?.focus();
  }
  return (
    <>
      {!isStage && (
        <>
          {/* biome-ignore lint/a11y/useValidAnchor: it leads within the page, as it says. */}
          <a className={styles.skip} href="#main" onClick={skip}>
            {say.navigation.skip}
          </a>
          <Navigation name={name} />
        </>
      )}
      <NotificationBar />
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        {children}
      </main>
      {!isStage && (
        <footer className={styles.footer}>
          <LanguageSwitch />
        </footer>
      )}
      <News large={isStage} />
    </>
  );
}
