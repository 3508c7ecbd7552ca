/** Signup of a team. The next step, email confirmation or login, replaces the form. */
import { useState } from "react";
import { loginAddress, readDestination } from "../../addresses";
import { postSignup } from "../../api/calls";
import { useSignupPhase, useStatus } from "../../api/clock";
import { keepDestination } from "../../api/destination";
import { useCtf } from "../../api/queries";
import { useSession } from "../../api/session";
import { clearToken } from "../../api/token";
import type { SignupPhase } from "../../domain/signup-phase";
import { STUDENT_LABEL } from "../../domain/student-label";
import { useMessages } from "../../messages/language";
import { Redirect, useAddress } from "../../navigate";
import { EmailField, Field, Form, formText } from "../../ui/field/field";
import { FormPage } from "../../ui/form-page/form-page";
import { useNotify } from "../../ui/notification/notification";
import { useHours } from "../../ui/times/times";
import { useAttempt } from "./attempt";
import { CaptchaField } from "./captcha-field";
import { CheckMail, type Created } from "./check-mail";
import { CountryBox } from "./country-box";
import { TEAM_NAME, teamNameFault } from "./faults";
import { LoginForm } from "./login-form";
import { NewPasswordField } from "./new-password";
import { DivisionFields, readDivisions } from "./own/division-fields";
import styles from "./signup.module.css";
import { readAnswers, SignupFields } from "./signup-fields";

const TEAM_CREATED = "Team created, check your email for a verification link!";
const TEAM_CREATED_UNCONFIRMED = "Team created, you can log in now!";
const TEAM_WAITING = "Your team is on the waiting list, check your email for a verification link!";
const TEAM_WAITING_UNCONFIRMED =
  "Your team is on the waiting list. We will send an email when it gets a place.";

function messageOf(isWaiting: boolean, mustConfirm: boolean): string {
  if (isWaiting) return mustConfirm ? TEAM_WAITING : TEAM_WAITING_UNCONFIRMED;
  return mustConfirm ? TEAM_CREATED : TEAM_CREATED_UNCONFIRMED;
}

function readForm(
  form: HTMLFormElement,
  questions: Parameters<typeof readAnswers>[1],
  divisions: Parameters<typeof readDivisions>[1],
) {
  return {
    teamName: formText(form, "teamName").trim(),
    email: formText(form, "email").trim(),
    country: formText(form, "country"),
    password: formText(form, "password"),
    studentTeam: formText(form, "studentTeam") !== "",
    ...(form.elements.namedItem("code") && { code: formText(form, "code").trim() }),
    ...(questions.length > 0 && { fields: readAnswers(form, questions) }),
    ...(divisions.length > 0 && readDivisions(form, divisions)),
  };
}

/** Field for the signup code, if the event uses codes. */
function CodeField() {
  const { account } = useMessages();
  const codes = useCtf().data?.info.registration.codes ?? "none";
  if (codes === "none") return null;
  const isRequired = codes === "required";
  return (
    <Field
      label={isRequired ? account.signupCode : account.optional(account.signupCode)}
      name="code"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      required={isRequired}
    />
  );
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

/** The page after a signup for the waiting list that requires no confirmation. */
function Waits() {
  const { account, problem } = useMessages();
  return (
    <FormPage title={account.waitingTitle} below={<a href="/">{problem.toHome}</a>}>
      <p>{account.waitingNote}</p>
    </FormPage>
  );
}

export default function SignupPage() {
  const { team } = useSession();
  const to = readDestination(useAddress().search);
  const confirmEmail = useCtf().data?.info.confirmEmail ?? true;
  const [created, setCreated] = useState<Created | null>(null);
  if (created?.isWaiting && !confirmEmail) return <Waits />;
  if (created && !confirmEmail) return <LogIn team={created.teamName} to={to} />;
  if (team !== null) return <Redirect to="/" />;
  if (!created) return <SignupForm to={to} onCreated={setCreated} />;
  return <CheckMail created={created} onMoved={(email) => setCreated({ ...created, email })} />;
}

/** Note about the signup window: that it is closed, or when it opens or closes. */
function WindowNote({ phase }: { phase: SignupPhase | undefined }) {
  const { account } = useMessages();
  const time = useHours();
  const { opens, closes } = useCtf().data?.info.registration ?? {};
  if (phase === "closed") return <p>{account.registrationClosed}</p>;
  if (phase === "notOpen") return <p>{account.registrationOpens(time(opens ?? 0))}</p>;
  return closes == null ? null : (
    <p className={styles.closes}>{account.registrationCloses(time(closes))}</p>
  );
}

function SignupForm({ to, onCreated }: { to: string; onCreated: (created: Created) => void }) {
  const messages = useMessages();
  const info = useCtf().data?.info;
  const { notify } = useNotify();
  const signup = useAttempt(async (input: ReturnType<typeof readForm>, captchaToken) => {
    clearToken();
    const { waiting: isWaiting = false } = await postSignup({ ...input, captchaToken });
    keepDestination(to);
    notify("info", { message: messageOf(isWaiting, info?.confirmEmail ?? true) });
    onCreated({ ...input, isWaiting });
  });
  const isOver = useStatus() === "ended";
  const phase = useSignupPhase();
  const questions = info?.registration.fields ?? [];
  const divisions = info?.divisions ?? [];
  // The checkbox has no field for a code, and teams cannot join what only organizers change.
  const hasStudentBox = divisions.every(
    ({ student, join }) => !student || join === "open" || join === "domain",
  );
  const below = <a href={loginAddress(to)}>{messages.account.haveTeam}</a>;
  const { full: isFull = false, waitingList: hasWaitingList = false } = info?.registration ?? {};
  if (phase === "closed" || phase === "notOpen") {
    return (
      <FormPage title={messages.account.signup} below={below}>
        <WindowNote phase={phase} />
      </FormPage>
    );
  }
  if (isFull && !hasWaitingList) {
    return (
      <FormPage title={messages.account.signup} below={below}>
        <p>{messages.account.eventFull}</p>
      </FormPage>
    );
  }
  return (
    <FormPage title={messages.account.signup} below={below}>
      {isOver && <p className={styles.over}>{messages.account.eventOver}</p>}
      {!isOver && <WindowNote phase={phase} />}
      {isFull && (
        <p className={styles.over}>
          {messages.account.eventFull} {messages.account.waitingOffer}
        </p>
      )}
      <Form
        onSubmit={(form) => signup.submit(readForm(form, questions, divisions))}
        onInput={signup.onInput}
      >
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
        <CodeField />
        <NewPasswordField label={messages.account.password} />
        <SignupFields />
        <DivisionFields student={!hasStudentBox} />
        {hasStudentBox && (
          <StudentBox
            label={messages.translate({ message: info?.studentLabel || STUDENT_LABEL })}
          />
        )}
        <CaptchaField {...signup.captcha} />
        <button type="submit" disabled={signup.pending}>
          {isFull ? messages.account.waitingButton : messages.account.signup}
        </button>
      </Form>
    </FormPage>
  );
}
