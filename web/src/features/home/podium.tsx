/** The three leading teams, the categories, and the result after the end. */

import { teamAddress } from "../../addresses";
import { useStatus } from "../../api/clock";
import { useSession } from "../../api/session";
import {
  type Board,
  type BoardChallenge,
  groupByCategory,
  type RankedTeam,
  rankTeams,
} from "../../domain/board";
import { useMessages } from "../../messages/language";
import { CategorySign } from "../../ui/category-sign/category-sign";
import { Pennant } from "../../ui/pennant/pennant";
import { FrozenMark } from "../../ui/sealed/sealed";
import liveStyles from "./live.module.css";
import styles from "./podium.module.css";
import { usePublicBoard } from "./public-board";

const ranked = new WeakMap<Board, readonly RankedTeam[]>();

/** The ranking of a board, computed once for all parts of the page. */
function rankedOf(board: Board): readonly RankedTeam[] {
  const known = ranked.get(board) ?? rankTeams(board);
  ranked.set(board, known);
  return known;
}

/** The first three teams with points. */
function leadersOf(teams: readonly RankedTeam[]): readonly RankedTeam[] {
  return teams.slice(0, 3).filter(({ points }) => points > 0);
}

/** Three masts on steps as high as the rank. The reading order is that of the ranks. */
function Podium({ leaders }: { leaders: readonly RankedTeam[] }) {
  const { challenges } = useMessages();
  return (
    <ol className={`plain-list ${styles.podium}`}>
      {leaders.map(({ team: { teamName }, rank, points }) => (
        <li key={teamName} data-rank={rank}>
          <span className={styles.mast}>
            <Pennant name={teamName} size="medium" />
          </span>
          <span className={styles.step}>
            <span className={styles.rank}>{rank}</span>
            <a href={teamAddress(teamName)} title={teamName}>
              <bdi>{teamName}</bdi>
            </a>
            <span className={styles.points}>{challenges.points(points)}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

function Category({ name, challenges }: { name: string; challenges: readonly BoardChallenge[] }) {
  const { home, find } = useMessages();
  return (
    <li>
      <CategorySign category={name} />
      <strong>{name || find.noCategory}</strong>
      <span>{home.challengeCount(challenges.length)}</span>
      <span className={styles.ticks} aria-hidden="true">
        {challenges.map(({ id, nsolves }) => (
          <i key={id} data-solved={nsolves > 0} />
        ))}
      </span>
    </li>
  );
}

/** Podium and categories. The podium is in the hero after the end. */
export function CompetitionParts() {
  const { home } = useMessages();
  const board = usePublicBoard();
  const hasEnded = useStatus() === "ended";
  if (!board) return <div className={liveStyles.waiting} />;
  const leaders = leadersOf(rankedOf(board));
  const groups = groupByCategory(board.challenges);
  return (
    <>
      {!hasEnded && leaders.length > 0 && (
        <section className={styles.section} aria-labelledby="podium">
          <h2 id="podium">
            {home.podium} <FrozenMark />
          </h2>
          <Podium leaders={leaders} />
        </section>
      )}
      {groups.length > 0 && (
        <section className={styles.section} aria-labelledby="categories">
          <h2 id="categories">{home.categories}</h2>
          <ul className={`plain-list ${styles.categories}`}>
            {groups.map(({ category, challenges }) => (
              <Category key={category} name={category} challenges={challenges} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** The own team's result. In the freeze it is the one that everyone sees. */
function OwnResult({ own, teams }: { own: RankedTeam; teams: number }) {
  const { home } = useMessages();
  const { team, rank } = own;
  return (
    <p className={styles.own}>
      <Pennant name={team.teamName} size="medium" />
      <bdi className="ellipsis">{team.teamName}</bdi>
      <strong>{home.result(rank, teams, team.solves.size)}</strong>
      <FrozenMark />
    </p>
  );
}

export function ResultPanel() {
  const { home } = useMessages();
  const board = usePublicBoard();
  const { team } = useSession();
  if (!board) return null;
  const teams = rankedOf(board);
  const leaders = leadersOf(teams);
  const own = teams.find((one) => one.team.teamName === team);
  if (leaders.length === 0 && !own) return null;
  return (
    <section aria-labelledby="result">
      <h2 id="result">
        {home.podium} <FrozenMark />
      </h2>
      <Podium leaders={leaders} />
      {own && <OwnResult own={own} teams={teams.length} />}
    </section>
  );
}
