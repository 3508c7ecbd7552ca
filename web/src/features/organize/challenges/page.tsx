/** The challenges: which are open, healthy, too hard, too easy; several released together. */
import { lazy, Suspense } from "react";
import type { ListedChallenge } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { go } from "../../../navigate";
import { Loading } from "../../../ui/loading/loading";
import { useAsk } from "../change/acting";
import { type Action, AskButton, KeyButton } from "../change/action-buttons";
import { LooksBadge, useWhoLooks } from "../frame/channel";
import { durationText } from "../frame/clock";
import { KeyHint, useShortcut } from "../frame/keys";
import { ChoiceFilter, ListPage, ListState, SearchFilter, Tabs } from "../frame/list";
import { useChallenges, useMay, useMayWith } from "../frame/reading";
import { type Column, Table } from "../frame/table";
import { changeView, PageLink, pageAddress, useView, useWhose, ViewLink } from "../frame/view";
import { actionsOf, arranged, editAddress } from "./actions";
import { ChallengePanel } from "./panel";

const isWaiting = ({ state }: ListedChallenge) => state === "hidden" || state === "timed";

/** The ids that are chosen are in the address: a prepared wave is a link. */
function toggle(chosen: readonly string[], id: string): void {
  const next = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id];
  changeView({ chosen: next.join(",") }, { replace: true });
}

/** What a row offers without its panel: the editor, and its next state. */
function RowActions({ challenge }: { challenge: ListedChallenge }) {
  const { editor: words, sheet } = useOrganizeMessages().pages;
  const may = useMay();
  const { id, challengeName } = challenge;
  const mayEdit = useMayWith(id)("challenge.edit") && may("challenge.read");
  const isNext = ({ action }: Action) =>
    action === "challenge.release" || action === "challenge.hide";
  const next = actionsOf(challenge).find((one) => isNext(one) && may(one.action));
  const text = next && wordFor(sheet.actions, next.action);
  return (
    <>
      {mayEdit && (
        <PageLink to={editAddress(id)} aria-label={`${words.edit}: ${challengeName}`}>
          {words.edit}
        </PageLink>
      )}
      {next && text && <AskButton order={next} text={text} label={`${text}: ${challengeName}`} />}
    </>
  );
}

/** The columns; `chosen` is missing if nothing can be chosen. */
function useColumns(open: string, chosen?: readonly string[]): Column<ListedChallenge>[] {
  const { challenges: words, statuses, list } = useOrganizeMessages().pages;
  const whoLooks = useWhoLooks();
  const figures = "org-number org-wide";
  const choosing = (all: readonly string[]): Column<ListedChallenge> => ({
    classOf: () => "org-check",
    cell: (one) =>
      isWaiting(one) && (
        <input
          type="checkbox"
          aria-label={words.choose(one.challengeName)}
          checked={all.includes(one.id)}
          onChange={() => toggle(all, one.id)}
        />
      ),
  });
  return [
    ...(chosen ? [choosing(chosen)] : []),
    {
      word: words.name,
      isName: true,
      cell: ({ id, challengeName }) => (
        <>
          <ViewLink data-row data-id={id} changes={{ open: id }} aria-current={id === open}>
            <bdi>{challengeName}</bdi>
          </ViewLink>{" "}
          <LooksBadge names={whoLooks(`challenge ${id}`)} />
        </>
      ),
    },
    { word: words.category, className: "org-wide", cell: (one) => one.categories.join(", ") },
    { word: words.state, cell: ({ state }) => wordFor(words.states, state) },
    {
      word: words.status,
      className: "org-wide",
      classOf: ({ status }) => (status === "broken" ? "org-bad" : "org-wide"),
      cell: ({ status }) => wordFor(statuses, status),
    },
    { word: words.value, className: figures, cell: ({ value }) => value },
    { word: words.solves, className: "org-number", cell: ({ solves }) => solves },
    { word: words.tries, className: figures, cell: ({ tries }) => tries ?? list.none },
    { word: words.wrong, className: figures, cell: (one) => one.wrongLastHour ?? list.none },
    {
      word: words.median,
      className: figures,
      cell: ({ medianMs }) => (medianMs ? durationText(medianMs) : list.none),
    },
    { word: words.stuck, className: figures, cell: ({ stuck }) => stuck ?? list.none },
    {
      word: words.problems,
      className: "org-wide",
      cell: ({ problems }) => (problems?.length ? words.problemsOf(problems.length) : null),
    },
    {
      className: "org-wide",
      classOf: () => "org-wide org-row-actions",
      cell: (one) => <RowActions challenge={one} />,
    },
  ];
}

