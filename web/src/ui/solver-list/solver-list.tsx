/** The teams that solved a challenge, in their order, each with its time. */
import { useState } from "react";
import { useMessages } from "../../messages/language";
import { Flag } from "../flag/flag";
import { Moment } from "../moment/moment";
import { TeamLink } from "../team-link/team-link";
import styles from "./solver-list.module.css";

export interface ListedSolver {
  readonly teamName: string;
  readonly country: string;
  readonly position: number;
  readonly ts: number;
  /** The viewer's own solve of the freeze: its place is not known. */
  readonly later?: true;
}

const SHOWN_FIRST = 50;

export function SolverList({ solvers, label }: { solvers: ListedSolver[]; label: string }) {
  const { solvers: words } = useMessages();
  const [whole, setWhole] = useState(false);
  if (solvers.length === 0) return <p className={styles.none}>{words.none}</p>;
  const shown = whole ? solvers : solvers.slice(0, SHOWN_FIRST);
  return (
    <>
      <ol className={styles.list} aria-label={label}>
        {shown.map(({ teamName, country, position, ts, later }) => (
          <li key={teamName}>
            <span className={styles.position}>{later ? "–" : position}</span>
            <Flag code={country} />
            <span className={styles.team}>
              <TeamLink name={teamName} />
            </span>
            <span className={styles.times}>
              <Moment ts={ts} />
            </span>
          </li>
        ))}
      </ol>
      {shown.length < solvers.length && (
        <button type="button" onClick={() => setWhole(true)}>
          {words.showAll(solvers.length)}
        </button>
      )}
    </>
  );
}
