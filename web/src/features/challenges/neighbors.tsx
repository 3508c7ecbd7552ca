/** Below an open task in a large window: its solves over time, and the rest of its category. */
import { useMemo } from "react";
import type { Challenge } from "../../api/calls";
import { useServerNow } from "../../api/clock";
import { useCtf } from "../../api/queries";
import type { Board } from "../../domain/board";
import type { Derived } from "../../domain/challenges";
import { pointsOf } from "../../domain/points";
import { solversOf } from "../../domain/solvers";
import { useMessages } from "../../messages/language";
import { CategoryProgress } from "../../ui/category-progress/category-progress";
import { LockIcon, SolvedIcon } from "../../ui/icons/icons";
import { Sparkline } from "../../ui/sparkline/sparkline";
import { useHours } from "../../ui/times/times";
import styles from "./neighbors.module.css";

/** Points of the line. */
const STEPS = 120;

interface SolvesProps {
  challenge: Challenge;
  board: Board;
}

/** The number of solves from the start of the event until now or its end. */
function SolvesOverTime({ challenge, board }: SolvesProps) {
  const { challenges: words } = useMessages();
  const hours = useHours();
  const info = useCtf().data?.info;
  const now = useServerNow();
  const times = useMemo(
    () => solversOf(board, challenge.id).map(({ ts }) => ts),
    [board, challenge],
  );
  const startMs = info?.startTime ?? null;
  const [first] = times;
  if (startMs === null || first === undefined) return null;
  const endMs = Math.min(now, info?.endTime ?? now);
  const counts = Array.from({ length: STEPS }, (_, step) => {
    const until = (startMs + ((endMs - startMs) * step) / (STEPS - 1)) / 1000;
    return times.filter((ts) => ts <= until).length;
  });
  return (
    <figure className={styles.solves}>
      <figcaption>{words.overTime}</figcaption>
      <Sparkline values={counts} />
      <p className="quiet" aria-hidden="true">
        <span>{hours(startMs)}</span>
        <span>{words.solves(times.length)}</span>
        <span>{hours(endMs)}</span>
      </p>
    </figure>
  );
}

interface NeighborsProps {
  challenge: Derived<Challenge>;
  challenges: readonly Derived<Challenge>[];
  board: Board | null;
  addressOf: (other: Challenge) => string;
}

function Category({ challenge, challenges, addressOf }: NeighborsProps) {
  const { challenges: words } = useMessages();
  const category = challenge.categories[0];
  const all = challenges.filter(({ categories }) => categories[0] === category);
  if (category === undefined || all.length < 2) return null;
  const solved = all.filter((one) => one.solved).length;
  return (
    <section aria-label={category} className={styles.category}>
      <CategoryProgress category={category} solved={solved} all={all.length} as="h3" />
      <ul className={styles.list}>
        {all.map((one) => (
          <li key={one.id}>
            <a href={addressOf(one)} aria-current={one.id === challenge.id || undefined}>
              <span className={styles.mark} data-solved={one.solved || undefined}>
                {one.solved && <SolvedIcon />}
                {one.locked && <LockIcon />}
              </span>
              <strong className="ellipsis">{one.challengeName}</strong>
              <span className={styles.points}>
                {words.points(pointsOf(one, one.solved_pos ?? undefined))}
              </span>
              <span className={styles.count}>{words.solves(one.nsolves)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Neighbors(props: NeighborsProps) {
  const { challenge, board } = props;
  return (
    <div className={styles.neighbors}>
      {board && <SolvesOverTime challenge={challenge} board={board} />}
      <Category {...props} />
    </div>
  );
}
