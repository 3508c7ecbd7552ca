/** Columns of the challenge list, and what a row offers. */
import type { ListedChallenge } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { go } from "../../../navigate";
import { AskButton } from "../change/action-buttons";
import { useActionDialog } from "../change/action-dialog";
import { LooksBadge, useViewers } from "../frame/channel";
import { durationText } from "../frame/clock";
import { useMay, useMayWith } from "../frame/queries";
import { type MenuEntry, RowMenu } from "../frame/row-menu";
import { Status } from "../frame/status";
import { Bar, type Column, ROW_LINK, RowActions, SecondLine, useIsPhone } from "../frame/table";
import { PageLink, pageAddress, useScoreboardView, ViewLink } from "../frame/view";
import { useMenuEntries } from "../lists/panel-actions";
import { actionsOf, editAddress, nextStatus, statusOrder } from "./actions";
import styles from "./challenges.module.css";
import { ChallengeState } from "./state";

/** Incorrect submissions in an hour that fill a bar at least. */
const WRONG_MIN = 10;

/** Returns the entries that open other pages about a challenge. */
export function useChallengeLinks(): (challenge: ListedChallenge) => readonly MenuEntry[] {
  const { pages } = useOrganizeMessages();
  const may = useMay();
  const whose = useScoreboardView();
  const to =
    (path: string, query = {}) =>
    () =>
      go(pageAddress(path, whose, query));
  const path = "/organize/submissions";
  return ({ id }) => [
    ...(may("challenge.create")
      ? [{ text: pages.editor.duplicate, onPress: to("/organize/challenges/new", { from: id }) }]
      : []),
    ...(may("flag.list")
      ? [
          { text: pages.challenges.flags, onPress: to(path, { challenge: id }) },
          { text: pages.submissions.nearTab, onPress: to(path, { challenge: id, near: "any" }) },
        ]
      : []),
  ];
}

/** Action that sets the next status of a challenge without choosing it. */
export function useNextStatus() {
  const { lists: words, pages } = useOrganizeMessages();
  return (challenge: ListedChallenge) => {
    const status = nextStatus(challenge);
    const object = words.statusOf(challenge.challengeName, wordFor(pages.statuses, status));
    return { text: words.markAs[status], order: statusOrder(challenge, status, object) };
  };
}

function ActionsOfRow({ challenge }: { challenge: ListedChallenge }) {
  const { editor: words, list, sheet } = useOrganizeMessages().pages;
  const { ask } = useActionDialog();
  const { id, challengeName: name } = challenge;
  const may = useMay();
  const mayWith = useMayWith(id);
  const entriesOf = useMenuEntries();
  const linksOf = useChallengeLinks();
  const next = useNextStatus()(challenge);
  const whose = useScoreboardView();
  const mayEdit = mayWith("challenge.edit") && may("challenge.read");
  const actions = actionsOf(challenge).filter(({ action }) => mayWith(action));
  const shows = actions.find(
    ({ action }) => action === "challenge.release" || action === "challenge.hide",
  );
  const showsText = shows && wordFor(sheet.actions, shows.action);
  const edit = () => go(pageAddress(editAddress(id), whose));
  const items = [
    ...(mayEdit ? [{ text: words.edit, shortcut: "e", onPress: edit }] : []),
    ...(mayWith("challenge.status")
      ? [{ text: next.text, shortcut: "k", onPress: () => ask(next.order) }]
      : []),
    ...entriesOf(actions),
    ...linksOf(challenge),
  ];
  return (
    <RowActions
      quick={
        <>
          {mayWith("challenge.status") && (
            <AskButton order={next.order} text={next.text} label={`${next.text}: ${name}`} />
          )}
          {shows && showsText && (
            <AskButton order={shows} text={showsText} label={`${showsText}: ${name}`} />
          )}
          {mayEdit && (
            <PageLink to={editAddress(id)} aria-label={`${words.edit}: ${name}`}>
              {words.edit}
            </PageLink>
          )}
        </>
      }
      menu={<RowMenu label={list.actions(name)} items={items} />}
    />
  );
}

