/** The Submissions page: combinable filters, near misses, and counts of equal flags. */
import { useMemo } from "react";
import type { Query, SentFlag } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { AskButton } from "../change/action-buttons";
import { useOpenAction } from "../change/action-dialog";
import { Ago } from "../filters/ago";
import type { Filter } from "../filters/filters";
import { Empty } from "../frame/empty";
import { ListPage, ListState } from "../frame/list";
import { useChallengeNames, useFlags, useMay } from "../frame/queries";
import { RowMenu } from "../frame/row-menu";
import { RowsTable, useDeferredRows, useIsDown } from "../frame/rows";
import { Status } from "../frame/status";
import { type Column, RowActions, SecondLine, useIsPhone } from "../frame/table";
import { ChallengeLink, TeamLink, useView, ViewLink } from "../frame/view";
import { EvidenceTab } from "./evidence";
import { keyOf } from "./names";
import styles from "./submissions.module.css";
import { Tabs } from "./tabs";

/** Converts a local time in the URL to the server's format. */
function instant(local: string): string | undefined {
  const ms = Date.parse(local);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** Withdraws a solve: a quiet button, and the same in the row's menu for touch and keys. */
function Withdraw({ flag, name }: { flag: SentFlag; name: string }) {
  const { list, sheet } = useOrganizeMessages().pages;
  const ask = useOpenAction();
  const { challengeId: challenge, teamName: team } = flag;
  const object = `${name}, ${team}`;
  const order = { action: "solve.withdraw", fixed: { challenge, team }, object } as const;
  const text = wordFor(sheet.actions, order.action);
  return (
    <RowActions
      quick={<AskButton order={order} text={text} label={`${text}: ${team}, ${name}`} />}
      menu={
        <RowMenu
          label={list.actions(object)}
          items={[{ text, isDanger: true, onPress: () => ask(order) }]}
        />
      }
    />
  );
}

/** The result of a submission, marked if it was sent after the end. */
function Verdict(flag: SentFlag) {
  const { submissions: words } = useOrganizeMessages().pages;
  return (
    <>
      <Result {...flag} />
      {flag.afterEnd && (
        <>
          <span className="visually-hidden">, </span>
          <Status mark="quiet">{words.afterEnd}</Status>
        </>
      )}
    </>
  );
}

function Result({ verdict, near, countsNow }: SentFlag) {
  const { submissions: words } = useOrganizeMessages().pages;
  if (verdict !== "wrong") return <Status mark="good">{wordFor(words.verdicts, verdict)}</Status>;
  const incorrect = wordFor(words.verdicts, verdict);
  if (!near) return <Status mark="quiet">{incorrect}</Status>;
  return (
    <>
      <Status mark="warn">
        {incorrect}, {wordFor(words.nears, near)}
      </Status>
      {countsNow && (
        <>
          <span className="visually-hidden">, </span>
          <Status mark="good">{words.countsNow}</Status>
        </>
      )}
    </>
  );
}

/** Text of an incorrect submission, if it is stored. */
function Text({ text }: { text: string | null | undefined }) {
  if (!text) return null;
  return (
    <bdi className={styles.text} title={text}>
      <code>{text}</code>
    </bdi>
  );
}

type Words = ReturnType<typeof useOrganizeMessages>["pages"]["submissions"];

/** Columns of a phone: each row has two lines. */
function phoneColumns(words: Words, nameOf: (id: string) => string): readonly Column<SentFlag>[] {
  return [
    {
      word: words.team,
      isName: true,
      cell: ({ teamName, challengeId: id }) => (
        <>
          <TeamLink data-row team={teamName} />
          <SecondLine>{nameOf(id)}</SecondLine>
        </>
      ),
    },
    {
      word: words.verdict,
      className: styles.result ?? "",
      cell: (flag) => (
        <>
          <Verdict {...flag} />
          <SecondLine>{flag.text ? <Text text={flag.text} /> : <Ago ms={flag.at} />}</SecondLine>
        </>
      ),
    },
  ];
}

/** Table columns; networks require a permission. */
function useColumns(names: Query, hasTexts: boolean): readonly Column<SentFlag>[] {
  const { submissions: words } = useOrganizeMessages().pages;
  const isPhone = useIsPhone();
  const may = useMay();
  const seesNetworks = may("evidence.list");
  const mayWithdraw = may("solve.withdraw");
  return useMemo(() => {
    const nameOf = (id: string) => names[id] ?? id;
    const className = "org-wide";
    const network: Column<SentFlag> = {
      word: words.network,
      className,
      cell: ({ network }) =>
        network && (
          <ViewLink className={styles.network} changes={{ network }}>
            {network}
          </ViewLink>
        ),
    };
    const actions: Column<SentFlag> = {
      className: "org-row-actions",
      cell: (flag) =>
        flag.verdict === "right" &&
        !flag.afterEnd && <Withdraw flag={flag} name={nameOf(flag.challengeId)} />,
    };
    const text: Column<SentFlag> = {
      word: words.text,
      className,
      cell: (flag) => <Text text={flag.text} />,
    };
    if (isPhone) return [...phoneColumns(words, nameOf), ...(mayWithdraw ? [actions] : [])];
    return [
      { word: words.when, className: styles.time ?? "", cell: ({ at }) => <Ago ms={at} /> },
      {
        word: words.team,
        isName: true,
        cell: ({ teamName }) => <TeamLink data-row team={teamName} />,
      },
      {
        word: words.challenge,
        className: styles.challenge ?? "",
        cell: ({ challengeId: id }) => <ChallengeLink id={id} name={nameOf(id)} />,
      },
      { word: words.verdict, cell: (flag) => <Verdict {...flag} /> },
      ...(hasTexts ? [text] : []),
      {
        word: words.sent,
        className,
        title: words.sentHint,
        cell: ({ times, teams }) =>
          times && teams && times > 1 ? (
            <span className={styles.same}>{words.times(times, teams)}</span>
          ) : (
            ""
          ),
      },
      ...(seesNetworks ? [network] : []),
      ...(mayWithdraw ? [actions] : []),
    ];
  }, [words, names, hasTexts, isPhone, seesNetworks, mayWithdraw]);
}

function useFilters(names: Readonly<Record<string, string>>): readonly Filter[] {
  const { pages, filters } = useOrganizeMessages();
  const { submissions: words } = pages;
  // Networks require the same permission as evidence.
  const seesNetworks = useMay()("evidence.list");
  const network: Filter = { name: "network", label: words.network, kind: "text" };
  const team: Filter = { name: "team", label: words.team, kind: "text" };
  return [
    { name: "challenge", label: words.challenge, words: names },
    {
      name: "verdict",
      label: words.verdict,
      words: { ...words.verdicts, first: filters.firstBlood },
    },
    { name: "near", label: words.near, words: words.nears },
    { name: "since", label: filters.period, kind: "period" },
    team,
    ...(seesNetworks ? [network] : []),
  ];
}

const NONE: readonly SentFlag[] = [];

/** The filter of the address, as the server takes it. */
function useFilter() {
  const view = useView();
  return {
    q: view("q"),
    team: view("team"),
    challenge: view("challenge"),
    verdict: view("verdict"),
    near: view("near"),
    network: view("network"),
    since: view("since"),
    from: instant(view("from")),
    until: instant(view("until")),
  };
}

function FlagsTab() {
  const { pages, filters: filterWords } = useOrganizeMessages();
  const { submissions: words } = pages;
  const names = useChallengeNames();
  const isDown = useIsDown();
  const filter = useFilter();
  const filters = useFilters(names);
  const flags = useFlags(filter, isDown);
  const all = flags.data?.pages;
  const isAll = flags.isCurrent && !Object.values(filter).some(Boolean);
  const rows = useMemo(() => all?.flatMap((page) => page.flags), [all]);
  const { shown, held } = useDeferredRows(rows ?? NONE, keyOf, isDown);
  const columns = useColumns(names, rows?.some(({ text }) => text) ?? false);
  const seesNetworks = useMay()("evidence.list");
  const count = flags.hasNextPage ? filterWords.moreThan : filterWords.results;
  return (
    <ListPage
      title={words.title}
      tabs={<Tabs />}
      hasViews
      search={{
        name: "q",
        label: seesNetworks ? filterWords.teamOrNetwork : filterWords.teamName,
      }}
      filters={filters}
      count={rows && rows.length > 0 ? count(rows.length) : ""}
    >
      <ListState of={{ ...flags, data: rows }}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={isAll ? words.noneYet : words.empty} note={isAll && words.noneYetNote} />
          ) : (
            <>
              {held > 0 && (
                <button
                  type="button"
                  className="org-small org-held"
                  onClick={() => window.scrollTo(0, 0)}
                >
                  {words.newer(held)}
                </button>
              )}
              <RowsTable
                rows={shown}
                total={flags.hasNextPage ? undefined : shown.length}
                keyOf={keyOf}
                columns={columns}
                more={flags}
              />
            </>
          )
        }
      </ListState>
    </ListPage>
  );
}

export default function FlagsPage() {
  const isEvidence = useView()("tab") === "evidence";
  return useMay()("evidence.list") && isEvidence ? <EvidenceTab /> : <FlagsTab />;
}
