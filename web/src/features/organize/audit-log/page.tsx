/** The audit log: who did what, when and why, with undo. */
import type { Entry } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { UndoButton } from "../change/action-buttons";
import { Ago } from "../filters/ago";
import type { Filter } from "../filters/filters";
import { ListPage, ListState, More } from "../frame/list";
import { useActions } from "../frame/queries";
import { Status } from "../frame/status";
import { type Column, SecondLine, Table, useIsPhone } from "../frame/table";
import { useView } from "../frame/view";
import { useMe } from "../queries";
import { COMMAND_LINE, useActorName } from "./actor";
import styles from "./audit-log.module.css";

interface LogFilter {
  readonly q: string;
  /** Name of an organizer, or `me`. */
  readonly who: string;
  readonly kind: string;
  /** `yes` for undone actions, `no` for the others. */
  readonly undone: string;
}

/** Value of `who` for the organizer's own actions, so that their view has one address. */
const ME = "me";

/** True if an action matches the filters of an organizer with this name. */
export function matchesFilter(entry: Entry, filter: LogFilter, me: string): boolean {
  const { q, who, kind, undone } = filter;
  const text = `${entry.sentence} ${entry.reason ?? ""}`.toLowerCase();
  return (
    text.includes(q.trim().toLowerCase()) &&
    (who === "" || entry.actor === (who === ME ? me : who)) &&
    (kind === "" || entry.action.startsWith(`${kind}.`)) &&
    (undone === "" || (undone === "yes") === Boolean(entry.undoneBy))
  );
}

/** A sentence whose first words are the actor. */
function Sentence({ actor, sentence }: Entry) {
  if (actor === "" || actor === COMMAND_LINE || !sentence.startsWith(`${actor} `)) {
    return <span className={styles.sentence}>{sentence}</span>;
  }
  return (
    <span className={styles.sentence}>
      <bdi className={styles.actor}>{actor}</bdi>
      {sentence.slice(actor.length)}
    </span>
  );
}

function Effect({ entry }: { entry: Entry }) {
  const { auditLog: words } = useOrganizeMessages().pages;
  const { undoneBy, undoes, undoable } = entry;
  if (undoneBy) {
    return (
      <Status mark="hollow">
        <a href={`#action-${undoneBy}`}>{words.undone(undoneBy)}</a>
      </Status>
    );
  }
  if (undoes) {
    return (
      <Status mark="quiet">
        <a href={`#action-${undoes}`}>{words.undoes(undoes)}</a>
      </Status>
    );
  }
  if (!undoable) return <Status mark="lock">{words.final}</Status>;
  return (
    <span className={styles.undo}>
      <UndoButton {...entry} />
    </span>
  );
}

function Reason({ reason, arguments: args }: Entry) {
  const { auditLog: words } = useOrganizeMessages().pages;
  const text = typeof reason === "string" ? reason : args === null && words.erased;
  return <bdi className={styles.reason}>{text}</bdi>;
}

function useColumns(): readonly Column<Entry>[] {
  const { auditLog: words } = useOrganizeMessages().pages;
  const effect: Column<Entry> = {
    className: styles.effect ?? "",
    cell: (entry) => <Effect entry={entry} />,
  };
  if (useIsPhone()) {
    const what = (entry: Entry) => (
      <>
        <Sentence {...entry} />
        <SecondLine>
          <Ago ms={entry.at} /> <Reason {...entry} />
        </SecondLine>
      </>
    );
    return [{ word: words.what, isName: true, takesFocus: true, cell: what }, effect];
  }
  return [
    { word: words.when, className: styles.time ?? "", cell: ({ at }) => <Ago ms={at} /> },
    {
      word: words.what,
      isName: true,
      takesFocus: true,
      className: styles.what ?? "",
      cell: (entry) => <Sentence {...entry} />,
    },
    { word: words.reason, className: "org-wide", cell: (entry) => <Reason {...entry} /> },
    effect,
    { word: "#", className: "org-number org-wide", cell: ({ id }) => id },
  ];
}

const rowOf = ({ id, undoneBy }: Entry) => ({
  id: `action-${id}`,
  className: undoneBy ? styles.undone : undefined,
});

/** Filters by the actors of the listed actions, and the one of the address. */
function useFilters(all: readonly Entry[], who: string): readonly Filter[] {
  const { pages, filters } = useOrganizeMessages();
  const { auditLog: words } = pages;
  const actorName = useActorName();
  // Teams' actions on their own account have no actor.
  const actors = new Set(all.map(({ actor }) => actor).filter(Boolean));
  if (who !== "" && who !== ME) actors.add(who);
  const people = [...actors].map((actor) => [actor, actorName(actor)] as const);
  return [
    { name: "who", label: words.who, words: { [ME]: filters.me, ...Object.fromEntries(people) } },
    { name: "kind", label: words.kind, words: words.kinds },
    { name: "undone", label: filters.undone, words: filters.undones },
  ];
}

const NONE: readonly Entry[] = [];

export default function LogPage() {
  const { pages, filters: filterWords } = useOrganizeMessages();
  const { auditLog: words, list } = pages;
  const view = useView();
  const columns = useColumns();
  const actions = useActions();
  const me = useMe().name;
  const all = actions.data?.pages.flat();
  const filter = { q: view("q"), who: view("who"), kind: view("kind"), undone: view("undone") };
  const rows = all?.filter((entry) => matchesFilter(entry, filter, me));
  const count = actions.hasNextPage ? filterWords.moreThan : filterWords.results;
  return (
    <ListPage
      title={words.title}
      hasViews
      search={{ name: "q", label: list.search }}
      filters={useFilters(all ?? NONE, filter.who)}
      count={rows && rows.length > 0 ? count(rows.length) : ""}
    >
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
