/**
 * Login: team, password, captcha; it leads on to the address in `to`. An unconfirmed team gets a
 * link to request another mail.
 */
import type { FormEvent } from "react";
import { readDestination } from "../../addresses";
import { postLogin } from "../../api/calls";
import { ApiError } from "../../api/client";
import { useSession, useSessionActions } from "../../api/session";
import { clearToken } from "../../api/token";
import { useMessages } from "../../messages/language";
import { Redirect, useAddress } from "../../navigate";
import { Field, formText } from "../../ui/field/field";
import { FormPage } from "../../ui/form-page/form-page";
import { useAttempt } from "./attempt";
import { CaptchaField } from "./captcha-field";

const UNCONFIRMED = 403;

export default function LoginPage() {
  const { account } = useMessages();
  const { team } = useSession();
  const { search } = useAddress();
  const { logIn } = useSessionActions();
  const login = useAttempt(async (input: { team: string; password: string }, captchaToken) => {
    clearToken();
    await logIn(await postLogin({ ...input, captchaToken }));
  });
  if (team !== null) return <Redirect to={readDestination(search)} />;
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    login.submit({ team: formText(form, "team"), password: formText(form, "password") });
  }
  const unconfirmed = login.error instanceof ApiError && login.error.status === UNCONFIRMED;
  return (
    <FormPage
      title={account.login}
      below={
        <>
          <a href="/signup">{account.noTeamYet}</a>
          <a href="/reset">{account.forgotPassword}</a>
        </>
      }
    >
      <form onSubmit={submit}>
        <Field label={account.team} name="team" autoComplete="username" autoFocus required />
        <Field
          label={account.password}
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
        <CaptchaField ref={login.captcha} onError={login.showError} />
        {unconfirmed && (
          <p>
            <a href="/confirm">{account.confirmationAgain}</a>
          </p>
        )}
        <button type="submit" disabled={login.pending}>
          {account.login}
        </button>
      </form>
    </FormPage>
  );
}
