/** Checks the CTFtime file before it is uploaded, because uploads are final. Pure. */
import type { Overview } from "../../../../api/organize-lists";
import { isRecord, numberOr, textOr } from "../../../../api/unknown";

interface Standing {
  readonly pos: number;
  readonly team: string;
  readonly score: number;
}

/** Rows of the file; null if it does not have CTFtime's format. */
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

type CtftimeEvent = Pick<Overview, "status" | "isFrozen">;

export function checkCtftime(feed: unknown, { status, isFrozen }: CtftimeEvent) {
  const standings = standingsOf(feed);
  const tasks = isRecord(feed) && Array.isArray(feed.tasks) ? feed.tasks.length : 0;
  if (standings === null) return { teams: 0, tasks, first: null, findings: ["shape"] };
  const names = standings.map(({ team }) => team.normalize("NFKC").toLowerCase());
  const isSorted = standings.every(({ pos, score }, at) => {
    const before = standings[at - 1];
    return pos === at + 1 && (before === undefined || before.score >= score);
  });
  const checks = {
    not_started: status === "not_started",
    not_ended: status !== "not_started" && status !== "ended",
    frozen: isFrozen,
    no_teams: standings.length === 0,
    no_scores: standings.length > 0 && standings.every(({ score }) => score === 0),
    same_name: new Set(names).size < names.length,
    order: !isSorted,
  };
  const findings = Object.entries(checks).flatMap(([name, isFound]) => (isFound ? [name] : []));
  return { teams: standings.length, tasks, first: standings[0]?.team ?? null, findings };
}
