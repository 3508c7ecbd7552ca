/** Signup of a team. The next step, email confirmation or login, replaces the form. */
import { useState } from "react";
import { loginAddress, readDestination } from "../../addresses";
import { postSignup } from "../../api/calls";
import { useStatus } from "../../api/clock";
import { keepDestination } from "../../api/destination";
import { useCtf } from "../../api/queries";
import { useSession } from "../../api/session";
import { clearToken } from "../../api/token";
import { STUDENT_LABEL } from "../../domain/student-label";
import { useMessages } from "../../messages/language";
import { Redirect, useAddress } from "../../navigate";
import { EmailField, Field, Form, formText } from "../../ui/field/field";
import { FormPage } from "../../ui/form-page/form-page";
import { useNotify } from "../../ui/notification/notification";
import { useAttempt } from "./attempt";
import { CaptchaField } from "./captcha-field";
import { CheckMail, type Created } from "./check-mail";
import { CountryBox } from "./country-box";
import { TEAM_NAME, teamNameFault } from "./faults";
import { LoginForm } from "./login-form";
import { NewPasswordField } from "./new-password";
import styles from "./signup.module.css";

const TEAM_CREATED = "Team created, check your email for a verification link!";
const TEAM_CREATED_UNCONFIRMED = "Team created, you can log in now!";

function readForm(form: HTMLFormElement) {
  return {
    teamName: formText(form, "teamName").trim(),
    email: formText(form, "email").trim(),
    country: formText(form, "country"),
    password: formText(form, "password"),
    studentTeam: formText(form, "studentTeam") !== "",
  };
}

function StudentBox({ label }: { label: string }) {
  return (
    <label className={styles.student}>
      <input type="checkbox" name="studentTeam" value="yes" />
      {label}
    </label>
  );
}

/** The next step after a signup that requires no confirmation. */
function LogIn({ team, to }: { team: string; to: string }) {
  const { account } = useMessages();
  return (
    <FormPage title={account.createdTitle}>
      <div className={styles.created}>
        <p>{account.lastStep}</p>
        <LoginForm team={team} to={to} />
      </div>
    </FormPage>
  );
}

export default function SignupPage() {
  const { team } = useSession();
  const to = readDestination(useAddress().search);
  const confirmEmail = useCtf().data?.info.confirmEmail ?? true;
  const [created, setCreated] = useState<Created | null>(null);
  if (created && !confirmEmail) return <LogIn team={created.teamName} to={to} />;
  if (team !== null) return <Redirect to="/" />;
  if (!created) return <SignupForm to={to} onCreated={setCreated} />;
  return <CheckMail created={created} onMoved={(email) => setCreated({ ...created, email })} />;
}

function SignupForm({ to, onCreated }: { to: string; onCreated: (created: Created) => void }) {
  const messages = useMessages();
  const info = useCtf().data?.info;
  const { notify } = useNotify();
  const signup = useAttempt(async (input: ReturnType<typeof readForm>, captchaToken) => {
    clearToken();
    await postSignup({ ...input, captchaToken });
    keepDestination(to);
    const mustConfirm = info?.confirmEmail ?? true;
    notify("info", { message: mustConfirm ? TEAM_CREATED : TEAM_CREATED_UNCONFIRMED });
    onCreated(input);
  });
  const isOver = useStatus() === "ended";
  const below = <a href={loginAddress(to)}>{messages.account.haveTeam}</a>;
  if (info && !info.registrationOpen) {
    return (
      <FormPage title={messages.account.signup} below={below}>
        <p>{messages.account.registrationClosed}</p>
      </FormPage>
    );
  }
  return (
    <FormPage title={messages.account.signup} below={below}>
      {isOver && <p className={styles.over}>{messages.account.eventOver}</p>}
      <Form onSubmit={(form) => signup.submit(readForm(form))} onInput={signup.onInput}>
        <Field
          label={messages.account.teamName}
          name="teamName"
          autoComplete="username"
          hint={messages.account.nameHint(TEAM_NAME.min, TEAM_NAME.max)}
          check={(name) => teamNameFault(messages, name.trim())}
          autoFocus
          required
        />
        <EmailField />
        <CountryBox />
        <NewPasswordField label={messages.account.password} />
        <StudentBox label={messages.translate({ message: info?.studentLabel || STUDENT_LABEL })} />
        <CaptchaField {...signup.captcha} />
        <button type="submit" disabled={signup.pending}>
          {messages.account.signup}
        </button>
      </Form>
    </FormPage>
  );
}
