/** Solves and actions of colleagues as they come, the newest first. */
import type { Entry } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { UndoButton } from "../change/action-buttons";
import { Moment } from "../frame/moment";
import { useActions, useChallengeNames, useFlags, useMay, useOverview } from "../frame/reading";

const ROWS_MAX = 30;

interface Happened {
  readonly key: string;
  readonly at: number;
  readonly text: string;
  readonly undoable?: Entry | undefined;
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

function useRecentActions(): readonly Happened[] {
  const actions = useActions().data?.pages[0] ?? [];
  return actions.map((action) => {
    const { id, at, sentence, undoable, undoneBy, undoes } = action;
    const isOpen = undoable && !undoneBy && !undoes;
    return { key: `action ${id}`, at, text: sentence, undoable: isOpen ? action : undefined };
  });
}

function Rows() {
  const { now: words } = useOrganizeMessages().pages;
  const { quietForYou } = useOrganizeMessages().console;
  const rows = [...useSolves(), ...useRecentActions()];
  const newest = rows.toSorted((a, b) => b.at - a.at).slice(0, ROWS_MAX);
  // An author sees own challenges alone.
  const solves = useOverview().data?.solves ?? 0;
  if (newest.length === 0) {
    return <p className="org-note">{solves > 0 ? quietForYou(solves) : words.quiet}</p>;
  }
  return (
    <ul className="org-stream">
      {newest.map(({ key, at, text, undoable }) => (
        <li key={key}>
          <Moment ms={at} /> <span>{text}</span> {undoable && <UndoButton {...undoable} />}
        </li>
      ))}
    </ul>
  );
}

/** Actions that the role does not see are not asked for. */
export function Stream() {
  const { now: words } = useOrganizeMessages().pages;
  const may = useMay();
  if (!may("flag.list")) return null;
  return (
    <section className="org-card">
      <h2>{words.stream}</h2>
      <Rows />
    </section>
  );
}
