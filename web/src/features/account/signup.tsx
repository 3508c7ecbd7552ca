/** Signup of a team. What follows is in place of the form: the mail that confirms, or the login. */
import { type RefObject, useRef, useState } from "react";
import { loginAddress, readDestination } from "../../addresses";
import { postSignup } from "../../api/calls";
import { useStatus } from "../../api/clock";
import { keepDestination } from "../../api/destination";
import { useCtf } from "../../api/queries";
import { useSession } from "../../api/session";
import { clearToken } from "../../api/token";
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
import { NewPasswordField, usePasswordFault } from "./new-password";
import styles from "./signup.module.css";

const TEAM_CREATED = "Team created, check your email for a verification link!";
const TEAM_CREATED_UNCONFIRMED = "Team created, you can log in now!";
const STUDENT_LABEL = "My team is fully composed of polito students. (optional)";

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

/** Client-side validation of the form; `check` focuses the first invalid field. */
function useFaults(form: RefObject<HTMLFormElement | null>) {
  const messages = useMessages();
  const passwordFault = usePasswordFault();
  const [faults, setFaults] = useState<{ name: string | null; password: string | null }>();
  function check(): boolean {
    if (!form.current) return false;
    const input = readForm(form.current);
    const name = teamNameFault(messages, input.teamName);
    const password = passwordFault(input.password);
    setFaults({ name, password });
    if (name === null && password === null) return true;
    const box = form.current.elements.namedItem(name === null ? "password" : "teamName");
    if (box instanceof HTMLInputElement) box.focus();
    return false;
  }
  return { faults, check };
}

/** What follows a signup where no address has to be confirmed. */
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
  const form = useRef<HTMLFormElement>(null);
  const { faults, check } = useFaults(form);
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
      <Form ref={form} onSubmit={(form) => signup.submit(readForm(form), check())}>
        <Field
          label={messages.account.teamName}
          name="teamName"
          autoComplete="username"
          hint={messages.account.nameHint(TEAM_NAME.min, TEAM_NAME.max)}
          fault={faults?.name}
          autoFocus
          required
        />
        <EmailField />
        <CountryBox />
        <NewPasswordField label={messages.account.password} fault={faults?.password} />
        <StudentBox label={messages.translate({ message: info?.studentLabel || STUDENT_LABEL })} />
        <CaptchaField ref={signup.captcha} onError={signup.showError} />
        {/* The browser does not submit with an empty field or captcha: check the others too. */}
        <button type="submit" disabled={signup.pending} onClick={check}>
          {messages.account.signup}
        </button>
      </Form>
    </FormPage>
  );
}
