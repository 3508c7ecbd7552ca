/**
 * The team's solves in order of time, with their current points. On a phone, rows are boxes, which
 * removes the implicit roles: all roles are explicit.
 */
import { Fragment } from "react";
import { challengeAddress } from "../../addresses";
import { useSession } from "../../api/session";
import type { Board, BoardChallenge, Solve, Team } from "../../domain/board";
import type { ScoreLine } from "../../domain/history";
import { canFall, pointsOf } from "../../domain/points";
import { useMessages } from "../../messages/language";
import { CategorySign } from "../../ui/category-sign/category-sign";
import { Moment } from "../../ui/moment/moment";
import { scoreAt } from "../../ui/score-chart/score-chart";
import { ScrollTable } from "../../ui/scroll-table/scroll-table";
import { Seal } from "../../ui/sealed/sealed";
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
  const { sealed } = useMessages();
  const { id, challengeName } = challenge;
  const points = pointsOf(challenge, solve.position);
  return (
    <tr role="row">
      <th role="rowheader" scope="row">
        {loggedIn === null ? (
          challengeName
        ) : (
          <a href={challengeAddress({ open: [id] })}>{challengeName}</a>
        )}
      </th>
      <td role="cell">
        {challenge.categories.map((category, index) => (
          <Fragment key={category}>
            {index > 0 && ", "}
            <CategorySign category={category} />
            {category}
          </Fragment>
        ))}
      </td>
      <td role="cell" className="number">
        <span className={styles.place}>
          <SolveMark
            name={challengeName}
            speedrun={challenge.challengeType === "speedrun"}
            {...solve}
          />
          {solve.later ? "–" : solve.position}
        </span>
      </td>
      <td role="cell" className="number">
        {solve.later && canFall(challenge) ? sealed.upTo(String(points)) : points}
      </td>
      <td role="cell" className="number">
        {solve.later ? "–" : scoreThen}
      </td>
      <td role="cell">
        <Moment ts={solve.ts} />
        {solve.later && <Seal />}
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
        <thead role="rowgroup">
          <tr role="row">
            {[
              [words.challenge],
              [words.category],
              [words.position, "number"],
              [words.pointsNow, "number"],
              [words.scoreThen, "number"],
              [words.time],
            ].map(([title, className]) => (
              <th key={title} role="columnheader" scope="col" className={className}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
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
