/** The top three: a card for each, then all of them on the podium. */
import { type CSSProperties, useMemo } from "react";
import { useMessages } from "../../../messages/language";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { countryName, Flag } from "../../../ui/flag/flag";
import { Pennant } from "../../../ui/pennant/pennant";
import { useNumber } from "./number";
import styles from "./podium.module.css";
import type { Options } from "./saved";
import type { Row } from "./script";

/** Longer names are set smaller. */
function lengthOf(name: string): CSSProperties {
  return { "--length": Math.max(9, Math.min(26, [...name].length)) } as CSSProperties;
}

interface CardProps {
  place: number;
  row: Row;
  options: Options;
}

export function Card({ place, row, options }: CardProps) {
  const words = useOrganizeMessages().ceremony;
  const { locale } = useMessages();
  const number = useNumber();
  const { teamName, country } = row.team;
  return (
    <section className={styles.card} data-place={place} aria-label={words.podiumPlaces[place - 1]}>
      <p className={styles.title}>{words.podiumPlaces[place - 1]}</p>
      <div className={styles.hoist}>
        <Pennant name={teamName} size="large" />
      </div>
      <h1 style={lengthOf(teamName)}>
        <bdi>{teamName}</bdi>
      </h1>
      <p className={styles.facts}>
        <span className={styles.country}>
          <Flag code={country} /> {countryName(country, locale)}
        </span>
        {options.showsPoints && <b>{words.points(number(row.points))}</b>}
      </p>
    </section>
  );
}

interface PodiumProps {
  rows: readonly Row[];
  options: Options;
}

export function Podium({ rows, options }: PodiumProps) {
  const words = useOrganizeMessages().ceremony;
  const number = useNumber();
  // On the screen, the first place is in the middle.
  const top = useMemo(() => rows.slice(0, 3), [rows]);
  const longest = top.reduce((name, { team: { teamName } }) => {
    return teamName.length > name.length ? teamName : name;
  }, "");
  return (
    <section className={styles.podium} aria-label={words.podium}>
      <h1 className="visually-hidden">{words.podium}</h1>
      <ol style={lengthOf(longest)}>
        {top.map(({ team, points }, index) => (
          <li key={team.teamName} data-place={index + 1}>
            <div className={styles.hoist}>
              <Pennant name={team.teamName} size="large" />
            </div>
            <p className={styles.winner}>
              <bdi>{team.teamName}</bdi>
            </p>
            <p className={styles.line}>
              <Flag code={team.country} />
              {options.showsPoints && <b>{number(points)}</b>}
            </p>
            <div className={styles.plinth}>{index + 1}</div>
          </li>
        ))}
      </ol>
    </section>
  );
}
