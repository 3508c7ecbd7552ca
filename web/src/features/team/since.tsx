/** The changes of the team's score since the viewer last looked, below its solves. */
import { useMemo } from "react";
import { useLook } from "../../api/look";
import type { Board } from "../../domain/board";
import { changesSince } from "../../domain/since";
import { Changes, SinceTitle } from "../../ui/since/since";
import { useThrottled } from "../../ui/throttle/throttle";
import styles from "./since.module.css";

const REDRAW_MS = 1000;

export interface SinceProps {
  board: Board;
  name: string;
  viewer: string | null;
}

export default function Since({ board, name, viewer }: SinceProps) {
  const paced = useThrottled(board, REDRAW_MS);
  const look = useLook(board, viewer);
  const changes = useMemo(() => (look ? changesSince(look, paced, name) : []), [look, paced, name]);
  if (!look || changes.length === 0) return null;
  return (
    <section aria-labelledby="since" className={styles.since}>
      <h2 id="since">
        <SinceTitle atMs={look.atMs} />
      </h2>
      <Changes changes={changes} />
    </section>
  );
}
