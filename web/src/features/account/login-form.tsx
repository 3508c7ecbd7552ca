/**
 * The login form, which continues to `to`. If the team name is given, it asks only for the
 * password.
 */
import { postLogin } from "../../api/calls";
import { ApiError } from "../../api/client";
import { keepDestination } from "../../api/destination";
import { useSession, useSessionActions } from "../../api/session";
import { clearToken } from "../../api/token";
import { useMessages } from "../../messages/language";
import { Redirect } from "../../navigate";
import { Field, Form, formText, PasswordField } from "../../ui/field/field";
import { useAttempt } from "./attempt";
import { CaptchaField } from "./captcha-field";

const UNCONFIRMED = "email_unconfirmed";

export function LoginForm({ team, to }: { team?: string; to: string }) {
  const { account } = useMessages();
  const { team: loggedIn } = useSession();
  const { logIn } = useSessionActions();
  const login = useAttempt(async (input: { team: string; password: string }, captchaToken) => {
    clearToken();
    await logIn(await postLogin({ ...input, captchaToken }));
    keepDestination("/");
  });
  if (loggedIn !== null) return <Redirect to={to} />;
  function submit(form: HTMLFormElement) {
    login.submit({ team: formText(form, "team"), password: formText(form, "password") });
  }
  const unconfirmed = login.error instanceof ApiError && login.error.code === UNCONFIRMED;
  const isNamed = team !== undefined;
  return (
    <Form onSubmit={submit} onInput={login.onInput}>
      <Field
        label={account.team}
        name="team"
        autoComplete="username"
        defaultValue={team}
        autoFocus={!isNamed}
        required
      />
      <PasswordField autoFocus={isNamed} />
      <CaptchaField {...login.captcha} />
      {unconfirmed && (
        <p>
          <a href="/confirm">{account.confirmationAgain}</a>
        </p>
      )}
      <button type="submit" disabled={login.pending}>
        {account.login}
      </button>
    </Form>
  );
}
