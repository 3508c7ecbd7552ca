/** The head of a team's page: its pennant on a mast, its name, and its figures. */
import type { ComponentProps } from "react";
import { scoreboardAddress } from "../../addresses";
import { useCtf, useIsServerDown } from "../../api/queries";
import type { RankedTeam } from "../../domain/board";
import { hasLaterSolve } from "../../domain/challenges";
import { useMessages } from "../../messages/language";
import { countryName, Flag } from "../../ui/flag/flag";
import { LiveNote } from "../../ui/live-note/live-note";
import { Pennant } from "../../ui/pennant/pennant";
import { FrozenMark } from "../../ui/sealed/sealed";
import styles from "./hero.module.css";

interface HeroProps {
  row: RankedTeam;
  /** True for the viewer's own team. */
  own: boolean;
  /** Number of teams on the board. */
  teams: number;
  live: Omit<ComponentProps<typeof LiveNote>, "isDown">;
}

/** The team's divisions, with links to their scoreboards. */
function Divisions({ joined }: { joined: readonly string[] | undefined }) {
  const { divisions: words } = useMessages();
  const all = useCtf().data?.info.divisions ?? [];
  const own = all.filter(({ id }) => joined?.includes(id));
  if (own.length === 0) return null;
  return (
    <p className="row">
      <span>{words.title}:</span>
      {own.map(({ id, name }) => (
        <a key={id} href={scoreboardAddress({ division: id })}>
          <bdi>{name}</bdi>
        </a>
      ))}
    </p>
  );
}

function Title({ row, own, live }: Omit<HeroProps, "teams">) {
  const { locale, board } = useMessages();
  const { teamName, country } = row.team;
  return (
    <div className={styles.title}>
      <h1>
        <bdi>{teamName}</bdi>
      </h1>
      <div className={styles.below}>
        <p className="row">
          <span aria-hidden="true">
            <Flag code={country} />
          </span>{" "}
          {countryName(country, locale)}
          {own && <span className={styles.own}>{board.yourTeam}</span>}
        </p>
        <Divisions joined={row.team.divisions} />
        <LiveNote {...live} isDown={useIsServerDown()} />
      </div>
    </div>
  );
}

function Facts({ row, teams }: { row: RankedTeam; teams: number }) {
  const { team: words, board } = useMessages();
  const { award, solves } = row.team;
  const isLater = hasLaterSolve(row.team);
  const facts = [
    isLater
      ? { name: words.rank, value: `${row.rank}*`, mark: <FrozenMark /> }
      : { name: words.rank, value: row.rank, of: words.ofTeams(teams), mark: <FrozenMark /> },
    { name: words.points, value: row.points, of: isLater && board.withSealed },
    { name: words.solves, value: solves.size },
    ...(award === 0 ? [] : [{ name: words.award, value: award }]),
  ];
  return (
    <dl className={styles.facts} data-rank={row.points > 0 && !isLater ? row.rank : undefined}>
      {facts.map(({ name, value, of, mark }) => (
        <div key={name}>
          <dt className="quiet">{name}</dt>
          <dd>
            <span>{value}</span> {of && <small className="quiet">{of}</small>} {mark}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function Hero({ row, own, teams, live }: HeroProps) {
  const { teamName } = row.team;
  return (
    <header className={styles.hero}>
      <span className={styles.glow}>
        <Pennant name={teamName} size="large" />
      </span>
      <span className={styles.mast}>
        <span className={styles.hoist}>
          <Pennant name={teamName} size="large" />
        </span>
      </span>
      <Title row={row} own={own} live={live} />
      <Facts row={row} teams={teams} />
    </header>
  );
}
