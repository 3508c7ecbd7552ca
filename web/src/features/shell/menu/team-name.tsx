/** The team's name in the bar, with room for its pennant and standing while they load. */
import type { ReactNode } from "react";
import styles from "./menu.module.css";

interface TeamNameProps {
  team: string;
  pennant?: ReactNode;
  /** The standing. */
  children?: ReactNode;
}

export function TeamName({ team, pennant, children }: TeamNameProps) {
  return (
    <span className={styles.team}>
      <span className={styles.pennant}>{pennant}</span>
      <span className={styles.words}>
        <bdi title={team} className={`ellipsis ${styles.name}`}>
          {team}
        </bdi>{" "}
        <span className={styles.standing}>{children}</span>
      </span>
    </span>
  );
}
