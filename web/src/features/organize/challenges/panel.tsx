/** Details panel of a challenge: state, numbers, problems, actions, and a flag test. */
import type { ListedChallenge } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { go } from "../../../navigate";
import { KeyButton } from "../change/action-buttons";
import { durationText } from "../frame/clock";
import { Panel } from "../frame/list";
import { Moment } from "../frame/moment";
import { useMay, useMayWith } from "../frame/queries";
import { Status } from "../frame/status";
import { PageLink, pageAddress, TeamLink, useScoreboardView } from "../frame/view";
import { PanelActions } from "../lists/panel-actions";
import { FactColumns, Figures, PanelLinks, PanelPart } from "../lists/panel-parts";
import { actionsOf, editAddress } from "./actions";
import styles from "./challenges.module.css";
import { useChallengeLinks } from "./columns";
import { ChallengeState } from "./state";
import { Trial } from "./trial";

function Problems({ challenge }: { challenge: ListedChallenge }) {
  const { challenges: words } = useOrganizeMessages().pages;
  const problems = challenge.problems ?? [];
  if (problems.length === 0) return null;
  return (
    <PanelPart title={words.problems}>
      <ul lang="en">
        {problems.map(({ line, severity, message }) => (
          <li key={`${line} ${message}`}>
            <Status mark={severity === "error" ? "bad" : "warn"}>{severity}</Status>
            {line > 0 && ` line ${line}`}: {message}
          </li>
        ))}
      </ul>
    </PanelPart>
  );
}

function StuckTeams({ challenge }: { challenge: ListedChallenge }) {
  const { challenges: words } = useOrganizeMessages().pages;
  const teams = challenge.stuckTeams ?? [];
  if (teams.length === 0) return null;
  return (
    <PanelPart title={words.stuckTeams}>
      <ul>
        {teams.map(({ teamName, tries, lastAt }) => (
          <li key={teamName} className={styles.stuck}>
            <TeamLink team={teamName} />
            <span className={styles.note}>
              {words.triesOf(tries)}, <Moment ms={lastAt} />
            </span>
          </li>
        ))}
      </ul>
    </PanelPart>
  );
}

/** Actions, with the likely one as a button: release a hidden challenge, else set the status. */
function Actions({ challenge }: { challenge: ListedChallenge }) {
  const { editor: words } = useOrganizeMessages().pages;
  const { id, challengeName, state } = challenge;
  const may = useMay();
  const mayWith = useMayWith(id);
  const linksOf = useChallengeLinks();
  const edit = pageAddress(editAddress(id), useScoreboardView());
  const isHidden = state === "hidden" || state === "timed";
  const main = isHidden ? "challenge.release" : "challenge.status";
  const actions = actionsOf(challenge)
    .filter(({ action }) => mayWith(action))
    .toSorted((one, other) => Number(other.action === main) - Number(one.action === main));
  const mayEdit = mayWith("challenge.edit") && may("challenge.read");
  return (
    <PanelActions name={challengeName} actions={actions} shown={1} after={linksOf(challenge)}>
      {mayEdit && <KeyButton text={words.edit} shortcut="e" onPress={() => go(edit)} />}
    </PanelActions>
  );
}

function Numbers({ challenge }: { challenge: ListedChallenge }) {
  const { pages, lists } = useOrganizeMessages();
  const { challenges: words } = pages;
  return (
    <Figures
      rows={[
        [words.value, challenge.value],
        [words.solves, challenge.solves],
        [words.tries, challenge.tries],
        [lists.incorrect, challenge.wrongLastHour],
        [lists.stuck, challenge.stuck],
      ]}
    />
  );
}

function Facts({ challenge }: { challenge: ListedChallenge }) {
  const { challenges: words } = useOrganizeMessages().pages;
  const { releasesAt, closesAt, firstSolveAt, medianMs, changedBy, changedAt } = challenge;
  return (
    <FactColumns
      rows={[
        [words.category, challenge.categories.join(", ")],
        [words.triedBy, challenge.triedBy],
        [words.releases, releasesAt && <Moment ms={releasesAt} />],
        [words.closes, closesAt && <Moment ms={closesAt} />],
        [words.firstSolve, firstSolveAt && <Moment ms={firstSolveAt} />],
        [words.median, medianMs && durationText(medianMs)],
        [
          words.changed,
          changedBy && (
            <>
              <bdi>{changedBy}</bdi>, <Moment ms={changedAt} />
            </>
          ),
        ],
      ]}
    />
  );
}

function Links({ id }: { id: string }) {
  const { challenges: words, submissions } = useOrganizeMessages().pages;
  const path = "/organize/submissions";
  return (
    <PanelLinks>
      <PageLink to={path} query={{ challenge: id }}>
        {words.flags}
      </PageLink>
      <PageLink to={path} query={{ challenge: id, near: "any" }}>
        {submissions.nearTab}
      </PageLink>
    </PanelLinks>
  );
}

export function ChallengePanel({ challenge }: { challenge: ListedChallenge }) {
  const may = useMay();
  const { id, challengeName, statusNote } = challenge;
  const isOwn = useMayWith(id)("challenge.edit");
  return (
    <Panel title={challengeName} names={["open"]} object={`challenge ${id}`}>
      <p className={styles.line}>
        <ChallengeState challenge={challenge} /> {statusNote && <bdi>{statusNote}</bdi>}
      </p>
      <Actions challenge={challenge} />
      <Numbers challenge={challenge} />
      <Facts challenge={challenge} />
      <Problems challenge={challenge} />
      {isOwn && may("flag.try") && <Trial key={id} challenge={id} />}
      <StuckTeams challenge={challenge} />
      {may("flag.list") && <Links id={id} />}
    </Panel>
  );
}
