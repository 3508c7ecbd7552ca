/** The log: who did what, when and why, and a way to take it back. */
import type { Entry } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { UndoButton } from "../change/action-buttons";
import { ChoiceFilter, ListPage, ListState, More, SearchFilter } from "../frame/list";
import { Moment } from "../frame/moment";
import { useActions } from "../frame/reading";
import { type Column, Table } from "../frame/table";
import { useView } from "../frame/view";

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
  return <UndoButton {...entry} />;
}

function useColumns(): readonly Column<Entry>[] {
  const { log: words } = useOrganizeMessages().pages;
  return [
    { word: "#", className: "org-number org-wide", cell: ({ id }) => id },
    { word: words.when, cell: ({ at }) => <Moment ms={at} /> },
    { word: words.who, className: "org-wide", cell: ({ actor }) => <bdi>{actor}</bdi> },
    { word: words.what, isName: true, takesFocus: true, cell: ({ sentence }) => sentence },
    {
      word: words.reason,
      className: "org-wide",
      cell: ({ reason, arguments: args }) => (
        <bdi>{typeof reason === "string" ? reason : args === null && words.erased}</bdi>
      ),
    },
    { cell: (entry) => <Undo entry={entry} /> },
  ];
}

const rowOf = ({ id, undoneBy }: Entry) => ({
  id: `action-${id}`,
  className: undoneBy ? "org-undone" : undefined,
});

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
  const columns = useColumns();
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
              <Table columns={columns} rows={rows} keyOf={({ id }) => id} row={rowOf} />
            )}
            <More {...actions} />
          </>
        )}
      </ListState>
    </ListPage>
  );
}
