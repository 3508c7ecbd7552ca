/** The log: who did what, when and why, and a way to take it back. */
import type { Entry } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { ChoiceFilter, Columns, ListPage, ListState, More, SearchFilter } from "../frame/list";
import { Moment } from "../frame/moment";
import { useActions } from "../frame/reading";
import { useView } from "../frame/view";
import { UndoButton } from "./undo";

/** Whether an action is one that the filters of the address leave. */
export function isLeft(entry: Entry, filter: { q: string; who: string; kind: string }): boolean {
  const { q, who, kind } = filter;
  const text = `${entry.sentence} ${entry.reason ?? ""}`.toLowerCase();
  return (
    text.includes(q.trim().toLowerCase()) &&
    (who === "" || entry.actor === who) &&
    (kind === "" || entry.action.startsWith(`${kind}.`))
  );
}

function Undo({ entry }: { entry: Entry }) {
  const { log: words } = useOrganizeMessages().pages;
  if (entry.undoneBy) {
    return <a href={`#action-${entry.undoneBy}`}>{words.undone(entry.undoneBy)}</a>;
  }
  if (entry.undoes) return <>{words.undoes(entry.undoes)}</>;
  if (!entry.undoable) return <span className="org-note">{words.final}</span>;
  return <UndoButton entry={entry} />;
}

function ActionRow({ entry }: { entry: Entry }) {
  const { log: words } = useOrganizeMessages().pages;
  const isErased = entry.arguments === null;
  return (
    <tr id={`action-${entry.id}`} className={entry.undoneBy ? "org-undone" : undefined}>
      <td className="org-number org-wide">{entry.id}</td>
      <td>
        <Moment ms={entry.at} />
      </td>
      <td className="org-wide">
        <bdi>{entry.actor}</bdi>
      </td>
      <th scope="row" data-row tabIndex={-1}>
        {entry.sentence}
      </th>
      <td className="org-wide">
        <bdi>{typeof entry.reason === "string" ? entry.reason : isErased && words.erased}</bdi>
      </td>
      <td>
        <Undo entry={entry} />
      </td>
    </tr>
  );
}

function Filters({ actors }: { actors: readonly string[] }) {
  const { log: words, list } = useOrganizeMessages().pages;
  const people = Object.fromEntries(actors.map((name) => [name, name]));
  return (
    <>
      <SearchFilter name="q" label={list.search} />
      <ChoiceFilter name="who" label={words.who} words={people} />
      <ChoiceFilter name="kind" label={words.kind} words={words.kinds} />
    </>
  );
}

export default function LogPage() {
  const { log: words } = useOrganizeMessages().pages;
  const view = useView();
  const actions = useActions();
  const all = actions.data?.pages.flat();
  const filter = { q: view("q"), who: view("who"), kind: view("kind") };
  const rows = all?.filter((entry) => isLeft(entry, filter));
  // What a team does with its own account has nobody's name.
  const actors = [...new Set(all?.map(({ actor }) => actor).filter(Boolean) ?? [])];
  if (filter.who !== "" && !actors.includes(filter.who)) actors.push(filter.who);
  return (
    <ListPage title={words.title} filters={<Filters actors={actors} />}>
      <ListState of={{ ...actions, data: rows }}>
        {(rows) => (
          <>
            {rows.length === 0 && <p role="status">{words.empty}</p>}
            {rows.length > 0 && (
              <table className="org-table">
                <thead>
                  <tr>
                    <Columns
                      of={[
                        ["#", "org-number org-wide"],
                        [words.when],
                        [words.who, "org-wide"],
                        [words.what],
                        [words.reason, "org-wide"],
                      ]}
                    />
                    <td />
                  </tr>
                </thead>
                <tbody>
                  {rows.map((entry) => (
                    <ActionRow key={entry.id} entry={entry} />
                  ))}
                </tbody>
              </table>
            )}
            <More {...actions} />
          </>
        )}
      </ListState>
    </ListPage>
  );
}
