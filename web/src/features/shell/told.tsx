/**
 * Follows what organizers say, on every page: fetches notices and the team's questions, and shows
 * an urgent notice until it is dismissed. Its words are in an alert that stays as pages change, so
 * that a screen reader hears each once; the buttons are outside it.
 */
import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect } from "react";
import { useSecondsUntil } from "../../api/clock";
import { NOTICES_KEY, useCtf, useNotices } from "../../api/queries";
import { useFollowQuestions } from "../../api/questions";
import { bannerKey, lastUrgentEnd, noticeKey, urgentNotices } from "../../domain/news";
import { useMessages } from "../../messages/language";
import { chunkPart } from "../../ui/chunk-part/chunk-part";
import { CrossIcon } from "../../ui/icons/icons";
import { see, useSeen } from "../../ui/seen/seen";
import styles from "./told.module.css";

/** Its sanitiser is large, and most visitors need none. */
const UrgentWords = chunkPart("urgent", () => import("./urgent-words"));

/** The notices; asks again when the event has more than are known. */
function useAllNotices() {
  const cache = useQueryClient();
  const wanted = useCtf().data?.info.notices ?? 0;
  const { data: notices } = useNotices(wanted > 0);
  const known = notices?.length;
  useEffect(() => {
    if (known === undefined || known >= wanted) return;
    void cache.invalidateQueries({ queryKey: NOTICES_KEY });
  }, [cache, known, wanted]);
  return notices ?? [];
}

export default function Told() {
  const { news: words, notification } = useMessages();
  useFollowQuestions();
  const notices = useAllNotices();
  const nowMs = useSecondsUntil(lastUrgentEnd(notices));
  const urgent = urgentNotices(notices, useSeen(), nowMs);
  const [notice] = urgent;
  if (!notice) return null;
  return (
    <Suspense fallback={null}>
      <section aria-label={words.urgent} className={styles.banner}>
        <div role="alert" className={styles.words}>
          <UrgentWords key={bannerKey(notice)} notice={notice} />
        </div>
        <div className={styles.ways}>
          <a href="/news">{words.all}</a>
          {urgent.length > 1 && <span>{words.more(urgent.length - 1)}</span>}
          <button type="button" onClick={() => see([bannerKey(notice), noticeKey(notice)])}>
            <CrossIcon />
            {notification.dismiss}
          </button>
        </div>
      </section>
    </Suspense>
  );
}
