/** A team's page, from the live board: its rank, its score over time, its solves. */
import { Suspense, useMemo } from "react";
import { challengeAddress, teamNameAt } from "../../addresses";
import { useFreeze, useStatus } from "../../api/clock";
import { useCtf, useLive } from "../../api/queries";
import { useSession } from "../../api/session";
import { type Board, type RankedTeam, rankTeams } from "../../domain/board";
import { publicBoard } from "../../domain/highlights";
import { type ScoreLine, scoreLines } from "../../domain/history";
import { isDynamic } from "../../domain/points";
import { useMessages } from "../../messages/language";
import { useAddress } from "../../navigate";
import { chunkPart } from "../../ui/chunk-part/chunk-part";
import { LockIcon } from "../../ui/icons/icons";
import { Loading } from "../../ui/loading/loading";
import { ScoreChart } from "../../ui/score-chart/score-chart";
import { StatusBanner } from "../../ui/status-banner/status-banner";
import { useThrottled } from "../../ui/throttle/throttle";
import { Categories } from "./categories";
import { Hero } from "./hero";
import type { SinceProps } from "./since";
import { Solves } from "./solves";
import styles from "./team.module.css";

/** Without its chunk, the page does not explain changes of the score. */
const Since = chunkPart<SinceProps>(
  "since",
  () => import("./since"),
  () => null,
);
const REDRAW_MS = 1000;
/** Number of solves from which their table is as high as the graph and the categories beside it. */
const BESIDE_MIN = 14;

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

/**
 * The team's score line as a single-element list, without sealed solves; recomputed at most once a
 * second. Empty without a solve.
 */
function useScoreLines(board: Board, name: string): ScoreLine[] {
  const startMs = useCtf().data?.info.startTime ?? null;
  const { team: ownTeam } = useSession();
  const paced = useThrottled(board, REDRAW_MS);
  return useMemo(() => {
    const startTs = startMs === null ? null : startMs / 1000;
    const known = publicBoard(paced, ownTeam);
    const hasSolve = known.teams.some((one) => one.teamName === name && one.solves.size > 0);
    return hasSolve ? scoreLines(known, [name], startTs) : [];
  }, [paced, ownTeam, name, startMs]);
}

/** In place of the graph; the team itself is led to the challenges. */
function NoSolve({ own }: { own: boolean }) {
  const { team: words, navigation } = useMessages();
  return (
    <div className={styles.none}>
      <LockIcon />
      <p>{words.noSolve}</p>
      {own && (
        <a href={challengeAddress({})} className="button">
          {navigation.challenges}
        </a>
      )}
    </div>
  );
}

function TeamView({ board, row, own }: { board: Board; row: RankedTeam; own: boolean }) {
  const { team: words } = useMessages();
  const lines = useScoreLines(board, row.team.teamName);
  const { size } = row.team.solves;
  const hasSolve = size > 0;
  return (
    <div className={styles.view} data-beside={size >= BESIDE_MIN} data-wide>
      {!hasSolve && <NoSolve own={own} />}
      {lines.length > 0 && (
        <section aria-labelledby="over-time" className={styles.overTime}>
          <h2 id="over-time">{words.overTime}</h2>
          <div className={styles.graph}>
            <ScoreChart
              lines={lines}
              label={words.graphLabel}
              isFalling={board.challenges.some(isDynamic)}
            />
          </div>
        </section>
      )}
      <Categories board={board} team={row.team} />
      {hasSolve && <Solves board={board} team={row.team} line={lines[0]} />}
    </div>
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
          <Hero row={row} own={name === ownTeam} teams={board.teams.length} live={live} />
          <TeamView board={board} row={row} own={name === ownTeam} />
          <Suspense fallback={null}>
            <Since board={board} name={row.team.teamName} viewer={ownTeam} />
          </Suspense>
        </>
      ) : (
        <Loading label={messages.loading.team} shape="cards" />
      )}
    </>
  );
}
