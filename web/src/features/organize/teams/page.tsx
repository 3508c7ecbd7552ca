/** The teams: who they are, how they stand, whether mail reaches them, and what to do about it. */
import type { Team } from "../../../api/organize-lists";
import { useMessages } from "../../../messages/language";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Flag } from "../../../ui/flag/flag";
import { ChoiceFilter, ListPage, ListState, More, SearchFilter } from "../frame/list";
import { Moment } from "../frame/moment";
import { useMay, useTeams } from "../frame/reading";
import { useView, useWhose, ViewLink } from "../frame/view";
import { MailState } from "./mail";
import { TeamPanel } from "./panel";

function TeamRow({ team, isOpen, hasMail }: { team: Team; isOpen: boolean; hasMail: boolean }) {
  const { teams: words, list } = useOrganizeMessages().pages;
  const { numbers } = useNumbers();
  const isPublic = useWhose() === "public";
  const place = (isPublic ? null : team.truth) ?? team.public;
  const shown = team.truth && team.public?.rank !== team.truth.rank ? team.public : null;
  return (
    <tr className={isOpen ? "org-row-open" : undefined}>
      <td className="org-number">{place?.rank ?? list.none}</td>
      <td className="org-number org-wide">{shown?.rank ?? ""}</td>
      <th scope="row">
        <ViewLink data-row changes={{ team: team.teamName }} aria-current={isOpen}>
          <bdi>{team.teamName}</bdi>
        </ViewLink>{" "}
        <Flag code={team.country} />
      </th>
      <td className="org-number">{place ? numbers(place.points) : list.none}</td>
      <td className="org-number org-wide">{place?.solves ?? list.none}</td>
      <td className="org-number org-wide">{place?.award ? numbers(place.award) : ""}</td>
      <td className="org-wide">
        <Moment ms={place?.lastSolveAt} />
      </td>
      {hasMail && (
        <td>
          <MailState team={team} />
        </td>
      )}
      {hasMail && (
        <td className={team.standing === "plays" ? "org-wide" : undefined}>
          {wordFor(words.standings, team.standing ?? "")}
        </td>
      )}
    </tr>
  );
}

/** Whole numbers in the language's way. */
function useNumbers() {
  const { locale } = useMessages();
  const format = new Intl.NumberFormat(locale);
  return { numbers: (value: number) => format.format(value) };
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

export default function TeamsPage() {
  const { teams: words, list } = useOrganizeMessages().pages;
  const view = useView();
  const hasMail = useMay()("team.resend");
  const filter = { q: view("q"), standing: view("standing"), mail: view("mail") };
  const teams = useTeams({ ...filter, order: view("order") });
  const open = view("team");
  const rows = teams.data?.pages.flatMap((page) => page.teams);
  const panel = open !== "" && (
    <TeamPanel name={open} known={rows?.find(({ teamName }) => teamName === open)} />
  );
  return (
    <ListPage title={words.title} filters={<Filters hasMail={hasMail} />} panel={panel}>
      <ListState of={{ ...teams, data: rows }}>
        {(rows) => (
          <>
            <p className="org-note" role="status">
              {rows.length === 0
                ? words.empty
                : list.of(rows.length, teams.data?.pages.at(-1)?.total ?? rows.length)}
            </p>
            {rows.length > 0 && (
              <table className="org-table">
                <thead>
                  <tr>
                    <th scope="col" className="org-number">
                      {words.rank}
                    </th>
                    <th scope="col" className="org-number org-wide">
                      {words.rankShown}
                    </th>
                    <th scope="col">{words.team}</th>
                    <th scope="col" className="org-number">
                      {words.points}
                    </th>
                    <th scope="col" className="org-number org-wide">
                      {words.solves}
                    </th>
                    <th scope="col" className="org-number org-wide">
                      {words.award}
                    </th>
                    <th scope="col" className="org-wide">
                      {words.lastSolve}
                    </th>
                    {hasMail && <th scope="col">{words.mail}</th>}
                    {hasMail && <th scope="col">{words.standing}</th>}
                  </tr>
                </thead>
                <tbody>
                  {rows.map((team) => (
                    <TeamRow
                      key={team.teamName}
                      team={team}
                      isOpen={team.teamName === open}
                      hasMail={hasMail}
                    />
                  ))}
                </tbody>
              </table>
            )}
            <More {...teams} />
          </>
        )}
      </ListState>
    </ListPage>
  );
}
