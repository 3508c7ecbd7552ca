/** The page of an emailed confirmation link; without a token, the form that requests a new one. */
import { useState } from "react";
import { ownAddress } from "../../addresses";
import { postConfirm, postResend } from "../../api/calls";
import { storedDestination } from "../../api/destination";
import { useSession } from "../../api/session";
import { useMessages } from "../../messages/language";
import { useHash } from "../../navigate";
import { FormPage } from "../../ui/form-page/form-page";
import { EmailForm } from "./email-form";
import { LinkPage, NextLink } from "./link-page";
import { LoginForm } from "./login-form";

const CHALLENGES = "/challenge";

/** The last step: login of the confirmed team, unless the browser has another team's session. */
function LastStep({ team }: { team: string }) {
  const { account, home } = useMessages();
  const { team: loggedIn } = useSession();
  const [isOther] = useState(loggedIn !== null);
  // The login clears this before it navigates.
  const [to] = useState(() => ownAddress(storedDestination()));
  if (isOther) return <NextLink href={CHALLENGES} name={home.continue} />;
  return (
    <>
      <p>{account.lastStep}</p>
      <LoginForm team={team} to={to === "/" ? CHALLENGES : to} />
    </>
  );
}

/** The next step of a team on the waiting list. */
function Waits() {
  const { account, problem } = useMessages();
  return (
    <>
      <p>{account.waitingNote}</p>
      <NextLink href="/" name={problem.toHome} />
    </>
  );
}

export default function ConfirmPage() {
  const { account } = useMessages();
  if (useHash() !== "") {
    return (
      <LinkPage
        title={account.confirmTitle}
        send={postConfirm}
        note={account.confirmNote}
        button={account.confirmButton}
        next={({ team, waiting }) => (waiting ? <Waits /> : <LastStep team={team} />)}
      />
    );
  }
  return (
    <FormPage title={account.resendTitle} below={<a href="/login">{account.backToLogin}</a>}>
      <EmailForm send={postResend} button={account.resendButton} />
    </FormPage>
  );
}
