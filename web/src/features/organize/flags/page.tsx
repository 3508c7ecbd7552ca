/** The flags that teams sent: filters that combine, near misses, and how often a text was sent. */
import type { Query, SentFlag } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { useAsk } from "../change/acting";
import { ChoiceFilter, ListPage, ListState, More, SearchFilter, TimeFilter } from "../frame/list";
import { Moment } from "../frame/moment";
import { useChallenges, useFlags, useMay } from "../frame/reading";
import { pageAddress, useView, useWhose } from "../frame/view";

/** A time of the address, in the time zone of the device, as the server takes it. */
function instant(local: string): string | undefined {
  const ms = Date.parse(local);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

function Withdraw({ flag, name }: { flag: SentFlag; name: string }) {
  const { flags: words, sheet } = useOrganizeMessages().pages;
  const ask = useAsk();
  const { challengeId: challenge, teamName: team } = flag;
  const text = wordFor(sheet.acts, "solve.withdraw");
  return (
    <button
      type="button"
      className="org-small"
      aria-label={`${text}: ${team}, ${name}`}
      onClick={() =>
        ask({
          kind: "act",
          act: "solve.withdraw",
          fixed: { challenge, team },
          object: `${name}, ${team}`,
        })
      }
    >
      {words.withdraw}
    </button>
  );
}

function FlagRow({ flag, name }: { flag: SentFlag; name: string }) {
  const { flags: words } = useOrganizeMessages().pages;
  const whose = useWhose();
  const may = useMay();
  const { teamName: team, challengeId, verdict, near, times, teams } = flag;
  return (
    <tr>
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
      </td>
      <td className="org-wide">{times && teams ? words.times(times, teams) : ""}</td>
      {may("solve.withdraw") && (
        <td className="org-wide">{verdict === "right" && <Withdraw flag={flag} name={name} />}</td>
      )}
    </tr>
  );
}

function Filters({ names }: { names: Readonly<Record<string, string>> }) {
  const { flags: words } = useOrganizeMessages().pages;
  return (
    <>
      <SearchFilter name="team" label={words.exactTeam} />
      <ChoiceFilter name="challenge" label={words.challenge} words={names} />
      <ChoiceFilter name="verdict" label={words.verdict} words={words.verdicts} />
      <ChoiceFilter name="near" label={words.near} words={words.nears} />
      <TimeFilter name="from" label={words.from} />
      <TimeFilter name="until" label={words.until} />
    </>
  );
}

/** Two flags of a team may have the same time: the place in the list tells them apart. */
function keyOf({ at, teamName, challengeId, verdict }: SentFlag, place: number): string {
  return `${at} ${teamName} ${challengeId} ${verdict} ${place}`;
}

function Table({ rows, names }: { rows: readonly SentFlag[]; names: Query }) {
  const { flags: words } = useOrganizeMessages().pages;
  const may = useMay();
  return (
    <table className="org-table">
      <thead>
        <tr>
          <th scope="col">{words.when}</th>
          <th scope="col">{words.team}</th>
          <th scope="col">{words.challenge}</th>
          <th scope="col">{words.verdict}</th>
          <th scope="col" className="org-wide" title={words.sentHint}>
            {words.sent}
          </th>
          {may("solve.withdraw") && <td className="org-wide" />}
        </tr>
      </thead>
      <tbody>
        {rows.map((flag, place) => (
          <FlagRow
            key={keyOf(flag, rows.length - place)}
            flag={flag}
            name={names[flag.challengeId] ?? flag.challengeId}
          />
        ))}
      </tbody>
    </table>
  );
}

export default function FlagsPage() {
  const { flags: words } = useOrganizeMessages().pages;
  const view = useView();
  const challenges = useChallenges().data ?? [];
  const names = Object.fromEntries(challenges.map(({ id, challengeName }) => [id, challengeName]));
  const flags = useFlags({
    team: view("team"),
    challenge: view("challenge"),
    verdict: view("verdict"),
    near: view("near"),
    from: instant(view("from")),
    until: instant(view("until")),
  });
  const rows = flags.data?.pages.flatMap((page) => page.flags);
  return (
    <ListPage title={words.title} filters={<Filters names={names} />}>
      <ListState of={{ ...flags, data: rows }}>
        {(rows) => (
          <>
            {rows.length === 0 && <p role="status">{words.empty}</p>}
            {rows.length > 0 && <Table rows={rows} names={names} />}
            <More {...flags} />
          </>
        )}
      </ListState>
    </ListPage>
  );
}
