/** The Challenges page: visibility, status and difficulty, and actions on several at once. */
import { lazy, Suspense } from "react";
import type { ListedChallenge } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { go } from "../../../navigate";
import { Loading } from "../../../ui/loading/loading";
import type { Filter } from "../filters/filters";
import { Empty } from "../frame/empty";
import { KeyHint, useShortcut } from "../frame/keys";
import { ListPage, ListState, Tabs } from "../frame/list";
import { useChallenges, useMay } from "../frame/queries";
import { Table, useIsPhone } from "../frame/table";
import { pageAddress, useScoreboardView, useView } from "../frame/view";
import { type Selection, useSelection, useSelectionKeys } from "../lists/selection";
import { checkColumn, SelectionBar } from "../lists/selection-bar";
import { arranged, bulkActions } from "./actions";
import styles from "./challenges.module.css";
import { useColumns } from "./columns";
import { ChallengePanel } from "./panel";

/** Bar for the selected challenges: release and hide, each in one dialog. */
function Bulk({ all, rows, selection }: BulkProps) {
  const { lists: words, pages } = useOrganizeMessages();
  const texts = {
    release: pages.challenges.wave,
    hide: words.hideChallenges,
    objects: pages.sheet.challenges,
  };
  const chosen = all.filter(({ id }) => selection.has(id));
  return (
    <SelectionBar
      selection={selection}
      actions={bulkActions(chosen, texts, selection.clear)}
      total={rows.length}
      onAll={() => selection.choose(rows.map(({ id }) => id))}
    />
  );
}

interface BulkProps {
  all: readonly ListedChallenge[];
  /** Challenges that match the filter. */
  rows: readonly ListedChallenge[];
  selection: Selection;
}

function List({ all, rows, open }: Omit<BulkProps, "selection"> & { open: string }) {
  const { lists: words, pages } = useOrganizeMessages();
  const may = useMay();
  const names = rows.map(({ id }) => id);
  const selection = useSelection(names);
  const mayChoose = may("challenge.release") || may("challenge.hide");
  const keys = { choose: pages.keys.choose, range: words.range, clear: words.clear };
  useSelectionKeys(mayChoose ? selection : undefined, keys);
  const check = checkColumn<ListedChallenge>({
    selection,
    rows: names,
    nameOf: ({ id }) => id,
    labelOf: ({ challengeName }) => words.choose(challengeName),
    allLabel: words.chooseAll,
  });
  const columns = useColumns(all, open, mayChoose ? check : undefined);
  if (rows.length === 0) {
    return (
      <Empty
        title={all.length === 0 ? pages.challenges.noneYet : pages.challenges.empty}
        note={all.length === 0 && may("challenge.create") && pages.challenges.noneYetNote}
      />
    );
  }
  return (
    <>
      <Table
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        isChosen={({ id }) => selection.has(id)}
        isSelecting={selection.names.length > 0}
        row={({ id }) => ({ className: id === open ? "org-row-open" : undefined })}
      />
      {mayChoose && <Bulk all={all} rows={rows} selection={selection} />}
    </>
  );
}

/** Filters and orders of the list. */
function useFilters() {
  const { pages, filters: words, lists } = useOrganizeMessages();
  const { challenges, statuses, list, teams } = pages;
  const filters: readonly Filter[] = [
    { name: "state", label: challenges.state, words: challenges.states },
    { name: "status", label: challenges.status, words: statuses },
    { name: "solved", label: words.solved, words: words.solvedBy },
    { name: "wrong", label: words.incorrect, words: words.incorrectMany },
  ];
  const orders = {
    category: challenges.category,
    name: challenges.name,
    value: challenges.value,
    solves: challenges.solves,
    tries: challenges.tries,
    wrong: words.incorrect,
    median: lists.median,
    stuck: lists.stuck,
  };
  return {
    filters,
    search: { name: "q", label: list.search },
    order: { label: teams.order, words: orders },
  };
}

const Requirements = lazy(() => import("./graph"));

function NewLink() {
  const { editor: words } = useOrganizeMessages().pages;
  const address = pageAddress("/organize/challenges/new", useScoreboardView());
  const may = useMay()("challenge.create");
  const isPhone = useIsPhone();
  useShortcut("g n", words.newTitle, may ? () => go(address) : undefined);
  if (!may) return null;
  return (
    <a className={`button button-primary ${styles.new}`} href={address} aria-label={words.newTitle}>
      {isPhone ? "+" : words.newTitle} <KeyHint of="g n" />
    </a>
  );
}

export default function ChallengesPage() {
  const { challenges: words, list } = useOrganizeMessages().pages;
  const view = useView();
  const isGraph = view("as") === "graph";
  const challenges = useChallenges();
  const all = challenges.data ?? [];
  const open = all.find(({ id }) => id === view("open"));
  const filters = useFilters();
  const rows = arranged(all, {
    q: view("q"),
    state: view("state"),
    status: view("status"),
    solved: view("solved"),
    wrong: view("wrong"),
    order: view("order"),
  });
  const tabs = (
    <Tabs
      label={words.tabs}
      tabs={[
        { name: "list", text: words.list, changes: { as: undefined } },
        { name: "graph", text: words.graph, changes: { as: "graph" } },
      ]}
      open={isGraph ? "graph" : "list"}
    />
  );
  return (
    <ListPage
      title={words.title}
      tabs={(isGraph || all.some(({ requirements }) => requirements)) && tabs}
      action={<NewLink />}
      {...(isGraph ? {} : { ...filters, hasViews: true, count: list.of(rows.length, all.length) })}
      panel={open && <ChallengePanel challenge={open} />}
    >
      <ListState of={challenges}>
        {(all) => {
          if (isGraph) {
            return (
              <Suspense fallback={<Loading label={list.loading} />}>
                <Requirements all={all} open={open?.id ?? ""} />
              </Suspense>
            );
          }
          return <List all={all} rows={rows} open={open?.id ?? ""} />;
        }}
      </ListState>
    </ListPage>
  );
}
