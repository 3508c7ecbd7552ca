/** The first three teams, with their distances. A place without points is still open. */
import type { CSSProperties } from "react";
import type { RankedTeam } from "../../domain/board";
import { useMessages } from "../../messages/language";
import type { BoardTrend } from "../../ui/board-table/board-table";
import { Flag } from "../../ui/flag/flag";
import { Pennant } from "../../ui/pennant/pennant";
import { Sparkline } from "../../ui/sparkline/sparkline";
import { TeamLink } from "../../ui/team-link/team-link";
import styles from "./podium.module.css";

export const PLACES = 3;
const METALS = ["--gold", "--silver", "--bronze"];

interface PodiumProps {
  ranked: readonly RankedTeam[];
  trendOf: (teamName: string) => BoardTrend;
  /** True for some seconds after another team took the lead. */
  isLeadNew: boolean;
}

/** The distance of the first team to the second, and of the others to the team before them. */
function useGap(ranked: readonly RankedTeam[], place: number): string {
  const { board } = useMessages();
  const own = ranked[place]?.points ?? 0;
  const other = ranked[place === 0 ? 1 : place - 1]?.points ?? 0;
  if (own === other) return board.level;
  return own > other ? board.ahead(own - other) : board.behind(other - own);
}

function Place({
  ranked,
  place,
  trend,
}: { place: number; trend: BoardTrend } & Pick<PodiumProps, "ranked">) {
  const gap = useGap(ranked, place);
  const one = ranked[place];
  if (!one) return null;
  const { team, points } = one;
  return (
    <>
      <Pennant name={team.teamName} size="medium" />
      <span className={styles.name}>
        <Flag code={team.country} />
        <span className="ellipsis">
          <TeamLink name={team.teamName} />
        </span>
      </span>
      <strong className={styles.points}>{points}</strong>
      <span className={styles.gap}>{gap}</span>
      <span className={styles.line}>
        <Sparkline values={trend.scores} />
      </span>
    </>
  );
}

export function Podium({ ranked, trendOf, isLeadNew }: PodiumProps) {
  const { board } = useMessages();
  return (
    <ol className={styles.podium} aria-label={board.podium}>
      {ranked.slice(0, PLACES).map(({ team, rank, points }, place) => (
        <li
          key={rank}
          className={styles.place}
          style={{ "--metal": `var(${METALS[place]})` } as CSSProperties}
          data-open={points <= 0 ? "" : undefined}
          data-lead={place === 0 && isLeadNew ? "" : undefined}
        >
          <span className={styles.rank}>{rank}</span>
          {points > 0 ? (
            <Place ranked={ranked} place={place} trend={trendOf(team.teamName)} />
          ) : (
            <span className={styles.open}>{board.openPlace}</span>
          )}
        </li>
      ))}
    </ol>
  );
}
