/** The team's pennant, name, rank and points, in its own chunk: visitors do not need it. */
import { useMemo } from "react";
import { useLive } from "../../../api/queries";
import { type Board, rankTeams } from "../../../domain/board";
import { hasLaterSolve } from "../../../domain/challenges";
import { useMessages } from "../../../messages/language";
import { Pennant } from "../../../ui/pennant/pennant";
import { FrozenMark, useIsFrozen } from "../../../ui/sealed/sealed";
import { useThrottled } from "../../../ui/throttle/throttle";
import styles from "./menu.module.css";
import { TeamName } from "./team-name";

/** Minimum interval between rankings: this rank need not follow every solve. */
const RANKED_EVERY_MS = 2000;

function Standing({ board, team }: { board: Board; team: string }) {
  const { board: words, sealed, locale } = useMessages();
  const isFrozen = useIsFrozen();
  const paced = useThrottled(board, RANKED_EVERY_MS);
  const ranked = useMemo(() => rankTeams(paced), [paced]);
  const own = ranked.find((one) => one.team.teamName === team);
  if (!own) return null;
  const { rank, points } = own;
  const grouped = points.toLocaleString(locale);
  if (hasLaterSolve(own.team)) {
    return (
      <span className={styles.figures} data-frozen title={words.withSealed}>
        <b aria-hidden="true">{grouped}*</b>
        <span className="visually-hidden">{words.frozenStanding(points)}</span>
      </span>
    );
  }
  const standing = words.standing(rank, ranked.length, points);
  return (
    <span className={styles.figures} data-frozen={isFrozen}>
      <b aria-hidden="true">#{rank}</b>{" "}
      <span aria-hidden="true" className={styles.mark}>
        <FrozenMark />
      </span>
      <span aria-hidden="true" className={styles.points}>
        {grouped}
      </span>
      <span className="visually-hidden">
        {isFrozen ? `${standing}, ${sealed.frozen}` : standing}
      </span>
    </span>
  );
}

export default function OwnTeam({ team }: { team: string }) {
  const { board } = useLive();
  return (
    <TeamName team={team} pennant={<Pennant name={team} size="small" />}>
      {board && <Standing board={board} team={team} />}
    </TeamName>
  );
}
