/** The teams that solved a challenge, in order, with their times. */
import { useState } from "react";
import { useMessages } from "../../messages/language";
import { Flag } from "../flag/flag";
import { Seal } from "../sealed/sealed";
import { utcTime } from "../solve-mark/solve-mark";
import { TeamLink } from "../team-link/team-link";
import { columnTimes } from "../times/times";
import { useZone } from "../zone/zone";
import styles from "./solver-list.module.css";

interface ListedSolver {
  readonly teamName: string;
  readonly country: string;
  readonly position: number;
  readonly ts: number;
  /** True for the viewer's own solve during the freeze, whose position is unknown. */
  readonly later?: true;
}

const SHOWN_FIRST = 50;

export function SolverList({ solvers, label }: { solvers: ListedSolver[]; label: string }) {
  const { solvers: words, locale } = useMessages();
  const zone = useZone();
  const [whole, setWhole] = useState(false);
  if (solvers.length === 0) return <p className={styles.none}>{words.none}</p>;
  const shown = whole ? solvers : solvers.slice(0, SHOWN_FIRST);
  const time = columnTimes(locale, zone);
  return (
    <>
      <ol className={styles.list} aria-label={label}>
        {shown.map(({ teamName, country, position, ts, later }) => (
          <li key={teamName} data-first={position === 1 && !later}>
            <span className={styles.position}>{later ? "–" : position}</span>
            <Flag code={country} />
            <span className={styles.team}>
              <TeamLink name={teamName} />
            </span>
            <span className={styles.times}>
              <time dateTime={new Date(ts * 1000).toISOString()} title={utcTime(ts)}>
                {time(ts)}
              </time>
              {later && <Seal />}
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
