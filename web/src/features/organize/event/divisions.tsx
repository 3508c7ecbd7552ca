/** All divisions of the event, private ones included, with links to the lists of their teams. */
import type { ListedDivision } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { useDivisions } from "../frame/queries";
import { type Column, Table } from "../frame/table";
import { PageLink } from "../frame/view";
import styles from "./event.module.css";
import { DIVISIONS } from "./settings-form";

function useColumns(): readonly Column<ListedDivision>[] {
  const { divisions: words } = useOrganizeMessages().manage;
  return [
    {
      word: words.name,
      isName: true,
      cell: (division) => (
        <PageLink to="/organize/teams" query={{ division: division.id }}>
          <bdi>{words.nameOf(division)}</bdi>
        </PageLink>
      ),
    },
    { word: words.id, cell: ({ id }) => <code>{id}</code> },
    { word: words.group, cell: ({ group }) => <bdi>{group}</bdi> },
    {
      word: words.join,
      cell: ({ join, domains }) => [wordFor(words.joins, join), ...(domains ?? [])].join(" "),
    },
    { word: words.teams, cell: ({ teams }) => teams },
  ];
}

/** Renders nothing for an event without divisions. */
export function Divisions() {
  const { divisions: words } = useOrganizeMessages().manage;
  const columns = useColumns();
  const divisions = useDivisions().data ?? [];
  if (divisions.length === 0) return null;
  return (
    <section id={DIVISIONS} aria-labelledby={`${DIVISIONS}-title`} className={styles.more}>
      <h2 id={`${DIVISIONS}-title`} tabIndex={-1}>
        {words.title}
      </h2>
      <p className="org-note">{words.note}</p>
      <Table columns={columns} rows={divisions} keyOf={({ id }) => id} />
    </section>
  );
}
