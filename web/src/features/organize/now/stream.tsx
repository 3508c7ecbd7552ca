/** Solves and acts of colleagues as they come, the newest first. */
import { useOrganizeMessages } from "../../../messages/organize/words";
import { Moment } from "../frame/moment";
import { useActs, useChallengeNames, useFlags, useMay } from "../frame/reading";

const ROWS_MAX = 30;

interface Happened {
  readonly key: string;
  readonly at: number;
  readonly text: string;
  readonly lang?: "en";
}

function useSolves(): readonly Happened[] {
  const { now: words } = useOrganizeMessages().pages;
  const names = useChallengeNames();
  const flags = useFlags({ verdict: "right" }).data?.pages[0]?.flags ?? [];
  return flags.map(({ at, teamName, challengeId }) => ({
    key: `solve ${teamName} ${challengeId}`,
    at,
    text: words.solved(teamName, names[challengeId] ?? challengeId),
  }));
}

function useRecentActs(): readonly Happened[] {
  const acts = useActs().data?.pages[0] ?? [];
  return acts.map(({ id, at, sentence }) => ({ key: `act ${id}`, at, text: sentence, lang: "en" }));
}

function Rows({ rows }: { rows: readonly Happened[] }) {
  const { now: words } = useOrganizeMessages().pages;
  const newest = rows.toSorted((a, b) => b.at - a.at).slice(0, ROWS_MAX);
  if (newest.length === 0) return <p className="org-note">{words.quiet}</p>;
  return (
    <ul className="org-stream">
      {newest.map(({ key, at, text, lang }) => (
        <li key={key}>
          <Moment ms={at} /> <span lang={lang}>{text}</span>
        </li>
      ))}
    </ul>
  );
}

function SolvesAndActs() {
  return <Rows rows={[...useSolves(), ...useRecentActs()]} />;
}

/** Acts that the role does not see are not asked for. */
export function Stream() {
  const { now: words } = useOrganizeMessages().pages;
  const may = useMay();
  if (!may("flag.list")) return null;
  return (
    <section className="org-card">
      <h2>{words.stream}</h2>
      <SolvesAndActs />
    </section>
  );
}
