/** The place of the celebration right after a solve. Its chunk is fetched with the flag form. */
import { Suspense, useEffect } from "react";
import { chunkPart } from "../../ui/chunk-part/chunk-part";
import type { CelebrationProps } from "./celebration/celebration";
import styles from "./moment.module.css";

const load = () => import("./celebration/celebration");
/** Without the celebration, the card still shows the solve. */
const NONE = () => null;
const Celebration = chunkPart<CelebrationProps>("moment", load, NONE);

/** Fetches the celebration before it is needed. */
export function usePreloadedMoment(): void {
  useEffect(() => {
    load().catch(NONE);
  }, []);
}

export function Moment(props: CelebrationProps) {
  return (
    <Suspense fallback={<div className={styles.space} />}>
      <Celebration {...props} />
    </Suspense>
  );
}
