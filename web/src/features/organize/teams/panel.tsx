/** Details panel of a team, with its actions. */
import type { ReactNode } from "react";
import { teamAddress } from "../../../addresses";
import type { Team } from "../../../api/organize-lists";
import { useMessages } from "../../../messages/language";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { countryName } from "../../../ui/flag/flag";
import { ListState, Panel } from "../frame/list";
import { Moment } from "../frame/moment";
import { useDivisions, useMay, useStory } from "../frame/queries";
import { PageLink } from "../frame/view";
import { PanelActions } from "../lists/panel-actions";
import { FactColumns, Figures, PanelLinks } from "../lists/panel-parts";
import { panelActions } from "./actions";
import { TeamActivity } from "./activity";
import { TeamCode } from "./code";
import { MailStory } from "./mail";
import { PrivateButton } from "./private";
import { TeamState } from "./state";

/** Rank, points and solves; in a freeze also the public ones. */
function Places({ team }: { team: Team }) {
  const { sheet, teams: words } = useOrganizeMessages().pages;
  const { truth, public: shown } = team;
  const place = truth ?? shown;
  const isDifferent =
    truth && (shown?.rank !== truth.rank || shown?.points !== truth.points) && team.standing;
  const text = shown ? sheet.place(shown.rank ?? 0, shown.points) : sheet.absent;
  if (!place) return null;
  return (
    <Figures
      rows={[
        [words.rank, place.rank && `#${place.rank}`],
        [words.points, place.points],
        [words.solves, place.solves],
        [words.award, place.award || undefined],
        [sheet.players, isDifferent ? text : undefined],
      ]}
    />
  );
}

function Links({ team }: { team: Team }) {
  const { teams: words } = useOrganizeMessages().pages;
  const may = useMay();
  const { teamName } = team;
  const isOnBoard = team.public !== null && team.public !== undefined;
  return (
    <PanelLinks>
      {may("flag.list") && (
        <PageLink to="/organize/submissions" query={{ team: teamName }}>
          {words.flags}
        </PageLink>
      )}
      {may("action.list") && (
        <PageLink to="/organize/audit-log" query={{ q: teamName }}>
          {words.actions}
        </PageLink>
      )}
      {isOnBoard && <a href={teamAddress(teamName)}>{words.page}</a>}
      <PrivateButton team={teamName} />
    </PanelLinks>
  );
}

/** The answers in the signup form, with the labels that the team saw. */
function answersOf(
  { fields, fieldLabels }: Team,
  words: { yes: string; no: string },
): [string, ReactNode][] {
  return Object.entries(fields ?? {}).map(([id, value]) => {
    const text = typeof value === "boolean" ? (value ? words.yes : words.no) : String(value);
    return [fieldLabels?.[id] ?? id, <bdi key={id}>{text}</bdi>];
  });
}

/** The team's divisions, each linked to the list of its teams in the order of ranks. */
function DivisionLinks({ team }: { team: Team }) {
  const { divisions: words } = useOrganizeMessages().manage;
  const { data: all } = useDivisions();
  return team.divisions?.map((division, index) => {
    const listed = all?.find(({ id }) => id === division);
    return (
      <span key={division}>
        {index > 0 && ", "}
        <PageLink to="/organize/teams" query={{ division }}>
          <bdi>{listed ? words.nameOf(listed) : division}</bdi>
        </PageLink>
      </span>
    );
  });
}

function TeamFacts({ team }: { team: Team }) {
  const { teams: words } = useOrganizeMessages().pages;
  const { locale } = useMessages();
  const student = team.student ? words.yes : words.no;
  const people = team.members?.join(", ");
  return (
    <FactColumns
      rows={[
        [words.address, team.email && <bdi>{team.email}</bdi>],
        [words.newAddress, team.newEmail && <bdi>{team.newEmail}</bdi>],
        [words.mail, team.mail && <MailStory team={team} />],
        [words.members, people && <bdi>{people}</bdi>],
        ...answersOf(team, words),
        [words.country, countryName(team.country, locale)],
        [words.student, team.student === null || team.student === undefined ? null : student],
        [
          words.divisions,
          team.divisions?.length ? <DivisionLinks key="divisions" team={team} /> : null,
        ],
        [words.signedUp, team.signedUpAt && <Moment ms={team.signedUpAt} />],
        [words.number, team.number],
      ]}
    />
  );
}

function About({ team }: { team: Team }) {
  return (
    <>
      <PanelActions name={team.teamName} actions={panelActions(team)} />
      <TeamCode team={team.teamName} />
      {team.standing !== "plays" && (
        <p>
          <TeamState standing={team.standing} />
        </p>
      )}
      <Places team={team} />
      <TeamFacts team={team} />
      <Links team={team} />
    </>
  );
}

interface TeamPanelProps {
  name: string;
  /** Row from the list, shown until the details are loaded. */
  known: Team | undefined;
  /** True if the search opened the panel, which then closes with the search. */
  isFound: boolean;
}

export function TeamPanel({ name, known, isFound }: TeamPanelProps) {
  const story = useStory(name);
  const names = isFound ? ["q", "story"] : ["team", "story"];
  return (
    <Panel title={name} names={names} object={`team ${name}`}>
      <ListState of={{ ...story, data: story.data?.pages[0]?.team ?? known }}>
        {(team) => <About team={team} />}
      </ListState>
      {story.data && <TeamActivity story={story} />}
    </Panel>
  );
}
