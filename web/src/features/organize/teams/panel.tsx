/** One team over the list: its facts, and what can be done with it. */
import { teamAddress } from "../../../addresses";
import type { Team } from "../../../api/organize-lists";
import { useMessages } from "../../../messages/language";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { countryName } from "../../../ui/flag/flag";
import { ActionButtons } from "../change/action-buttons";
import { Facts, ListState, Panel } from "../frame/list";
import { Moment } from "../frame/moment";
import { useMay, useStory } from "../frame/reading";
import { PageLink } from "../frame/view";
import { actionsOf } from "./actions";
import { TeamCode } from "./code";
import { MailStory } from "./mail";
import { PrivateButton } from "./private";
import { TeamStory } from "./story";

function Places({ team }: { team: Team }) {
  const { sheet } = useOrganizeMessages().pages;
  const text = (place: Team["public"]) => {
    return place ? sheet.place(place.rank ?? 0, place.points) : sheet.absent;
  };
  const rows = [
    [sheet.truth, team.truth && text(team.truth)],
    [sheet.players, text(team.public)],
  ] as const;
  return <Facts rows={rows} />;
}

function TeamFacts({ team }: { team: Team }) {
  const { teams: words } = useOrganizeMessages().pages;
  const { locale } = useMessages();
  const may = useMay();
  const student = team.student ? words.yes : words.no;
  const people = team.members?.join(", ");
  const isOnBoard = team.public !== null && team.public !== undefined;
  return (
    <>
      <ActionButtons name={team.teamName} actions={actionsOf(team)} />
      <TeamCode team={team.teamName} />
      <Places team={team} />
      <Facts
        rows={[
          [words.standing, team.standing && wordFor(words.standings, team.standing)],
          [words.address, team.email && <bdi>{team.email}</bdi>],
          [words.newAddress, team.newEmail && <bdi>{team.newEmail}</bdi>],
          [words.members, people && <bdi>{people}</bdi>],
          [words.mail, team.mail && <MailStory team={team} />],
          [words.country, countryName(team.country, locale)],
          [words.student, team.student === null || team.student === undefined ? null : student],
          [words.signedUp, team.signedUpAt && <Moment ms={team.signedUpAt} />],
          [words.number, team.number],
        ]}
      />
      <div className="org-links">
        {may("flag.list") && (
          <PageLink to="/organize/flags" query={{ team: team.teamName }}>
            {words.flags}
          </PageLink>
        )}
        {may("action.list") && (
          <PageLink to="/organize/log" query={{ q: team.teamName }}>
            {words.actions}
          </PageLink>
        )}
        {isOnBoard && <a href={teamAddress(team.teamName)}>{words.page}</a>}
        <PrivateButton team={team.teamName} />
      </div>
    </>
  );
}

interface TeamPanelProps {
  name: string;
  /** The row that is in the list already, which is shown at once. */
  known: Team | undefined;
  /** Whether the search has opened it: it closes with that. */
  isFound: boolean;
}

export function TeamPanel({ name, known, isFound }: TeamPanelProps) {
  const story = useStory(name);
  const names = isFound ? ["q", "story"] : ["team", "story"];
  return (
    <Panel title={name} names={names} object={`team ${name}`}>
      <ListState of={{ ...story, data: story.data?.pages[0]?.team ?? known }}>
        {(team) => <TeamFacts team={team} />}
      </ListState>
      {story.data && <TeamStory story={story} />}
    </Panel>
  );
}
