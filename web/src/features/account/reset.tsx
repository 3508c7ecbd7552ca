/** Password reset by emailed token or reset code; without either, the form that requests a link. */
import { postForgot, postReset } from "../../api/calls";
import { useMessages } from "../../messages/language";
import { useHash } from "../../navigate";
import { Field, Form, formText } from "../../ui/field/field";
import { FormPage } from "../../ui/form-page/form-page";
import { EmailForm } from "./email-form";
import { NewPasswordField } from "./new-password";
import { useSending } from "./outcome";

/** URL hash that shows the field for a reset code, in place of a token. */
const CODE = "code";

function NewPassword({ token }: { token: string }) {
  const { account } = useMessages();
  const reset = useSending((body: { token: string; password: string }) =>
    postReset(body.token, body.password),
  );
  const isTold = token === CODE;
  function submit(form: HTMLFormElement) {
    const password = formText(form, "password");
    reset.mutate({ token: isTold ? formText(form, "code").trim() : token, password });
  }
  if (reset.isSuccess) {
    return (
      <a href="/login" className="button button-primary">
        {account.login}
      </a>
    );
  }
  return (
    <Form onSubmit={submit}>
      {isTold && <Field label={account.code} name="code" autoComplete="off" required />}
      <NewPasswordField />
      <button type="submit" disabled={reset.isPending}>
        {account.resetButton}
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
