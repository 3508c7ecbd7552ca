/**
 * Follows news on every page: fetches notices and the team's questions, and shows urgent notices
 * until dismissed. Their text is in an alert that persists across pages, so that a screen reader
 * announces each once; the buttons are outside it. A notice is one line, which covers nothing. At
 * the top of a page it unfolds in the page, which makes room, and elsewhere over the page.
 */
import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { NOTICES_KEY, useCtf, useNotices } from "../../api/queries";
import { useFollowQuestions } from "../../api/questions";
import type { Notice } from "../../domain/live";
import { bannerKey, noticeKey } from "../../domain/news";
import { useMessages } from "../../messages/language";
import { chunkPart } from "../../ui/chunk-part/chunk-part";
import { ChevronIcon, CrossIcon } from "../../ui/icons/icons";
import { see } from "../../ui/seen/seen";
import styles from "./notice-banner.module.css";
import { useUrgentNotices } from "./notice-slot";

/** Loaded on demand: the sanitizer is large, and most visitors never need it. */
const UrgentWords = chunkPart("urgent", () => import("./urgent-words"));

/** Refetches the notices when the event reports more than are known. */
function useFollowNotices(): void {
  const cache = useQueryClient();
  const wanted = useCtf().data?.info.notices ?? 0;
  const known = useNotices(wanted > 0).data?.length;
  useEffect(() => {
    if (known === undefined || known >= wanted) return;
    void cache.invalidateQueries({ queryKey: NOTICES_KEY });
  }, [cache, known, wanted]);
}

/** Folds a notice that is over the page when the page scrolls, unless the notice is being read. */
function useFolding(banner: RefObject<HTMLElement | null>, isOver: boolean, fold: () => void) {
  useEffect(() => {
    if (!isOver) return;
    const onScroll = ({ target }: Event) => {
      const isInside = target instanceof Node && banner.current?.contains(target);
      const isRead = banner.current?.querySelector("[role=alert]:focus-within");
      if (!isInside && !isRead) fold();
    };
    const options = { capture: true, passive: true };
    document.addEventListener("scroll", onScroll, options);
    return () => document.removeEventListener("scroll", onScroll, options);
  }, [banner, isOver, fold]);
}

type Fold = "folded" | "in-page" | "over-page";

function useFold(notice: Notice, banner: RefObject<HTMLElement | null>) {
  const key = bannerKey(notice);
  const [unfolded, set] = useState<{ key: string; fold: Fold }>({ key, fold: "folded" });
  const state = unfolded.key === key ? unfolded.fold : "folded";
  const fold = useCallback(() => set({ key, fold: "folded" }), [key]);
  useFolding(banner, state === "over-page", fold);
  function unfold() {
    if (state !== "folded") return;
    set({ key, fold: window.scrollY === 0 ? "in-page" : "over-page" });
  }
  return { state, fold, unfold };
}

function Banner({ notice, more }: { notice: Notice; more: number }) {
  const { news: words, notification } = useMessages();
  const banner = useRef<HTMLElement>(null);
  const { state, fold, unfold } = useFold(notice, banner);
  const isOpen = state !== "folded";
  return (
    <section
      ref={banner}
      aria-label={words.urgent}
      className={styles.banner}
      data-fold={state}
      onKeyDown={({ key }) => key === "Escape" && fold()}
    >
      {/* A link in the text is also reached by Tab while the text is folded. */}
      <div role="alert" className={styles.words} onFocus={unfold}>
        <UrgentWords key={bannerKey(notice)} notice={notice} />
      </div>
      <div className={styles.ways}>
        {more > 0 && <span>{words.more(more)}</span>}
        <a href="/news">{words.all}</a>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          aria-label={notice.title}
          onClick={isOpen ? fold : unfold}
        >
          <ChevronIcon />
        </button>
        <button type="button" onClick={() => see([bannerKey(notice), noticeKey(notice)])}>
          <CrossIcon />
          <span className={styles.dismiss}>{notification.dismiss}</span>
        </button>
      </div>
    </section>
  );
}

export default function NoticeBanner() {
  useFollowQuestions();
  useFollowNotices();
  const { urgent } = useUrgentNotices();
  const [notice] = urgent ?? [];
  if (!urgent || !notice) return null;
  return (
    <Suspense fallback={null}>
      <Banner notice={notice} more={urgent.length - 1} />
    </Suspense>
  );
}
