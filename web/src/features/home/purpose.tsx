/** What to do next: for a visitor, for a team, and in three steps for who has never played. */
import { Suspense } from "react";
import { apiBase } from "../../api/base";
import type { CtfInfo } from "../../api/calls";
import { useStatus } from "../../api/clock";
import { useSession } from "../../api/session";
import type { RankedTeam } from "../../domain/board";
import { hasLaterSolve } from "../../domain/challenges";
import { sampleFlag } from "../../domain/flag-format";
import { useMessages } from "../../messages/language";
import { chunkPart } from "../../ui/chunk-part/chunk-part";
import styles from "./home.module.css";
import type { OwnRowProps } from "./own-row";

/** Without its chunk the page works, and shows no rank. */
const WithOwnRow = chunkPart<OwnRowProps>(
  "own-row",
  () => import("./own-row"),
  ({ children }) => children(null, 0),
);

/** Where the team stands; the place is there before the board is. */
function Standing({ team }: { team: string }) {
  const { home, challenges, board } = useMessages();
  const ranked = ({ team: own, rank, points }: RankedTeam, teams: number) => {
    const hasLater = hasLaterSolve(own);
    const score = challenges.points(points);
    return (
      <>
        <strong>{hasLater ? score : home.rank(rank, teams)}</strong>{" "}
        <span>{hasLater ? board.withoutHidden : score}</span>
      </>
    );
  };
  return (
    <section className={styles.standing} aria-label={home.standing}>
      <p className="row">
        <Suspense fallback={null}>
          <WithOwnRow team={team}>{(row, teams) => row && ranked(row, teams)}</WithOwnRow>
        </Suspense>
      </p>
      <a className="button" href="/challenge?show=unsolved">
        {home.continue}
      </a>
    </section>
  );
}

function StepList({ info }: { info: CtfInfo }) {
  const { home } = useMessages();
  return (
    <section className={styles.steps} aria-labelledby="first-time">
      <h2 id="first-time">{home.firstTime}</h2>
      <ol className="plain-list">
        {home.steps(sampleFlag(info.flagFormat)).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </section>
  );
}

/** Three steps for who has never played: visitors, and teams without a solve. */
export function Steps({ info }: { info: CtfInfo }) {
  const { team, known } = useSession();
  const status = useStatus();
  if (!known || status === "unknown" || status === "ended") return null;
  if (team === null) return <StepList info={info} />;
  return (
    <Suspense fallback={null}>
      <WithOwnRow team={team}>
        {(row) => row?.team.solves.size === 0 && <StepList info={info} />}
      </WithOwnRow>
    </Suspense>
  );
}

/** The calendar file is beside the API, which may be on another origin than the site. */
function calendarAddress(): string {
  return new URL("/event.ics", apiBase()).href;
}

export function Purpose({ info }: { info: CtfInfo }) {
  const { home } = useMessages();
  const { team, known } = useSession();
  const status = useStatus();
  if (status === "unknown" || status === "ended") return null;
  const isBefore = status === "not_started";
  return (
    <>
      {known && team === null && info.registrationOpen && (
        <a href="/signup" className={isBefore ? `button button-primary ${styles.play}` : "button"}>
          {home.signUp}
        </a>
      )}
      {team !== null && !isBefore && <Standing team={team} />}
      {isBefore && info.endTime !== null && (
        <a href={calendarAddress()} download>
          {home.calendar}
        </a>
      )}
    </>
  );
}
