/** The live parts of the home page, loaded after it. Their space is reserved. */
import { type ComponentType, Suspense, useCallback, useEffect, useReducer } from "react";
import { useStatus } from "../../api/clock";
import { chunkPart } from "../../ui/chunk-part/chunk-part";
import asideStyles from "./aside.module.css";
import styles from "./live.module.css";

const NONE = () => null;

/** Parts in their own chunks. If one does not load, the page works without it. */
function figures(name: keyof typeof import("./figures")): ComponentType {
  return chunkPart("figures", async () => ({ default: (await import("./figures"))[name] }), NONE);
}
function podium(name: keyof typeof import("./podium")): ComponentType {
  return chunkPart("podium", async () => ({ default: (await import("./podium"))[name] }), NONE);
}

const EntrantsLine = figures("EntrantsLine");
const FiguresBand = figures("FiguresBand");
const CompetitionParts = podium("CompetitionParts");
const ResultPanel = podium("ResultPanel");

/** The number of teams and their countries, before the start. */
export function Entrants() {
  return (
    <p className={styles.entrants}>
      <Suspense fallback={null}>
        <EntrantsLine />
      </Suspense>
    </p>
  );
}

/** Figures and the latest solves, in a band below the hero. */
export function Band() {
  const status = useStatus();
  if (status === "unknown" || status === "not_started") return null;
  return (
    <div className={styles.band}>
      <Suspense fallback={null}>
        <FiguresBand />
      </Suspense>
    </div>
  );
}

/** Calls `onSeen` when the element is on the screen. */
function watch(onSeen: () => void, element: Element): () => void {
  const observer = new IntersectionObserver((entries) => {
    if (entries.some(({ isIntersecting }) => isIntersecting)) onSeen();
  });
  observer.observe(element);
  return () => observer.disconnect();
}

/** Delay of the parts below the first screen for visitors who do not scroll. */
const UNSEEN_MS = 5000;

/** Podium and categories, loaded when the visitor gets there, or late. */
export function Competition() {
  const status = useStatus();
  const [isSeen, see] = useReducer(() => true, false);
  const place = useCallback((element: Element | null) => {
    return element ? watch(see, element) : undefined;
  }, []);
  useEffect(() => {
    const timer = setTimeout(see, UNSEEN_MS);
    return () => clearTimeout(timer);
  }, []);
  if (status === "unknown" || status === "not_started") return null;
  const waiting = <div className={styles.waiting} />;
  return (
    <div className={styles.competition}>
      {isSeen ? (
        <Suspense fallback={waiting}>
          <CompetitionParts />
        </Suspense>
      ) : (
        <div ref={place} className={styles.waiting} />
      )}
    </div>
  );
}

/** The event's result, after the end. */
export function Result() {
  return (
    <div className={`${asideStyles.panel} ${asideStyles.result}`}>
      <Suspense fallback={null}>
        <ResultPanel />
      </Suspense>
    </div>
  );
}
