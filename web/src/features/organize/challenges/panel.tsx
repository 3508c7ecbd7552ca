/** One challenge over the list: its figures and problems, what can be done, and trying a flag. */
import type { ListedChallenge } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { go } from "../../../navigate";
import { ActionButtons } from "../change/action-buttons";
import { durationText } from "../frame/clock";
import { KeyHint, useShortcut } from "../frame/keys";
import { Facts, Panel } from "../frame/list";
import { Moment } from "../frame/moment";
import { useMay, useMayWith } from "../frame/reading";
import { PageLink, pageAddress, TeamLink, useWhose } from "../frame/view";
import { actionsOf, editAddress } from "./actions";
import { Trial } from "./trial";

function Problems({ challenge }: { challenge: ListedChallenge }) {
  const { challenges: words } = useOrganizeMessages().pages;
  const problems = challenge.problems ?? [];
  if (problems.length === 0) return null;
  return (
    <section className="org-stack">
      <h3>{words.problems}</h3>
      <ul lang="en">
        {problems.map(({ line, severity, message }) => (
          <li key={`${line} ${message}`}>
            <strong className={severity === "error" ? "org-bad" : undefined}>{severity}</strong>
            {line > 0 && `, line ${line}`}: {message}
          </li>
        ))}
      </ul>
    </section>
  );
}

function StuckTeams({ challenge }: { challenge: ListedChallenge }) {
  const { challenges: words } = useOrganizeMessages().pages;
  const teams = challenge.stuckTeams ?? [];
  if (teams.length === 0) return null;
  return (
    <section className="org-stack">
      <h3>{words.stuckTeams}</h3>
      <ul>
        {teams.map(({ teamName, tries, lastAt }) => (
          <li key={teamName}>
            <TeamLink team={teamName} />: {words.triesOf(tries)}, <Moment ms={lastAt} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function EditLinks({ id }: { id: string }) {
  const { editor: words } = useOrganizeMessages().pages;
  const whose = useWhose();
  const may = useMay();
  const edit = pageAddress(editAddress(id), whose);
  useShortcut("e", words.edit, () => go(edit));
  return (
    <p className="org-links">
      <a href={edit} aria-keyshortcuts="e">
        {words.edit} <KeyHint of="e" />
      </a>
      {may("challenge.create") && (
        <PageLink to="/organize/challenges/new" query={{ from: id }}>
          {words.duplicate}
        </PageLink>
      )}
    </p>
  );
}

export function ChallengePanel({ challenge }: { challenge: ListedChallenge }) {
  const { challenges: words, flags, statuses } = useOrganizeMessages().pages;
  const may = useMay();
  const mayWith = useMayWith(challenge.id);
  const isOwn = mayWith("challenge.edit");
  const actions = actionsOf(challenge).filter(({ action }) => mayWith(action));
  const { status, statusNote, medianMs } = challenge;
  return (
    <Panel title={challenge.challengeName} names={["open"]} object={`challenge ${challenge.id}`}>
      <ActionButtons name={challenge.challengeName} actions={actions} />
      {isOwn && may("challenge.read") && <EditLinks id={challenge.id} />}
      <Facts
        rows={[
          [words.state, wordFor(words.states, challenge.state)],
          [words.status, [wordFor(statuses, status), statusNote].filter(Boolean).join(": ")],
          [words.releases, challenge.releasesAt && <Moment ms={challenge.releasesAt} />],
          [words.closes, challenge.closesAt && <Moment ms={challenge.closesAt} />],
          [words.category, challenge.categories.join(", ")],
          [words.value, challenge.value],
          [words.solves, challenge.solves],
          [words.firstSolve, challenge.firstSolveAt && <Moment ms={challenge.firstSolveAt} />],
          [words.tries, challenge.tries],
          [words.triedBy, challenge.triedBy],
          [words.wrong, challenge.wrongLastHour],
          [words.median, medianMs && durationText(medianMs)],
          [words.stuck, challenge.stuck],
          [
            words.changed,
            challenge.changedBy && (
              <>
                <bdi>{challenge.changedBy}</bdi>, <Moment ms={challenge.changedAt} />
              </>
            ),
          ],
        ]}
      />
      <Problems challenge={challenge} />
      <StuckTeams challenge={challenge} />
      {isOwn && may("flag.try") && <Trial key={challenge.id} challenge={challenge.id} />}
      {may("flag.list") && (
        <p className="org-links">
          <PageLink to="/organize/flags" query={{ challenge: challenge.id }}>
            {words.flags}
          </PageLink>
          <PageLink to="/organize/flags" query={{ challenge: challenge.id, near: "any" }}>
            {flags.nearTab}
          </PageLink>
        </p>
      )}
    </Panel>
  );
}
