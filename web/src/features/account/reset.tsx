/** Password reset: the new password with a mailed token; without one, the form that requests it. */
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { postForgot, postReset } from "../../api/calls";
import { useCtf } from "../../api/queries";
import { useMessages } from "../../messages/language";
import { useHash } from "../../navigate";
import { Field, formText } from "../../ui/field/field";
import { FormPage } from "../../ui/form-page/form-page";
import { EmailForm } from "./email-form";
import { PASSWORD_MIN, passwordFault } from "./faults";
import { useOutcome } from "./outcome";

function NewPassword({ token }: { token: string }) {
  const messages = useMessages();
  const outcome = useOutcome();
  const passwordMin = useCtf().data?.info.passwordMin ?? PASSWORD_MIN;
  const [fault, setFault] = useState<string | null>(null);
  const reset = useMutation({
    mutationFn: (password: string) => postReset(token, password),
    ...outcome,
  });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const password = formText(event.currentTarget, "password");
    const found = passwordFault(messages, password, passwordMin);
    setFault(found);
    if (found === null) reset.mutate(password);
  }
  if (reset.isSuccess) {
    return (
      <a href="/login" className="button button-primary">
        {messages.account.login}
      </a>
    );
  }
  return (
    <form onSubmit={submit}>
      <Field
        label={messages.account.resetTitle}
        name="password"
        type="password"
        autoComplete="new-password"
        hint={messages.account.passwordHint(passwordMin)}
        fault={fault}
        required
      />
      <button type="submit" disabled={reset.isPending}>
        {messages.account.resetButton}
      </button>
    </form>
  );
}

export default function ResetPage() {
  const { account } = useMessages();
  const token = useHash();
  return (
    <FormPage
      title={token === "" ? account.forgotTitle : account.resetTitle}
      below={<a href="/login">{account.backToLogin}</a>}
    >
      {token === "" ? (
        <EmailForm send={postForgot} button={account.forgotButton} />
      ) : (
        <NewPassword key={token} token={token} />
      )}
    </FormPage>
  );
}