function Wave({ chosen }: { chosen: readonly string[] }) {
  const { challenges: words, keys, sheet } = useOrganizeMessages().pages;
  const ask = useAsk();
  function release() {
    const fixed = { challenges: [...chosen] };
    ask({ action: "challenge.release", fixed, object: sheet.challenges(chosen.length) });
  }
  useShortcut("x", keys.choose, () => {
    const row = document.activeElement;
    if (!(row instanceof HTMLElement) || !row.dataset.id) return;
    row.closest("tr")?.querySelector<HTMLInputElement>("input[type=checkbox]")?.click();
  });
  if (chosen.length === 0) return null;
  return (
    <div className="org-wave">
      <span>{words.chosen(chosen.length)}</span>
      <KeyButton text={words.wave(chosen.length)} shortcut="w" onPress={release} />
      <button
        type="button"
        className="org-small"
        onClick={() => changeView({ chosen: undefined }, { replace: true })}
      >
        {words.clear}
      </button>
    </div>
  );
}

function Filters() {
  const { challenges: words, statuses, list, teams } = useOrganizeMessages().pages;
  const orders = {
    category: words.category,
    solves: words.solves,
    wrong: words.wrong,
    stuck: words.stuck,
  };
  return (
    <>
      <SearchFilter name="q" label={list.search} />
      <ChoiceFilter name="state" label={words.state} words={words.states} />
      <ChoiceFilter name="status" label={words.status} words={statuses} />
      <ChoiceFilter isOrder name="order" label={teams.order} words={orders} />
    </>
  );
}

const Requirements = lazy(() => import("./graph"));

function NewLink() {
  const { editor: words } = useOrganizeMessages().pages;
  const address = pageAddress("/organize/challenges/new", useWhose());
  const may = useMay()("challenge.create");
  useShortcut("c", words.newTitle, may ? () => go(address) : undefined);
  if (!may) return null;
  return (
    <a className="button org-small" href={address} aria-keyshortcuts="c">
      {words.newTitle} <KeyHint of="c" />
    </a>
  );
}

export default function ChallengesPage() {
  const { challenges: words, list } = useOrganizeMessages().pages;
  const view = useView();
  const isGraph = view("as") === "graph";
  const mayRelease = useMay()("challenge.release");
  const challenges = useChallenges();
  const all = challenges.data ?? [];
  const open = all.find(({ id }) => id === view("open"));
  const waiting = new Set(all.filter(isWaiting).map(({ id }) => id));
  const asked = view("chosen").split(",");
  const chosen = mayRelease ? asked.filter((id) => waiting.has(id)) : undefined;
  const columns = useColumns(open?.id ?? "", chosen);
  const filter = {
    q: view("q"),
    state: view("state"),
    status: view("status"),
    order: view("order"),
  };
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
      tabs={all.some(({ requirements }) => requirements) && tabs}
      filters={
        <>
          <Filters />
          <NewLink />
        </>
      }
      panel={open && <ChallengePanel challenge={open} />}
    >
      {chosen && <Wave chosen={chosen} />}
      <ListState of={challenges}>
        {(all) => {
          if (isGraph) {
            return (
              <Suspense fallback={<Loading label={list.loading} />}>
                <Requirements all={all} open={open?.id ?? ""} />
              </Suspense>
            );
          }
          const rows = arranged(all, filter);
          if (rows.length === 0) {
            return <p role="status">{all.length === 0 ? words.noneYet : words.empty}</p>;
          }
          return (
            <Table
              columns={columns}
              rows={rows}
              keyOf={({ id }) => id}
              row={(one) => ({ className: one === open ? "org-row-open" : undefined })}
            />
          );
        }}
      </ListState>
    </ListPage>
  );
}
