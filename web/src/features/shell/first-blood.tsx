/**
 * Announces each first blood once, for a few seconds: small in a corner, large on the projector.
 * With reduced motion only the animation is missing. Solves in the first snapshot are not
 * announced, nor are those in the freeze or after the end.
 */
import { useEffect, useRef, useState } from "react";
import { useStatus } from "../../api/clock";
import { useCtf, useLive } from "../../api/queries";
import { type FirstBlood as Blood, freshFirstBloods } from "../../domain/solvers";
import { useMessages } from "../../messages/language";
import { Flag } from "../../ui/flag/flag";
import { FirstBloodIcon } from "../../ui/icons/icons";
import styles from "./first-blood.module.css";

const SHOWN_MS = 7000;
/** At the start of an event many come at once: each is shorter while others are queued. */
const SHOWN_IN_QUEUE_MS = 3500;

/** The queue of announcements; the first one is shown. */
function useNews(): readonly Blood[] {
  const { board } = useLive();
  const clockBehindMs = useCtf().data?.clockBehindMs ?? 0;
  const status = useStatus();
  // After the end, the board may be frozen until organizers reveal it.
  const isFrozen = status === "frozen" || status === "ended";
  const seen = useRef<ReadonlySet<string> | null>(null);
  const [news, setNews] = useState<readonly Blood[]>([]);
  useEffect(() => {
    if (board === null) {
      seen.current = null; // another viewer's board comes; its first snapshot is no news
      return;
    }
    const step = freshFirstBloods(seen.current, board, Date.now() + clockBehindMs, isFrozen);
    seen.current = step.seen;
    if (step.fresh.length > 0) setNews((old) => [...old, ...step.fresh]);
  }, [board, clockBehindMs, isFrozen]);
  const [now] = news;
  const othersWait = news.length > 1;
  useEffect(() => {
    if (!now) return;
    const shownMs = othersWait ? SHOWN_IN_QUEUE_MS : SHOWN_MS;
    const timer = setTimeout(() => setNews((old) => old.slice(1)), shownMs);
    return () => clearTimeout(timer);
  }, [now, othersWait]);
  return news;
}

export default function FirstBlood({ large }: { large: boolean }) {
  const { firstBlood: words } = useMessages();
  const [now] = useNews();
  return (
    <div role="status" className={styles.place} data-large={large}>
      {now && (
        <div key={`${now.challengeId} ${now.teamName}`} className={styles.news}>
          <FirstBloodIcon className={styles.drop} />
          <p>
            <strong>{words.title}</strong>
            <span className={styles.team}>
              <Flag code={now.country} /> <bdi>{now.teamName}</bdi>
            </span>
            <span>{words.solvedFirst(now.challengeName)}</span>
          </p>
        </div>
      )}
    </div>
  );
}
