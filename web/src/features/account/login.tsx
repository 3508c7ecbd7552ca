/** Login: team, password, captcha. An unconfirmed team is shown the way to another mail. */
import { Link, Navigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { postLogin } from "../../api/calls";
import { ApiError } from "../../api/client";
import { useSession, useSessionActions } from "../../api/session";
import { clearToken } from "../../api/token";
import { Field } from "../../ui/field";
import { FormPage } from "../../ui/form-page";
import { formText, useAttempt } from "./attempt";
import { CaptchaField } from "./captcha-field";

const UNCONFIRMED = 403;

export default function LoginPage() {
  const { team } = useSession();
  const { enter } = useSessionActions();
  const login = useAttempt(async (input: { team: string; password: string }, captchaToken) => {
    clearToken();
    await enter(await postLogin({ ...input, captchaToken }));
  });
  if (team !== null) return <Navigate to="/" replace />;
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    login.submit({ team: formText(form, "team"), password: formText(form, "password") });
  }
  const unconfirmed = login.error instanceof ApiError && login.error.status === UNCONFIRMED;
  return (
    <FormPage
      title="Login"
      below={
        <>
          <Link to="/signup">No team yet? Sign up</Link>
          <Link to="/reset">Forgot the password?</Link>
        </>
      }
    >
      <form onSubmit={submit}>
        <Field label="Team" name="team" autoComplete="username" required />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
        <CaptchaField ref={login.captcha} onError={login.showError} />
        {unconfirmed && (
          <p>
            <Link to="/confirm">Send the confirmation mail again</Link>
          </p>
        )}
        <button type="submit" disabled={login.pending}>
          Login
        </button>
      </form>
    </FormPage>
  );
}
