/** The flags that teams sent: filters that combine, near misses, and how often a text was sent. */
import { useCallback, useMemo } from "react";
import type { Query, SentFlag } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { useAsk } from "../change/acting";
import {
  ChoiceFilter,
  ListPage,
  ListState,
  type MoreProps,
  SearchFilter,
  TextFilter,
} from "../frame/list";
import { Moment } from "../frame/moment";
import { useChallengeNames, useFlags, useMay } from "../frame/reading";
import { RowsTable, useHeld, useIsDown } from "../frame/rows";
import { pageAddress, useView, useWhose, ViewLink } from "../frame/view";
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
  const ask = useAsk();
  const { challengeId: challenge, teamName: team } = flag;
  const text = wordFor(sheet.actions, "solve.withdraw");
  return (
    <button
      type="button"
      className="org-small"
      aria-label={`${text}: ${team}, ${name}`}
      onClick={() =>
        ask({
          kind: "action",
          action: "solve.withdraw",
          fixed: { challenge, team },
          object: `${name}, ${team}`,
        })
      }
    >
      {words.withdraw}
    </button>
  );
}

interface CellsProps {
  flag: SentFlag;
  name: string;
  whose: string | undefined;
  seesNetworks: boolean;
  mayWithdraw: boolean;
}

function FlagCells({ flag, name, whose, seesNetworks, mayWithdraw }: CellsProps) {
  const { flags: words } = useOrganizeMessages().pages;
  const { teamName: team, challengeId, verdict, near, countsNow } = flag;
  const { times, teams, network, text } = flag;
  return (
    <>
      <td>
        <Moment ms={flag.at} />
      </td>
      <th scope="row">
        <a data-row href={pageAddress("/organize/teams", whose, { team })}>
          <bdi>{team}</bdi>
        </a>
      </th>
      <td>
        <a href={pageAddress("/organize/challenges", whose, { open: challengeId })}>
          <bdi>{name}</bdi>
        </a>
      </td>
      <td className={verdict === "right" ? "org-good" : undefined}>
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
      </td>
      <td className="org-wide">{times && teams ? words.times(times, teams) : ""}</td>
      {seesNetworks && (
        <td className="org-wide">
          {network && <ViewLink changes={{ network }}>{network}</ViewLink>}
        </td>
      )}
      {mayWithdraw && (
        <td className="org-wide">{verdict === "right" && <Withdraw flag={flag} name={name} />}</td>
      )}
    </>
  );
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

function Head() {
  const { flags: words } = useOrganizeMessages().pages;
  const may = useMay();
  return (
    <>
      <th scope="col">{words.when}</th>
      <th scope="col">{words.team}</th>
      <th scope="col">{words.challenge}</th>
      <th scope="col">{words.verdict}</th>
      <th scope="col" className="org-wide" title={words.sentHint}>
        {words.sent}
      </th>
      {may("evidence.list") && (
        <th scope="col" className="org-wide">
          {words.network}
        </th>
      )}
      {may("solve.withdraw") && <td className="org-wide" />}
    </>
  );
}

interface TableProps {
  rows: readonly SentFlag[];
  names: Query;
  isDown: boolean;
  more: MoreProps;
}

function Table({ rows, names, isDown, more }: TableProps) {
  const { flags: words } = useOrganizeMessages().pages;
  const { shown, held } = useHeld(rows, keyOf, isDown);
  const may = useMay();
  const whose = useWhose();
  const seesNetworks = may("evidence.list");
  const mayWithdraw = may("solve.withdraw");
  const draw = useCallback(
    (flag: SentFlag) => (
      <FlagCells
        flag={flag}
        name={names[flag.challengeId] ?? flag.challengeId}
        whose={whose}
        seesNetworks={seesNetworks}
        mayWithdraw={mayWithdraw}
      />
    ),
    [names, whose, seesNetworks, mayWithdraw],
  );
  return (
    <>
      {held > 0 && (
        <button type="button" className="org-small org-held" onClick={() => window.scrollTo(0, 0)}>
          {words.newer(held)}
        </button>
      )}
      <RowsTable
        rows={shown}
        total={more.hasNextPage ? undefined : shown.length}
        keyOf={keyOf}
        head={<Head />}
        more={more}
      >
        {draw}
      </RowsTable>
    </>
  );
}

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
  return (
    <ListPage title={words.title} tabs={<Tabs />} filters={<Filters names={names} />}>
      <ListState of={{ ...flags, data: rows }}>
        {(rows) => (
          <>
            {rows.length === 0 && <p role="status">{isAll ? words.noneYet : words.empty}</p>}
            {rows.length > 0 && <Table rows={rows} names={names} isDown={isDown} more={flags} />}
          </>
        )}
      </ListState>
    </ListPage>
  );
}

export default function FlagsPage() {
  const isEvidence = useView()("tab") === "evidence";
  return useMay()("evidence.list") && isEvidence ? <EvidenceTab /> : <FlagsTab />;
}
