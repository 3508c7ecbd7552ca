/** The task column while no challenge is open: where to start, and the latest solves. */
import { useMemo } from "react";
import type { Challenge } from "../../api/calls";
import { useServerNow, useStatus } from "../../api/clock";
import type { Board } from "../../domain/board";
import type { Derived } from "../../domain/challenges";
import { latestSolves, publicBoard } from "../../domain/highlights";
import { pointsOf } from "../../domain/points";
import { startingChallenges } from "../../domain/start-here";
import { useMessages } from "../../messages/language";
import { ProgressLine } from "../../ui/category-progress/category-progress";
import { CategorySign } from "../../ui/category-sign/category-sign";
import { Flag } from "../../ui/flag/flag";
import { HtmlExcerpt } from "../../ui/html/html";
import { FirstBloodIcon, SolvedIcon } from "../../ui/icons/icons";
import { TeamLink } from "../../ui/team-link/team-link";
import { useHours } from "../../ui/times/times";
import styles from "./start.module.css";

const LATEST_MAX = 10;

interface StartProps {
  challenges: readonly Derived<Challenge>[];
  board: Board | null;
  team: string;
  /** True if there is room for excerpts of descriptions. */
  isWide: boolean;
  addressOf: (challenge: Challenge) => string;
}

function Suggestions({ challenges, isWide, addressOf }: StartProps) {
  const { challenges: words, moment } = useMessages();
  const suggested = startingChallenges(challenges, useServerNow());
  if (suggested.length === 0) return <p className={styles.none}>{moment.nothingLeft}</p>;
  return (
    <ul className={styles.suggestions}>
      {suggested.map((challenge) => (
        <li key={challenge.id}>
          <a href={addressOf(challenge)} className={styles.suggestion}>
            <span className={styles.category}>
              {challenge.categories[0] && <CategorySign category={challenge.categories[0]} />}
              {challenge.categories[0]}
            </span>
            <strong>{challenge.challengeName}</strong>
            {isWide && <HtmlExcerpt html={challenge.description} className={styles.excerpt} />}
            <span className={styles.facts}>
              <span className={styles.points}>{words.points(pointsOf(challenge))}</span>
              <span>{words.solves(challenge.nsolves)}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Latest({ challenges, board, team, addressOf }: StartProps) {
  const { home, team: words, board: marks } = useMessages();
  const hours = useHours();
  const listed = useMemo(() => new Map(challenges.map((one) => [one.id, one])), [challenges]);
  const solves = useMemo(
    () => board && latestSolves(publicBoard(board, team), LATEST_MAX),
    [board, team],
  );
  if (!board || !solves) return null;
  const countryOf = (name: string) => board.teams.find((one) => one.teamName === name)?.country;
  return (
    <section aria-labelledby="latest-solves">
      <h2 id="latest-solves" className={styles.heading}>
        {home.latest}
      </h2>
      {solves.length === 0 && <p className={styles.none}>{words.noSolve}</p>}
      <ol className={styles.latest}>
        {solves.map(({ teamName, challengeId, challengeName, isFirst, ts }) => {
          const challenge = listed.get(challengeId);
          return (
            <li key={`${teamName} ${challengeId}`} data-own={teamName === team || undefined}>
              <time dateTime={new Date(ts * 1000).toISOString()}>{hours(ts * 1000)}</time>
              <Flag code={countryOf(teamName) ?? "UN"} />
              <TeamLink name={teamName} />
              <span className={styles.solved} data-first={isFirst || undefined}>
                {isFirst ? <FirstBloodIcon /> : <SolvedIcon />}
                {isFirst && <span className="visually-hidden">{marks.firstBlood}</span>}
                {challenge ? (
                  <a href={addressOf(challenge)}>{challengeName}</a>
                ) : (
                  <span>{challengeName}</span>
                )}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

export function Start(props: StartProps) {
  const { challenges } = props;
  const { find: words } = useMessages();
  const isOver = useStatus() === "ended";
  const solved = challenges.filter((one) => one.solved).length;
  return (
    <div className={styles.start}>
      {challenges.length > 0 && (
        <section aria-labelledby="start-here">
          <header className={styles.head}>
            <h2 id="start-here">{isOver ? words.shown.unsolved : words.startHere}</h2>
            <p className="quiet">{words.progress(solved, challenges.length)}</p>
            <ProgressLine solved={solved} all={challenges.length} className={styles.line} />
          </header>
          <Suggestions {...props} />
        </section>
      )}
      <Latest {...props} />
    </div>
  );
}
