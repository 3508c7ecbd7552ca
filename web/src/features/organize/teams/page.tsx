/** The teams: who they are, how they stand, whether mail reaches them, and what to do about it. */
import { useCallback, useMemo } from "react";
import type { Team } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Flag } from "../../../ui/flag/flag";
import { ActionButtons } from "../change/action-buttons";
import { useDoNow } from "../change/at-once";
import { LooksBadge, useWhoLooks } from "../frame/channel";
import { ChoiceFilter, Columns, ListPage, ListState, SearchFilter } from "../frame/list";
import { Moment } from "../frame/moment";
import { useMay, useTeams } from "../frame/reading";
import { RowsTable } from "../frame/rows";
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

interface CellsProps {
  team: Team;
  isOpen: boolean;
  /** Whether the role sees mails, and sends them again. */
  hasMail: boolean;
  /** Who else looks at it. */
  looks: readonly string[];
  isPublic: boolean;
}

function TeamCells({ team, isOpen, hasMail, looks, isPublic }: CellsProps) {
  const { teams: words, list } = useOrganizeMessages().pages;
  const place = (isPublic ? null : team.truth) ?? team.public;
  const shown = team.truth && team.public?.rank !== team.truth.rank ? team.public : null;
  return (
    <>
      <td className="org-number">{place?.rank ?? list.none}</td>
      <td className="org-number org-wide">{shown?.rank ?? ""}</td>
      <th scope="row">
        <ViewLink data-row changes={{ team: team.teamName }} aria-current={isOpen}>
          <bdi>{team.teamName}</bdi>
        </ViewLink>{" "}
        <Flag code={team.country} /> <LooksBadge names={looks} />
      </th>
      <td className="org-number">{place?.points ?? list.none}</td>
      <td className="org-number org-wide">{place?.solves ?? list.none}</td>
      <td className="org-number org-wide">{place?.award || ""}</td>
      <td className="org-wide">
        <Moment ms={place?.lastSolveAt} />
      </td>
      {hasMail && (
        <td>
          <MailState team={team} /> {team.standing === "unconfirmed" && <Resend team={team} />}
        </td>
      )}
      {hasMail && <td>{wordFor(words.standings, team.standing ?? "")}</td>}
    </>
  );
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

function Head({ hasMail }: { hasMail: boolean }) {
  const { teams: words } = useOrganizeMessages().pages;
  return (
    <>
      <Columns
        of={[
          [words.rank, "org-number"],
          [words.rankShown, "org-number org-wide"],
          [words.team],
          [words.points, "org-number"],
          [words.solves, "org-number org-wide"],
          [words.award, "org-number org-wide"],
          [words.lastSolve, "org-wide"],
        ]}
      />
      {hasMail && <Columns of={[[words.mail], [words.standing]]} />}
    </>
  );
}

const keyOf = (rows: readonly Team[], place: number) => rows[place]?.teamName ?? "";

export default function TeamsPage() {
  const { testTeam: testTeamWord } = useOrganizeMessages().console;
  const { teams: words, list } = useOrganizeMessages().pages;
  const view = useView();
  const hasMail = useMay()("team.resend");
  const whoLooks = useWhoLooks();
  const isPublic = useWhose() === "public";
  const filter = { q: view("q"), standing: view("standing"), mail: view("mail") };
  const teams = useTeams({ ...filter, order: view("order") });
  const pages = teams.data?.pages;
  const isAll = teams.isCurrent && Object.values(filter).every((one) => one === "");
  const rows = useMemo(() => pages?.flatMap((page) => page.teams), [pages]);
  // The only one that a search finds is open.
  const found = view("q") !== "" && rows?.length === 1 ? rows[0]?.teamName : undefined;
  const open = view("team") || (found ?? "");
  const place = rows?.findIndex(({ teamName }) => teamName === open) ?? -1;
  const panel = open !== "" && (
    <TeamPanel key={open} name={open} known={rows?.[place]} isFound={view("team") === ""} />
  );
  const draw = useCallback(
    (team: Team) => (
      <TeamCells
        team={team}
        isOpen={team.teamName === open}
        hasMail={hasMail}
        looks={whoLooks(`team ${team.teamName}`)}
        isPublic={isPublic}
      />
    ),
    [open, hasMail, whoLooks, isPublic],
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
                  head={<Head hasMail={hasMail} />}
                  more={teams}
                >
                  {draw}
                </RowsTable>
              )}
            </>
          );
        }}
      </ListState>
    </ListPage>
  );
}
