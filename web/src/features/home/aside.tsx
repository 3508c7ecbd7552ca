/** The panel in the hero: a riddle for visitors, the team's standing, or the result. */
import { Suspense } from "react";
import type { CtfInfo } from "../../api/calls";
import { useSignupPhase, useStatus } from "../../api/clock";
import { useSession } from "../../api/session";
import { chunkPart } from "../../ui/chunk-part/chunk-part";
import styles from "./aside.module.css";
import { Result } from "./live";
import { Standing } from "./purpose";

/** Loaded after the page. If that fails, the page works without a riddle. */
const Riddle = chunkPart<{ format: string | null }>(
  "riddle",
  () => import("./riddle"),
  () => null,
);

function RiddlePanel({ info }: { info: CtfInfo }) {
  return (
    <div className={`${styles.panel} ${styles.riddle}`}>
      <Suspense fallback={null}>
        <Riddle format={info.flagFormat ?? null} />
      </Suspense>
    </div>
  );
}

export function Aside({ info }: { info: CtfInfo }) {
  const { team, known } = useSession();
  const status = useStatus();
  const isOpen = useSignupPhase() === "open";
  if (!known || status === "unknown") return null;
  if (status === "ended") return <Result />;
  if (team === null) return isOpen ? <RiddlePanel info={info} /> : null;
  return status === "not_started" ? null : <Standing team={team} />;
}
