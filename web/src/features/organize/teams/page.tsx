/** The teams: who they are, how they stand, whether mail reaches them, and what to do about it. */
import { useMemo } from "react";
import type { Team } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Flag } from "../../../ui/flag/flag";
import { ActionButtons } from "../change/action-buttons";
import { useDoNow } from "../change/at-once";
import { LooksBadge, useWhoLooks } from "../frame/channel";
import { ChoiceFilter, ListPage, ListState, SearchFilter } from "../frame/list";
import { Moment } from "../frame/moment";
import { useMay, useTeams } from "../frame/reading";
import { RowsTable } from "../frame/rows";
import type { Column } from "../frame/table";
import { useView, useWhose, ViewLink } from "../frame/view";
import { actionsOf, testTeam } from "./actions";
import { OtherCodes } from "./code";
import { ImportTeams } from "./import";
import { MailState } from "./mail";
import { TeamPanel } from "./panel";

/** Sends the link again at once: nothing of it needs a sheet. */
function Resend({ team }: { team: Team }) {
  const { sheet, teams: words } = useOrganizeMessages().pages;
  const doing = useDoNow();
  const { teamName } = team;
  const text = wordFor(sheet.actions, "team.resend");
  const order = actionsOf(team).find(({ action }) => action === "team.resend");
  if (!order) return null;
  return (
    <button
      type="button"
      className="org-small org-wide"
      aria-label={`${text}: ${teamName}`}
      aria-disabled={doing.isPending}
      onClick={() => doing.isPending || doing.mutate({ order, reason: words.resendReason })}
    >
      {text}
    </button>
  );
}

const placeOf = (team: Team, isPublic: boolean) => (isPublic ? null : team.truth) ?? team.public;

/** The columns; `hasMail` if the role sees mails, and sends them again. */
function useColumns(open: string, hasMail: boolean): readonly Column<Team>[] {
  const { teams: words, list } = useOrganizeMessages().pages;
  const whoLooks = useWhoLooks();
  const isPublic = useWhose() === "public";
  return useMemo(() => {
    const place = (team: Team) => placeOf(team, isPublic);
    const figure = "org-number org-wide";
    const ofMail: readonly Column<Team>[] = [
      {
        word: words.mail,
        cell: (team) => (
          <>
            <MailState team={team} /> {team.standing === "unconfirmed" && <Resend team={team} />}
          </>
        ),
      },
      { word: words.standing, cell: ({ standing }) => wordFor(words.standings, standing ?? "") },
    ];
    return [
      { word: words.rank, className: "org-number", cell: (team) => place(team)?.rank ?? list.none },
      {
        word: words.rankShown,
        className: figure,
        cell: ({ truth, public: shown }) =>
          truth && shown?.rank !== truth.rank ? (shown?.rank ?? "") : "",
      },
      {
        word: words.team,
        isName: true,
        cell: ({ teamName: team, country }) => (
          <>
            <ViewLink data-row changes={{ team }} aria-current={team === open}>
              <bdi>{team}</bdi>
            </ViewLink>{" "}
            <Flag code={country} /> <LooksBadge names={whoLooks(`team ${team}`)} />
          </>
        ),
      },
      {
        word: words.points,
        className: "org-number",
        cell: (team) => place(team)?.points ?? list.none,
      },
      { word: words.solves, className: figure, cell: (team) => place(team)?.solves ?? list.none },
      { word: words.award, className: figure, cell: (team) => place(team)?.award || "" },
      {
        word: words.lastSolve,
        className: "org-wide",
        cell: (team) => <Moment ms={place(team)?.lastSolveAt} />,
      },
      ...(hasMail ? ofMail : []),
    ];
  }, [words, list, whoLooks, isPublic, open, hasMail]);
}

function Filters({ hasMail }: { hasMail: boolean }) {
  const { teams: words, list } = useOrganizeMessages().pages;
  return (
    <>
      <SearchFilter name="q" label={list.search} placeholder={words.searchHint} />
      {hasMail && (
        <>
          <ChoiceFilter name="standing" label={words.standing} words={words.standings} />
          <ChoiceFilter name="mail" label={words.mail} words={mailFilters(words.mails)} />
        </>
      )}
      <ChoiceFilter isOrder name="order" label={words.order} words={words.orders} />
    </>
  );
}

/** The states that the server can filter by. */
function mailFilters({ queued = "queued", refused = "refused" }: Readonly<Record<string, string>>) {
  return { queued, refused };
}

const keyOf = (rows: readonly Team[], place: number) => rows[place]?.teamName ?? "";

export default function TeamsPage() {
  const { testTeam: testTeamWord } = useOrganizeMessages().console;
  const { teams: words, list } = useOrganizeMessages().pages;
  const view = useView();
  const hasMail = useMay()("team.resend");
  const filter = { q: view("q"), standing: view("standing"), mail: view("mail") };
  const teams = useTeams({ ...filter, order: view("order") });
  const pages = teams.data?.pages;
  const isAll = teams.isCurrent && Object.values(filter).every((one) => one === "");
  const rows = useMemo(() => pages?.flatMap((page) => page.teams), [pages]);
  // The only one that a search finds is open.
  const found = view("q") !== "" && rows?.length === 1 ? rows[0]?.teamName : undefined;
  const open = view("team") || (found ?? "");
  const columns = useColumns(open, hasMail);
  const place = rows?.findIndex(({ teamName }) => teamName === open) ?? -1;
  const panel = open !== "" && (
    <TeamPanel key={open} name={open} known={rows?.[place]} isFound={view("team") === ""} />
  );
  return (
    <ListPage title={words.title} filters={<Filters hasMail={hasMail} />} panel={panel}>
      <ListState of={{ ...teams, data: rows }}>
        {(rows) => {
          const total = pages?.at(-1)?.total ?? rows.length;
          return (
            <>
              <div className="org-actions">
                <ActionButtons name={words.title} actions={[testTeam(testTeamWord)]} />
                <ImportTeams />
              </div>
              <OtherCodes open={open} />
              <p className="org-note" role="status">
                {rows.length > 0
                  ? list.of(rows.length, total)
                  : isAll
                    ? words.noneYet
                    : words.empty}
              </p>
              {rows.length > 0 && (
                <RowsTable
                  rows={rows}
                  total={total}
                  keyOf={keyOf}
                  open={place}
                  columns={columns}
                  more={teams}
                />
              )}
            </>
          );
        }}
      </ListState>
    </ListPage>
  );
}