const zero = (value: number | null | undefined) => (value ? undefined : styles.zero);

function Figure({ value }: { value: number | null | undefined }) {
  const { list } = useOrganizeMessages().pages;
  return <span className={zero(value)}>{value ?? list.none}</span>;
}

function Problems({ challenge: { problems = [] } }: { challenge: ListedChallenge }) {
  const { challenges: words } = useOrganizeMessages().pages;
  const count = problems?.length ?? 0;
  if (count === 0) return null;
  const isError = problems?.some(({ severity }) => severity === "error");
  return <Status mark={isError ? "bad" : "warn"}>{words.problemsOf(count)}</Status>;
}

const NUMBER = "org-number";
const WIDE = "org-number org-wide";
const SPARE = "org-number org-wide org-spare";

/** Columns of numbers, with bars that compare the rows. */
function useFigures(all: readonly ListedChallenge[]): readonly Column<ListedChallenge>[] {
  const { pages, lists: words } = useOrganizeMessages();
  const { challenges } = pages;
  const solvesMax = Math.max(1, ...all.map(({ solves }) => solves));
  const wrongMax = Math.max(WRONG_MIN, ...all.map((one) => one.wrongLastHour ?? 0));
  const { none } = pages.list;
  return [
    { word: challenges.value, order: "value", className: WIDE, cell: (one) => one.value },
    {
      word: challenges.solves,
      order: "solves",
      className: NUMBER,
      cell: ({ solves }) => <Bar value={solves} max={solvesMax} />,
    },
    {
      word: challenges.tries,
      order: "tries",
      className: SPARE,
      cell: ({ tries }) => <Figure value={tries} />,
    },
    {
      word: words.incorrect,
      title: words.incorrectHint,
      order: "wrong",
      className: SPARE,
      cell: ({ wrongLastHour: wrong }) => <Bar isBad value={wrong ?? 0} max={wrongMax} />,
    },
    {
      word: words.median,
      title: words.medianHint,
      order: "median",
      className: SPARE,
      cell: ({ medianMs }) => (
        <span className={zero(medianMs)}>{medianMs ? durationText(medianMs) : none}</span>
      ),
    },
    {
      word: words.stuck,
      title: words.stuckHint,
      order: "stuck",
      className: WIDE,
      cell: ({ stuck }) => <Figure value={stuck} />,
    },
  ];
}

/** Table columns, on phones with two lines a row. */
export function useColumns(
  all: readonly ListedChallenge[],
  open: string,
  check: Column<ListedChallenge> | undefined,
): readonly Column<ListedChallenge>[] {
  const { challenges: words } = useOrganizeMessages().pages;
  const whoLooks = useViewers();
  const isPhone = useIsPhone();
  const figures = useFigures(all);
  const name: Column<ListedChallenge> = {
    word: words.name,
    order: "name",
    isAscending: true,
    isName: true,
    cell: (one) => (
      <>
        <ViewLink
          data-row
          data-id={one.id}
          className={ROW_LINK}
          changes={{ open: one.id }}
          aria-current={one.id === open}
        >
          <bdi>{one.challengeName}</bdi>
        </ViewLink>{" "}
        <LooksBadge names={whoLooks(`challenge ${one.id}`)} />
        {isPhone && (
          <SecondLine>
            <ChallengeState challenge={one} /> <span>{one.categories.join(", ")}</span>
          </SecondLine>
        )}
      </>
    ),
  };
  const actions: Column<ListedChallenge> = {
    className: "org-row-actions",
    cell: (one) => <ActionsOfRow challenge={one} />,
  };
  const first = check ? [check, name] : [name];
  if (isPhone) {
    const solves = figures.filter(({ order }) => order === "solves");
    return [...first, ...solves, actions];
  }
  return [
    ...first,
    {
      word: words.category,
      className: "org-wide org-spare",
      cell: ({ categories }) => categories.join(", "),
    },
    { word: words.status, cell: (one) => <ChallengeState challenge={one} /> },
    ...figures,
    {
      word: words.problems,
      className: "org-wide org-spare",
      cell: (one) => <Problems challenge={one} />,
    },
    actions,
  ];
}
