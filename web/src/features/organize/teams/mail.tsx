/** Delivery state of the latest email to a team. */
import type { Team } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { useMomentText } from "../frame/moment";
import { type Mark, Status } from "../frame/status";

const MARKS: Readonly<Record<string, Mark>> = { queued: "wait", refused: "bad", sent: "quiet" };

export function MailState({ team }: { team: Team }) {
  const { teams: words } = useOrganizeMessages().pages;
  const { mail } = team;
  if (!mail) return null;
  const isGivenUp = mail.state === "refused" && !mail.nextTryAt;
  return (
    <span title={mail.serverSaid ?? undefined}>
      <Status mark={MARKS[mail.state] ?? "quiet"}>
        {wordFor(words.mails, mail.state)}
        {isGivenUp && `, ${words.mailGaveUp}`}
      </Status>
    </span>
  );
}

/** Delivery state with the mail server's response and the next attempt. */
export function MailStory({ team }: { team: Team }) {
  const { teams: words } = useOrganizeMessages().pages;
  const text = useMomentText();
  const { mail } = team;
  if (!mail) return null;
  return (
    <>
      <MailState team={team} />
      {mail.sentAt && ` (${text(mail.sentAt)})`}
      {mail.serverSaid && (
        <>
          <br />
          {words.serverSaid}: <bdi>{mail.serverSaid}</bdi>
        </>
      )}
      {mail.nextTryAt && (
        <>
          <br />
          {words.nextTry}: {text(mail.nextTryAt)}
        </>
      )}
    </>
  );
}
