/** A team's page, from the live board: its rank, its score over time, its solves. */
import { useMemo } from "react";
import { teamNameAt } from "../../addresses";
import { useFreeze, useStatus } from "../../api/clock";
import { useCtf, useLive } from "../../api/queries";
import { useSession } from "../../api/session";
import { type Board, type RankedTeam, rankTeams } from "../../domain/board";
import { hasLaterSolve } from "../../domain/challenges";
import { type ScoreLine, scoreLines } from "../../domain/history";
import { useMessages } from "../../messages/language";
import { useAddress } from "../../navigate";
import { countryName, Flag } from "../../ui/flag/flag";
import { LiveNote } from "../../ui/live-note/live-note";
import { Loading } from "../../ui/loading/loading";
import { usePaced } from "../../ui/paced/paced";
import { ScoreChart } from "../../ui/score-chart/score-chart";
import { StatusBanner } from "../../ui/status-banner/status-banner";
import { Solves } from "./solves";
import styles from "./team.module.css";

const REDRAW_MS = 1000;

function NoSuchTeam() {
  const { team: words } = useMessages();
  return (
    <section className="problem">
      <h1>{words.missing}</h1>
      <p>{words.missingNote}</p>
      <a href="/scoreboard" className="button">
        {words.toScoreboard}
      </a>
    </section>
  );
}

function Title({ row, own }: { row: RankedTeam; own: boolean }) {
  const { locale, board } = useMessages();
  const { teamName, country } = row.team;
  return (
    <div className={styles.title}>
      <h1>
        <bdi>{teamName}</bdi>
      </h1>
      <p className="row">
        <span aria-hidden="true">
          <Flag code={country} />
        </span>{" "}
        {countryName(country, locale)}
        {own && <span className={styles.own}>{board.yourTeam}</span>}
      </p>
    </div>
  );
}

function Facts({ row, teams }: { row: RankedTeam; teams: number }) {
  const { team: words } = useMessages();
  const { award, solves } = row.team;
  const facts = [
    hasLaterSolve(row.team)
      ? { name: words.rank, value: `${row.rank}*` }
      : { name: words.rank, value: row.rank, of: words.ofTeams(teams) },
    { name: words.points, value: row.points },
    { name: words.solves, value: solves.size },
    ...(award === 0 ? [] : [{ name: words.award, value: award }]),
  ];
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value, of }) => (
        <div key={name}>
          <dt className="quiet">{name}</dt>
          <dd>
            {value} {of && <small className="quiet">{of}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The team's score line, alone in a list; recomputed at most once a second. */
function useScoreLines(board: Board, name: string): ScoreLine[] {
  const startMs = useCtf().data?.info.startTime ?? null;
  const paced = usePaced(board, REDRAW_MS);
  return useMemo(() => {
    const startTs = startMs === null ? null : startMs / 1000;
    return scoreLines(paced, [name], startTs);
  }, [paced, name, startMs]);
}

function TeamView({ board, row }: { board: Board; row: RankedTeam }) {
  const { team: words } = useMessages();
  const lines = useScoreLines(board, row.team.teamName);
  return (
    <>
      <Facts row={row} teams={board.teams.length} />
      {row.team.solves.size === 0 ? (
        <p className={styles.none}>{words.noSolve}</p>
      ) : (
        <>
          <section aria-labelledby="over-time">
            <h2 id="over-time">{words.overTime}</h2>
            <div className={styles.graph}>
              <ScoreChart lines={lines} label={words.graphLabel} />
            </div>
          </section>
          <Solves board={board} team={row.team} line={lines[0]} />
        </>
      )}
    </>
  );
}

export default function TeamPage() {
  const messages = useMessages();
  const { path, search } = useAddress();
  const name = teamNameAt(path, search);
  const live = useLive();
  const { board } = live;
  const { team: ownTeam } = useSession();
  const status = useStatus();
  const freeze = useFreeze();
  const row = useMemo(
    () => board && rankTeams(board).find(({ team }) => team.teamName === name),
    [board, name],
  );
  if (board && !row) return <NoSuchTeam />;
  return (
    <>
      <StatusBanner text={messages.statusBanner[status]} freeze={freeze} />
      {board && row ? (
        <>
          <header className={styles.header}>
            <Title row={row} own={name === ownTeam} />
            <LiveNote {...live} />
          </header>
          <TeamView board={board} row={row} />
        </>
      ) : (
        <Loading label={messages.loading.team} />
      )}
    </>
  );
}
