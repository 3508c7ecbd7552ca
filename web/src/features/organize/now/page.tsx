/** Is it going well, and what waits for me? */
import { useEffect } from "react";
import type { Overview } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { go } from "../../../navigate";
import { ActionButtons } from "../change/action-buttons";
import { eventActions, isRevealDue, revealAction } from "../event/actions";
import { Extend } from "../event/extend";
import { useRowKeys, useShortcut } from "../frame/keys";
import { ListState } from "../frame/list";
import { useMomentText } from "../frame/moment";
import { useChallenges, useMay, useOverview } from "../frame/reading";
import { PageLink, pageAddress, useWhose } from "../frame/view";
import { SETUP } from "../pages";
import { Pulse } from "./pulse";
import { Stream } from "./stream";
import { type Waiting, waitingOf } from "./waiting";

function WaitingRow({ waiting, place }: { waiting: Waiting; place: number }) {
  const whose = useWhose();
  const { text, path, query, isUrgent } = waiting;
  const address = pageAddress(path, whose, query);
  const hasKey = place <= 9;
  useShortcut(place.toString(), text, hasKey ? () => go(address) : undefined);
  return (
    <li>
      <a data-row href={address} className={isUrgent ? "org-bad" : undefined}>
        {text}
      </a>
      {hasKey && <kbd>{place}</kbd>}
    </li>
  );
}

/** What to do against a warning: commands stand between backticks. */
function Cure({ text }: { text: string }) {
  return (
    <span className="org-note">
      {text.split("`").map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part))}
    </span>
  );
}

/** The warning of an old backup: its cures are for owners. */
const BACKUP_OLD = "backup_old";

function Warnings({ warnings }: Pick<Overview, "warnings">) {
  const { backup: words } = useOrganizeMessages().console;
  return warnings.map(({ code, message, cure }) => (
    <p key={code} className="org-bad">
      <span lang="en">
        {message} <Cure text={cure} />
      </span>
      {code === BACKUP_OLD && (
        <>
          {" "}
          {words.orHere} <PageLink to="/organize/event">{words.button}</PageLink>
        </>
      )}
    </p>
  ));
}

function Waits({ overview }: { overview: Overview }) {
  const { now: words } = useOrganizeMessages().pages;
  const may = useMay();
  const timeText = useMomentText();
  const challenges = useChallenges().data ?? [];
  const waiting = waitingOf({ overview, challenges, may }, words, timeText);
  const isMine = ({ code }: Overview["warnings"][number]) =>
    code !== BACKUP_OLD || may("event.backup");
  const warnings = overview.warnings.filter(isMine);
  return (
    <section className="org-card">
      <h2>{words.waits}</h2>
      <Warnings warnings={warnings} />
      {warnings.length + waiting.length === 0 && <p>{words.nothing}</p>}
      {waiting.length > 0 && (
        <ul className="org-stream">
          {waiting.map((one, at) => (
            <WaitingRow key={one.text} waiting={one} place={at + 1} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** The actions of the event; once it has ended, the reveal first if it is due. */
function Actions({ overview }: { overview: Overview }) {
  const { head, sheet } = useOrganizeMessages().pages;
  const reveal = isRevealDue(overview) ? [revealAction(overview)] : [];
  return (
    <>
      <ActionButtons
        name={head.label}
        actions={[...reveal, ...eventActions(overview, sheet.notice)]}
      />
      <Extend overview={overview} />
    </>
  );
}

export default function NowPage() {
  const { now: words, keys } = useOrganizeMessages().pages;
  useRowKeys(keys);
  const overview = useOverview();
  const may = useMay();
  const isUnnamed = overview.data?.name === "" && may("settings.read");
  // An event without a name has nothing else to show.
  useEffect(() => {
    if (isUnnamed) go(SETUP, { replace: true });
  }, [isUnnamed]);
  return (
    <>
      <div className="org-bar">
        <h1>{words.title}</h1>
        {overview.data && <Actions overview={overview.data} />}
      </div>
      <ListState of={overview}>
        {(data) => (
          <div className="org-bands">
            <Waits overview={data} />
            <Pulse overview={data} readAt={overview.dataUpdatedAt} />
            <Stream />
          </div>
        )}
      </ListState>
    </>
  );
}
