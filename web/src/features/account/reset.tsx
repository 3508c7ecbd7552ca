/**
 * Password reset: the new password with a mailed token, or with a code that an organizer told;
 * without one, the form that requests a mail.
 */
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { postForgot, postReset } from "../../api/calls";
import { useCtf } from "../../api/queries";
import { useMessages } from "../../messages/language";
import { useHash } from "../../navigate";
import { Field, Form, formText } from "../../ui/field/field";
import { FormPage } from "../../ui/form-page/form-page";
import { EmailForm } from "./email-form";
import { PASSWORD_MIN, passwordFault } from "./faults";
import { useOutcome } from "./outcome";

/** The hash at which the code is typed, instead of a token. */
const CODE = "code";

function NewPassword({ token }: { token: string }) {
  const messages = useMessages();
  const outcome = useOutcome();
  const passwordMin = useCtf().data?.info.passwordMin ?? PASSWORD_MIN;
  const [fault, setFault] = useState<string | null>(null);
  const reset = useMutation({
    mutationFn: ({ token, password }: { token: string; password: string }) =>
      postReset(token, password),
    ...outcome,
  });
  const isTold = token === CODE;
  function submit(form: HTMLFormElement) {
    const password = formText(form, "password");
    const found = passwordFault(messages, password, passwordMin);
    setFault(found);
    if (found !== null) return;
    reset.mutate({ token: isTold ? formText(form, "code").trim() : token, password });
  }
  if (reset.isSuccess) {
    return (
      <a href="/login" className="button button-primary">
        {messages.account.login}
      </a>
    );
  }
  return (
    <Form onSubmit={submit}>
      {isTold && <Field label={messages.account.code} name="code" autoComplete="off" required />}
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
    </Form>
  );
}

export default function ResetPage() {
  const { account } = useMessages();
  const token = useHash();
  return (
    <FormPage
      title={token === "" ? account.forgotTitle : account.resetTitle}
      below={
        <>
          <a href="/login">{account.backToLogin}</a>
          {token === "" && <a href={`/reset#${CODE}`}>{account.haveCode}</a>}
        </>
      }
    >
      {token === "" ? (
        <EmailForm send={postForgot} button={account.forgotButton} />
      ) : (
        <NewPassword key={token} token={token} />
      )}
    </FormPage>
  );
}
