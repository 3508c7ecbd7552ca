/** What became of the newest mail to a team. */
import type { Team } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { useMomentText } from "../frame/moment";

export function MailState({ team }: { team: Team }) {
  const { teams: words } = useOrganizeMessages().pages;
  const { mail } = team;
  if (!mail) return null;
  const isGivenUp = mail.state === "refused" && !mail.nextTryAt;
  const className = mail.state === "refused" ? "org-bad" : undefined;
  return (
    <span className={className} title={mail.serverSaid ?? undefined}>
      {wordFor(words.mails, mail.state)}
      {isGivenUp && `, ${words.mailGaveUp}`}
    </span>
  );
}

/** The same with the server's words and the next try. */
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
