/** What is wrong with the file for CTFtime, before it is sent: an upload there is final. Pure. */
import { isRecord, numberOr, textOr } from "../../../api/unknown";

interface Standing {
  readonly pos: number;
  readonly team: string;
  readonly score: number;
}

/** The rows of the file; null if it has not the shape that CTFtime reads. */
function standingsOf(feed: unknown): readonly Standing[] | null {
  if (!isRecord(feed) || !Array.isArray(feed.standings)) return null;
  const rows = feed.standings.map((row: unknown) => (isRecord(row) ? row : {}));
  const standings = rows.map(({ pos, team, score }) => ({
    pos: numberOr(pos, Number.NaN),
    team: textOr(team, ""),
    score: numberOr(score, Number.NaN),
  }));
  const isWhole = ({ pos, team, score }: Standing) =>
    Number.isSafeInteger(pos) && team !== "" && Number.isFinite(score);
  return standings.every(isWhole) ? standings : null;
}

export function checkCtftime(feed: unknown, event: { isOver: boolean; isFrozen: boolean }) {
  const standings = standingsOf(feed);
  const tasks = isRecord(feed) && Array.isArray(feed.tasks) ? feed.tasks.length : 0;
  if (standings === null) return { teams: 0, tasks, first: null, findings: ["shape"] };
  const names = standings.map(({ team }) => team.normalize("NFKC").toLowerCase());
  const isSorted = standings.every(({ pos, score }, at) => {
    const before = standings[at - 1];
    return pos === at + 1 && (before === undefined || before.score >= score);
  });
  const checks = {
    not_ended: !event.isOver,
    frozen: event.isFrozen,
    no_teams: standings.length === 0,
    no_scores: standings.length > 0 && standings.every(({ score }) => score === 0),
    same_name: new Set(names).size < names.length,
    order: !isSorted,
  };
  const findings = Object.entries(checks).flatMap(([name, isFound]) => (isFound ? [name] : []));
  return { teams: standings.length, tasks, first: standings[0]?.team ?? null, findings };
}
