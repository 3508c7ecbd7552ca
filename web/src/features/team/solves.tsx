/** What a team solved, in order of time, with what each solve is worth now. */
import { Fragment } from "react";
import { challengeAddress } from "../../addresses";
import { useSession } from "../../api/session";
import type { Board, BoardChallenge, Solve, Team } from "../../domain/board";
import type { ScoreLine } from "../../domain/history";
import { pointsOf } from "../../domain/points";
import { useMessages } from "../../messages/language";
import { CategoryDot } from "../../ui/category-dot/category-dot";
import { Moment } from "../../ui/moment/moment";
import { scoreAt } from "../../ui/score-chart/score-chart";
import { ScrollTable } from "../../ui/scroll-table/scroll-table";
import { SolveMark } from "../../ui/solve-mark/solve-mark";
import styles from "./team.module.css";

interface Solved {
  challenge: BoardChallenge;
  solve: Solve;
}

function solvedBy(board: Board, team: Team): Solved[] {
  return board.challenges
    .flatMap((challenge) => {
      const solve = team.solves.get(challenge.id);
      return solve ? [{ challenge, solve }] : [];
    })
    .sort((a, b) => a.solve.ts - b.solve.ts);
}

function SolveRow({ challenge, solve, scoreThen }: Solved & { scoreThen: number | null }) {
  const { team: loggedIn } = useSession();
  const { id, challengeName } = challenge;
  return (
    <tr>
      <th scope="row">
        {loggedIn === null ? (
          challengeName
        ) : (
          <a href={challengeAddress({ open: [id] })}>{challengeName}</a>
        )}
      </th>
      <td>
        {challenge.categories.map((category, index) => (
          <Fragment key={category}>
            {index > 0 && ", "}
            <CategoryDot category={category} />
            {category}
          </Fragment>
        ))}
      </td>
      <td className="number">
        <span className={styles.place}>
          <SolveMark
            name={challengeName}
            speedrun={challenge.challengeType === "speedrun"}
            {...solve}
          />
          {solve.later ? "–" : solve.position}
        </span>
      </td>
      <td className="number">{pointsOf(challenge, solve.position)}</td>
      <td className="number">{scoreThen}</td>
      <td>
        <Moment ts={solve.ts} />
      </td>
    </tr>
  );
}

interface SolvesProps {
  board: Board;
  team: Team;
  line: ScoreLine | undefined;
}

export function Solves({ board, team, line }: SolvesProps) {
  const { team: words } = useMessages();
  const solved = solvedBy(board, team);
  return (
    <section aria-labelledby="solves" className={styles.solves}>
      <h2 id="solves">{words.solves}</h2>
      <ScrollTable label={words.solvesTable} className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{words.challenge}</th>
            <th scope="col">{words.category}</th>
            <th scope="col" className="number">
              {words.position}
            </th>
            <th scope="col" className="number">
              {words.pointsNow}
            </th>
            <th scope="col" className="number">
              {words.scoreThen}
            </th>
            <th scope="col">{words.time}</th>
          </tr>
        </thead>
        <tbody>
          {solved.map(({ challenge, solve }) => (
            <SolveRow
              key={challenge.id}
              challenge={challenge}
              solve={solve}
              scoreThen={line ? scoreAt(line.points, solve.ts) : null}
            />
          ))}
        </tbody>
      </ScrollTable>
    </section>
  );
}
