/**
 * Announces each first blood once, for a few seconds: in a toast, large on the projector.
 * Reduced motion removes only the animation. Solves in the first snapshot, during the freeze or
 * after the end are not announced, nor is one that this page celebrates itself.
 */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { useStatus } from "../../api/clock";
import { useCtf, useLive } from "../../api/queries";
import { useSession } from "../../api/session";
import { hasSubmitted } from "../../api/waiting-flags";
import { type FirstBlood as Blood, freshFirstBloods } from "../../domain/solvers";
import { useMessages } from "../../messages/language";
import { useAddress } from "../../navigate";
import { Flag } from "../../ui/flag/flag";
import { FirstBloodIcon } from "../../ui/icons/icons";
import { Toast } from "../../ui/notification/notification";
import { Pennant } from "../../ui/pennant/pennant";
import styles from "./first-blood.module.css";

const SHOWN_MS = 7000;
/** Shorter duration while others are queued, because many come at once at the start of an event. */
const SHOWN_IN_QUEUE_MS = 3500;

interface News {
  readonly now: Blood | undefined;
  /** Ends the shown announcement. */
  next(): void;
}

/** Returns a test for first bloods that the challenges page celebrates: the viewer's own. */
function useCelebrated(): (blood: Blood) => boolean {
  const cache = useQueryClient();
  const { team } = useSession();
  const isPlaying = useAddress().path === "/challenge";
  return useCallback(
    ({ teamName, challengeId }) =>
      isPlaying && teamName === team && hasSubmitted(cache, challengeId),
    [cache, team, isPlaying],
  );
}

/** The queue of announcements; the first one is shown. */
function useNews(): News {
  const { board } = useLive();
  const clockBehindMs = useCtf().data?.clockBehindMs ?? 0;
  const status = useStatus();
  // After the end, the board may be frozen until organizers reveal it.
  const isFrozen = status === "frozen" || status === "ended";
  const isCelebrated = useCelebrated();
  const seen = useRef<ReadonlySet<string> | null>(null);
  const [news, setNews] = useState<readonly Blood[]>([]);
  useEffect(() => {
    if (board === null) {
      seen.current = null; // another viewer's board follows; do not announce its first snapshot
      return;
    }
    const step = freshFirstBloods(seen.current, board, Date.now() + clockBehindMs, isFrozen);
    seen.current = step.seen;
    const fresh = step.fresh.filter((blood) => !isCelebrated(blood));
    if (fresh.length > 0) setNews((old) => [...old, ...fresh]);
  }, [board, clockBehindMs, isFrozen, isCelebrated]);
  const [now] = news;
  const othersWait = news.length > 1;
  const next = useCallback(() => setNews((old) => old.slice(1)), []);
  useEffect(() => {
    if (!now) return;
    const timer = setTimeout(next, othersWait ? SHOWN_IN_QUEUE_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [now, othersWait, next]);
  return { now, next };
}

function Words({ blood }: { blood: Blood }) {
  const { firstBlood: words } = useMessages();
  return (
    <p className={styles.words}>
      <strong>{words.title}</strong>
      <span className={styles.team}>
        <Pennant name={blood.teamName} size="small" /> <Flag code={blood.country} />{" "}
        <bdi>{blood.teamName}</bdi>
      </span>
      <span>{words.solvedFirst(blood.challengeName)}</span>
    </p>
  );
}

const DROP = <FirstBloodIcon className={styles.drop} />;

/** One of the toasts; on the projector, a sign in the middle. */
export default function FirstBlood({ large }: { large: boolean }) {
  const { now, next } = useNews();
  const key = now && `${now.challengeId} ${now.teamName}`;
  return (
    <div role="status" className={styles.place} data-large={large}>
      {now && large && (
        <div key={key} className={styles.sign}>
          {DROP}
          <Words blood={now} />
        </div>
      )}
      {now && !large && (
        <Toast key={key} kind="blood" icon={DROP} onDismiss={next}>
          <Words blood={now} />
        </Toast>
      )}
    </div>
  );
}
