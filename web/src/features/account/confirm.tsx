/**
 * The page of a mailed confirmation link. It needs a click, since mail scanners open links.
 */
import { useMutation } from "@tanstack/react-query";
import { postConfirm, postResend } from "../../api/calls";
import { useMessages } from "../../messages/language";
import { useHash } from "../../navigate";
import { FormPage } from "../../ui/form-page/form-page";
import { EmailForm } from "./email-form";
import { useOutcome } from "./outcome";

function ConfirmButton({ token }: { token: string }) {
  const { account } = useMessages();
  const outcome = useOutcome();
  const confirm = useMutation({ mutationFn: postConfirm, ...outcome });
  if (confirm.isSuccess) {
    return (
      <a href="/login" className="button button-primary">
        {account.login}
      </a>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate(token);
      }}
    >
      <p>{account.confirmNote}</p>
      <button type="submit" disabled={confirm.isPending}>
        {account.confirmButton}
      </button>
    </form>
  );
}

export default function ConfirmPage() {
  const { account } = useMessages();
  const token = useHash();
  if (token !== "") {
    return (
      <FormPage title={account.confirmTitle}>
        <ConfirmButton key={token} token={token} />
      </FormPage>
    );
  }
  return (
    <FormPage title={account.resendTitle} below={<a href="/login">{account.backToLogin}</a>}>
      <EmailForm send={postResend} button={account.resendButton} />
    </FormPage>
  );
}
