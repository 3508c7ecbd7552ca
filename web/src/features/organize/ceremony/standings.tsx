/** A final scoreboard in pages of 20 teams; the arrow keys turn them. */
import { useEffect, useState } from "react";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { Flag } from "../../../ui/flag/flag";
import { Pennant } from "../../../ui/pennant/pennant";
import { useNumber } from "./number";
import type { Options } from "./saved";
import type { Row, Scope } from "./script";
import stage from "./stage.module.css";
import styles from "./standings.module.css";

const PAGE = 20;
const COLUMN = 10;

interface StandingsProps {
  scope: Scope;
  /** Name of the division of the scope. */
  division: string | undefined;
  rows: readonly Row[];
  options: Options;
}

export function Standings({ scope, division, rows, options }: StandingsProps) {
  const words = useOrganizeMessages().ceremony;
  const number = useNumber();
  const [page, turn] = useState(0);
  const pages = Math.max(1, Math.ceil(rows.length / PAGE));
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (by === undefined || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      turn((now) => Math.max(0, Math.min(pages - 1, now + by)));
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [pages]);
  const shown = rows.slice(page * PAGE, (page + 1) * PAGE);
  const columns = [shown.slice(0, COLUMN), shown.slice(COLUMN)];
  const last = page * PAGE + shown.length;
  return (
    <section className={styles.standings} aria-labelledby="ceremony-standings">
      <header>
        <h1 id="ceremony-standings">
          <bdi>
            {division === undefined
              ? words.boards[scope === "students" ? scope : "all"]
              : words.boards.division(division)}
          </bdi>
        </h1>
        {pages > 1 && <p>{words.pageOf(page * PAGE + 1, last, rows.length)}</p>}
      </header>
      <div className={styles.columns} key={page}>
        {columns.map((column, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: there are two columns.
          <ol key={index} start={page * PAGE + index * COLUMN + 1}>
            {column.map(({ team, points }, at) => {
              const place = page * PAGE + index * COLUMN + at + 1;
              return (
                <li key={team.teamName} data-team={team.teamName} data-place={place}>
                  <span className={styles.place}>{place}</span>
                  <Pennant name={team.teamName} size="small" />
                  <span className={styles.flag}>
                    <Flag code={team.country} />
                  </span>
                  <span className={stage.name}>
                    <bdi>{team.teamName}</bdi>
                  </span>
                  {options.showsPoints && <span className={styles.points}>{number(points)}</span>}
                </li>
              );
            })}
          </ol>
        ))}
      </div>
    </section>
  );
}
