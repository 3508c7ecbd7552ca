/** The Teams page: names, status, email delivery and actions, also on several teams at once. */
import { useCallback, useMemo } from "react";
import { getTeams, type Team } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { ActionButtons } from "../change/action-buttons";
import type { Filter } from "../filters/filters";
import { Empty } from "../frame/empty";
import { ListPage, ListState } from "../frame/list";
import { useDivisions, useMay, useTeams } from "../frame/queries";
import { RowsTable } from "../frame/rows";
import { useScoreboardView, useView } from "../frame/view";
import { CHOSEN_MAX, type Selection, useSelection, useSelectionKeys } from "../lists/selection";
import { checkColumn, SelectionBar } from "../lists/selection-bar";
import { useCall } from "../second-factor-gate";
import { bulkActions, testTeam } from "./actions";
import { JoinCards } from "./cards";
import { OtherCodes } from "./code";
import { useColumns } from "./columns";
import { ImportTeams } from "./import";
import { TeamPanel } from "./panel";

/** Email states that the server can filter by. */
function mailFilters({ queued = "queued", refused = "refused" }: Readonly<Record<string, string>>) {
  return { queued, refused };
}

const keyOf = (rows: readonly Team[], place: number) => rows[place]?.teamName ?? "";

/** Filters and orders of the list; those of emails only for roles that can resend them. */
function useFilters(hasMail: boolean) {
  const { pages, manage, filters: words } = useOrganizeMessages();
  const { teams, list } = pages;
  const divisions = useDivisions().data ?? [];
  const ofMail: readonly Filter[] = [
    { name: "standing", label: teams.standing, words: teams.standings },
    { name: "activity", label: words.activity, words: words.activities },
    { name: "mail", label: teams.mail, words: mailFilters(teams.mails) },
  ];
  const names = divisions.map((one) => [one.id, manage.divisions.nameOf(one)] as const);
  const ofDivision: readonly Filter[] =
    names.length === 0
      ? []
      : [{ name: "division", label: manage.divisions.one, words: Object.fromEntries(names) }];
  return {
    hasViews: hasMail,
    filters: [...(hasMail ? ofMail : []), ...ofDivision],
    search: { name: "q", label: list.search, placeholder: teams.searchHint },
    order: { label: teams.order, words: teams.orders },
  };
}

type Query = Readonly<Record<string, string | undefined>>;

/** Names of the first teams that match a filter, as many as an action can take. */
async function namesOf(query: Query): Promise<readonly string[]> {
  const names: string[] = [];
  let after: string | undefined;
  do {
    const page = await getTeams({ ...query, after });
    names.push(...page.teams.map(({ teamName }) => teamName));
    after = page.next ?? undefined;
  } while (after !== undefined && names.length < CHOSEN_MAX);
  return names;
}

interface BulkProps {
  rows: readonly Team[];
  total: number;
  query: Query;
  selection: Selection;
}

/** Bar for the selected teams: message, resend, unhide and hide, each in one dialog. */
function Bulk({ rows, total, query, selection }: BulkProps) {
  const { lists: words } = useOrganizeMessages();
  const known = new Map(rows.map((team) => [team.teamName, team]));
  const texts = {
    message: words.messageTeams,
    resend: words.resendTeams,
    show: words.showTeams,
    hide: words.hideTeams,
    objects: words.teams,
  };
  const all = useCall(() => namesOf(query), { onSuccess: selection.choose });
  return (
    <SelectionBar
      selection={selection}
      actions={bulkActions(selection.names, known, texts, selection.clear)}
      total={total}
      onAll={() => all.isPending || all.mutate()}
    >
      <JoinCards teams={selection.names} />
    </SelectionBar>
  );
}

interface ListProps extends Omit<BulkProps, "selection"> {
  open: string;
  hasMail: boolean;
  more: ReturnType<typeof useTeams>;
}

function List({ rows, total, query, open, hasMail, more }: ListProps) {
  const { lists: words, pages } = useOrganizeMessages();
  const may = useMay();
  const names = useMemo(() => rows.map(({ teamName }) => teamName), [rows]);
  const selection = useSelection(names);
  const mayChoose = may("team.message") || may("team.hide");
  const keys = { choose: pages.keys.choose, range: words.range, clear: words.clear };
  useSelectionKeys(mayChoose ? selection : undefined, keys);
  const check = useMemo(
    () =>
      checkColumn<Team>({
        selection,
        rows: names,
        nameOf: ({ teamName }) => teamName,
        labelOf: ({ teamName }) => words.choose(teamName),
        allLabel: words.chooseAll,
      }),
    [selection, names, words],
  );
  const columns = useColumns(rows, open, hasMail, mayChoose ? check : undefined);
  const isChosen = useCallback(({ teamName }: Team) => selection.has(teamName), [selection]);
  return (
    <>
      <RowsTable
        rows={rows}
        total={total}
        keyOf={keyOf}
        open={rows.findIndex(({ teamName }) => teamName === open)}
        columns={columns}
        more={more}
        isChosen={isChosen}
        isSelecting={selection.names.length > 0}
      />
      {mayChoose && <Bulk rows={rows} total={total} query={query} selection={selection} />}
    </>
  );
}

function PageActions() {
  const { teams: words } = useOrganizeMessages().pages;
  const { testTeam: testTeamWord } = useOrganizeMessages().console;
  return (
    <>
      <ActionButtons name={words.title} actions={[testTeam(testTeamWord)]} />
      <ImportTeams />
      <JoinCards />
    </>
  );
}

export default function TeamsPage() {
  const { teams: words, list } = useOrganizeMessages().pages;
  const view = useView();
  const hasMail = useMay()("team.resend");
  const filter = {
    q: view("q"),
    standing: view("standing"),
    mail: view("mail"),
    activity: view("activity"),
    division: view("division"),
  };
  const query = { ...filter, order: view("order"), view: useScoreboardView() };
  const teams = useTeams({ ...filter, order: view("order") });
  const filters = useFilters(hasMail);
  const pages = teams.data?.pages;
  const isAll = teams.isCurrent && Object.values(filter).every((one) => one === "");
  const rows = useMemo(() => pages?.flatMap((page) => page.teams), [pages]);
  const total = pages?.at(-1)?.total ?? rows?.length ?? 0;
  // A single search result opens at once.
  const found = view("q") !== "" && rows?.length === 1 ? rows[0]?.teamName : undefined;
  const open = view("team") || (found ?? "");
  const known = rows?.find(({ teamName }) => teamName === open);
  const panel = open !== "" && (
    <TeamPanel key={open} name={open} known={known} isFound={view("team") === ""} />
  );
  return (
    <ListPage
      title={words.title}
      action={<PageActions />}
      count={rows && list.of(rows.length, total)}
      panel={panel}
      {...filters}
    >
      <ListState of={{ ...teams, data: rows }}>
        {(rows) => (
          <>
            <OtherCodes open={open} />
            {rows.length === 0 ? (
              <Empty
                title={isAll ? words.noneYet : words.empty}
                note={isAll && words.noneYetNote}
              />
            ) : (
              <List
                rows={rows}
                total={total}
                query={query}
                open={open}
                hasMail={hasMail}
                more={teams}
              />
            )}
          </>
        )}
      </ListState>
    </ListPage>
  );
}
