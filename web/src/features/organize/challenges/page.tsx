/** The challenges: which are open, healthy, too hard, too easy; several released together. */
import { lazy, Suspense } from "react";
import type { ListedChallenge } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { go } from "../../../navigate";
import { Loading } from "../../../ui/loading/loading";
import { useAsk } from "../change/acting";
import type { Action } from "../change/action-buttons";
import { LooksBadge, useWhoLooks } from "../frame/channel";
import { durationText } from "../frame/clock";
import { KeyHint, useShortcut } from "../frame/keys";
import { ChoiceFilter, Columns, ListPage, ListState, SearchFilter } from "../frame/list";
import { useChallenges, useMay, useMayWith } from "../frame/reading";
import { changeView, pageAddress, useView, useWhose, ViewLink } from "../frame/view";
import { actionsOf, arranged, editAddress } from "./actions";
import { ChallengePanel } from "./panel";

const isWaiting = ({ state }: ListedChallenge) => state === "hidden" || state === "timed";

interface RowProps {
  challenge: ListedChallenge;
  isOpen: boolean;
  /** Missing if nothing can be chosen. */
  chosen: readonly string[] | undefined;
  /** Who else looks at it. */
  looks: readonly string[];
}

/** The ids that are chosen are in the address: a prepared wave is a link. */
function toggle(chosen: readonly string[], id: string): void {
  const next = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id];
  changeView({ chosen: next.join(",") }, { replace: true });
}

/** What a row offers without its panel: the editor, and its next state. */
function RowActions({ challenge }: { challenge: ListedChallenge }) {
  const { editor: words, sheet } = useOrganizeMessages().pages;
  const ask = useAsk();
  const may = useMay();
  const whose = useWhose();
  const { id, challengeName } = challenge;
  const mayEdit = useMayWith(id)("challenge.edit") && may("challenge.read");
  const isNext = ({ action }: Action) =>
    action === "challenge.release" || action === "challenge.hide";
  const next = actionsOf(challenge).find((one) => isNext(one) && may(one.action));
  const text = next && wordFor(sheet.actions, next.action);
  return (
    <>
      {mayEdit && (
        <a
          href={pageAddress(editAddress(id), whose)}
          aria-label={`${words.edit}: ${challengeName}`}
        >
          {words.edit}
        </a>
      )}
      {next && (
        <button
          type="button"
          className="org-small"
          aria-label={`${text}: ${challengeName}`}
          onClick={() => ask(next)}
        >
          {text}
        </button>
      )}
    </>
  );
}

function ChallengeRow({ challenge, isOpen, chosen, looks }: RowProps) {
  const { challenges: words, statuses, list } = useOrganizeMessages().pages;
  const { id, status, problems, medianMs } = challenge;
  const errors = problems?.length ?? 0;
  return (
    <tr className={isOpen ? "org-row-open" : undefined}>
      {chosen && (
        <td className="org-check">
          {isWaiting(challenge) && (
            <input
              type="checkbox"
              aria-label={words.choose(challenge.challengeName)}
              checked={chosen.includes(id)}
              onChange={() => toggle(chosen, id)}
            />
          )}
        </td>
      )}
      <th scope="row">
        <ViewLink data-row data-id={id} changes={{ open: id }} aria-current={isOpen}>
          <bdi>{challenge.challengeName}</bdi>
        </ViewLink>{" "}
        <LooksBadge names={looks} />
      </th>
      <td className="org-wide">{challenge.categories.join(", ")}</td>
      <td>{wordFor(words.states, challenge.state)}</td>
      <td className={status === "broken" ? "org-bad" : "org-wide"}>{wordFor(statuses, status)}</td>
      <td className="org-number org-wide">{challenge.value}</td>
      <td className="org-number">{challenge.solves}</td>
      <td className="org-number org-wide">{challenge.tries ?? list.none}</td>
      <td className="org-number org-wide">{challenge.wrongLastHour ?? list.none}</td>
      <td className="org-number org-wide">{medianMs ? durationText(medianMs) : list.none}</td>
      <td className="org-number org-wide">{challenge.stuck ?? list.none}</td>
      <td className="org-wide">{errors > 0 && words.problemsOf(errors)}</td>
      <td className="org-wide org-row-actions">
        <RowActions challenge={challenge} />
      </td>
    </tr>
  );
}

function Table(props: {
  rows: readonly ListedChallenge[];
  open: string;
  chosen: readonly string[] | undefined;
}) {
  const { challenges: words } = useOrganizeMessages().pages;
  const { rows, open, chosen } = props;
  const whoLooks = useWhoLooks();
  const figures = "org-number org-wide";
  return (
    <table className="org-table">
      <thead>
        <tr>
          {chosen && <td />}
          <Columns
            of={[
              [words.name],
              [words.category, "org-wide"],
              [words.state],
              [words.status, "org-wide"],
              [words.value, figures],
              [words.solves, "org-number"],
              [words.tries, figures],
              [words.wrong, figures],
              [words.median, figures],
              [words.stuck, figures],
              [words.problems, "org-wide"],
            ]}
          />
          <td className="org-wide" />
        </tr>
      </thead>
      <tbody>
        {rows.map((challenge) => (
          <ChallengeRow
            key={challenge.id}
            challenge={challenge}
            isOpen={challenge.id === open}
            chosen={chosen}
            looks={whoLooks(`challenge ${challenge.id}`)}
          />
        ))}
      </tbody>
    </table>
  );
}

/** What is chosen, and the button that releases it together. */
function Wave({ chosen }: { chosen: readonly string[] }) {
  const { challenges: words, keys, sheet } = useOrganizeMessages().pages;
  const ask = useAsk();
  const object = sheet.challenges(chosen.length);
  const release = () =>
    ask({
      kind: "action",
      action: "challenge.release",
      fixed: { challenges: [...chosen] },
      object,
    });
  useShortcut("w", words.wave(chosen.length), chosen.length > 0 ? release : undefined);
  useShortcut("x", keys.choose, () => {
    const row = document.activeElement;
    if (!(row instanceof HTMLElement) || !row.dataset.id) return;
    row.closest("tr")?.querySelector<HTMLInputElement>("input[type=checkbox]")?.click();
  });
  if (chosen.length === 0) return null;
  return (
    <div className="org-wave">
      <span>{words.chosen(chosen.length)}</span>
      <button type="button" className="org-small" onClick={release}>
        {words.wave(chosen.length)} <KeyHint of="w" />
      </button>
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

/** The list, or the graph of requirements, for who sees some. */
function Tabs({ isGraph }: { isGraph: boolean }) {
  const { challenges: words } = useOrganizeMessages().pages;
  return (
    <nav aria-label={words.tabs} className="org-links org-tabs">
      <ViewLink changes={{ as: undefined }} aria-current={isGraph ? undefined : "page"}>
        {words.list}
      </ViewLink>
      <ViewLink changes={{ as: "graph" }} aria-current={isGraph ? "page" : undefined}>
        {words.graph}
      </ViewLink>
    </nav>
  );
}

/** The way to a new challenge, for who may make one. */
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
  const filter = {
    q: view("q"),
    state: view("state"),
    status: view("status"),
    order: view("order"),
  };
  return (
    <ListPage
      title={words.title}
      tabs={all.some(({ requirements }) => requirements) && <Tabs isGraph={isGraph} />}
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
          return <Table rows={rows} open={open?.id ?? ""} chosen={chosen} />;
        }}
      </ListState>
    </ListPage>
  );
}
