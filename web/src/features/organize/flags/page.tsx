/** The flags that teams sent: filters that combine, near misses, and how often a text was sent. */
import { useMemo } from "react";
import type { Query, SentFlag } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { AskButton } from "../change/action-buttons";
import { ChoiceFilter, ListPage, ListState, SearchFilter, TextFilter } from "../frame/list";
import { Moment } from "../frame/moment";
import { useChallengeNames, useFlags, useMay } from "../frame/reading";
import { RowsTable, useHeld, useIsDown } from "../frame/rows";
import type { Column } from "../frame/table";
import { ChallengeLink, TeamLink, useView, ViewLink } from "../frame/view";
import { EvidenceTab } from "./evidence";
import { keyOf } from "./names";
import { Tabs } from "./tabs";

/** A time of the address, in the time zone of the device, as the server takes it. */
function instant(local: string): string | undefined {
  const ms = Date.parse(local);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

function Withdraw({ flag, name }: { flag: SentFlag; name: string }) {
  const { flags: words, sheet } = useOrganizeMessages().pages;
  const { challengeId: challenge, teamName: team } = flag;
  const text = wordFor(sheet.actions, "solve.withdraw");
  const fixed = { challenge, team };
  const order = { action: "solve.withdraw", fixed, object: `${name}, ${team}` } as const;
  return <AskButton order={order} text={words.withdraw} label={`${text}: ${team}, ${name}`} />;
}

function Verdict({ verdict, near, text, countsNow }: SentFlag) {
  const { flags: words } = useOrganizeMessages().pages;
  return (
    <>
      {wordFor(words.verdicts, verdict)}
      {near && <span className="org-near">, {wordFor(words.nears, near)}</span>}
      {text && (
        <>
          {": "}
          <bdi>
            <code>{text}</code>
          </bdi>
        </>
      )}
      {countsNow && <span className="org-good">, {words.countsNow}</span>}
    </>
  );
}

/** The columns; those who run the contest see networks. */
function useColumns(names: Query): readonly Column<SentFlag>[] {
  const { flags: words } = useOrganizeMessages().pages;
  const may = useMay();
  const seesNetworks = may("evidence.list");
  const mayWithdraw = may("solve.withdraw");
  return useMemo(() => {
    const nameOf = (id: string) => names[id] ?? id;
    const className = "org-wide";
    const network: Column<SentFlag> = {
      word: words.network,
      className,
      cell: ({ network }) => network && <ViewLink changes={{ network }}>{network}</ViewLink>,
    };
    const withdraw: Column<SentFlag> = {
      className,
      cell: (flag) =>
        flag.verdict === "right" && <Withdraw flag={flag} name={nameOf(flag.challengeId)} />,
    };
    return [
      { word: words.when, cell: ({ at }) => <Moment ms={at} /> },
      {
        word: words.team,
        isName: true,
        cell: ({ teamName }) => <TeamLink data-row team={teamName} />,
      },
      {
        word: words.challenge,
        cell: ({ challengeId: id }) => <ChallengeLink id={id} name={nameOf(id)} />,
      },
      {
        word: words.verdict,
        classOf: ({ verdict }) => (verdict === "right" ? "org-good" : undefined),
        cell: (flag) => <Verdict {...flag} />,
      },
      {
        word: words.sent,
        className,
        title: words.sentHint,
        cell: ({ times, teams }) => (times && teams ? words.times(times, teams) : ""),
      },
      ...(seesNetworks ? [network] : []),
      ...(mayWithdraw ? [withdraw] : []),
    ];
  }, [words, names, seesNetworks, mayWithdraw]);
}

function Filters({ names }: { names: Readonly<Record<string, string>> }) {
  const { flags: words } = useOrganizeMessages().pages;
  // Those who run the contest see both.
  const seesNetworks = useMay()("evidence.list");
  return (
    <>
      <SearchFilter name="team" label={words.exactTeam} />
      <ChoiceFilter name="challenge" label={words.challenge} words={names} />
      <ChoiceFilter name="verdict" label={words.verdict} words={words.verdicts} />
      <ChoiceFilter name="near" label={words.near} words={words.nears} />
      {seesNetworks && <TextFilter name="network" label={words.network} />}
      <TextFilter name="from" label={words.from} type="datetime-local" />
      <TextFilter name="until" label={words.until} type="datetime-local" />
    </>
  );
}

const NONE: readonly SentFlag[] = [];

function FlagsTab() {
  const { flags: words } = useOrganizeMessages().pages;
  const view = useView();
  const names = useChallengeNames();
  const isDown = useIsDown();
  const filter = {
    team: view("team"),
    challenge: view("challenge"),
    verdict: view("verdict"),
    near: view("near"),
    network: view("network"),
    from: instant(view("from")),
    until: instant(view("until")),
  };
  const flags = useFlags(filter, isDown);
  const pages = flags.data?.pages;
  const isAll = flags.isCurrent && !Object.values(filter).some(Boolean);
  const rows = useMemo(() => pages?.flatMap((page) => page.flags), [pages]);
  const { shown, held } = useHeld(rows ?? NONE, keyOf, isDown);
  const columns = useColumns(names);
  return (
    <ListPage title={words.title} tabs={<Tabs />} filters={<Filters names={names} />}>
      <ListState of={{ ...flags, data: rows }}>
        {(rows) =>
          rows.length === 0 ? (
            <p role="status">{isAll ? words.noneYet : words.empty}</p>
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
