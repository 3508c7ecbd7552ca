/** The page of a mailed confirmation link; without one, the form that requests it again. */
import { loginAddress } from "../../addresses";
import { postConfirm, postResend } from "../../api/calls";
import { useMessages } from "../../messages/language";
import { useHash } from "../../navigate";
import { FormPage } from "../../ui/form-page/form-page";
import { EmailForm } from "./email-form";
import { LinkButton } from "./link-button";

export default function ConfirmPage() {
  const { account } = useMessages();
  const token = useHash();
  if (token !== "") {
    return (
      <FormPage title={account.confirmTitle}>
        <LinkButton
          key={token}
          token={token}
          send={postConfirm}
          note={account.confirmNote}
          button={account.confirmButton}
          next={[loginAddress("/challenge"), account.login]}
        />
      </FormPage>
    );
  }
  return (
    <FormPage title={account.resendTitle} below={<a href="/login">{account.backToLogin}</a>}>
      <EmailForm send={postResend} button={account.resendButton} />
    </FormPage>
  );
}
