/** The invitation page: password, authenticator, recovery codes, then the account. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { codeOf, type Invitation, postEnrol, postInvitation } from "../../api/organize";
import { useCtf } from "../../api/queries";
import { codePointLength } from "../../domain/text";
import { useMessages } from "../../messages/language";
import { useOrganizeMessages, wordFor } from "../../messages/organize/words";
import { currentAddress, go, useHash } from "../../navigate";
import { Field, Form, formText } from "../../ui/field/field";
import { FormPage } from "../../ui/form-page/form-page";
import { AppSecret } from "./app-secret";
import { CodeForm } from "./code-form";
import { useFault, useSentence } from "./fault";
import styles from "./organize.module.css";
import { HttpsRequired, QueryContent } from "./query-content";
import { RecoveryCodes } from "./recovery-codes";
import { StepTitle } from "./step-title";

type Step =
  | { kind: "password"; chosen: { password: string; fault: string | null } | null }
  | { kind: "factor"; password: string }
  | { kind: "codes"; codes: readonly string[] }
  | { kind: "invalid" };

/** Minimum password length for organizers, independent of the event's setting for teams. */
const PASSWORD_MIN = 10;
const PASSWORD_MAX = 128;

interface PasswordStepProps {
  name: string;
  /** The previously chosen password, and the server's error about it. */
  chosen: { password: string; fault: string | null } | null;
  onChoose: (password: string) => void;
}

/** First step: the password. The name field exists for password managers. */
function PasswordStep({ name, chosen, onChoose }: PasswordStepProps) {
  const { account } = useMessages();
  const words = useOrganizeMessages();
  const teamMin = useCtf().data?.info.passwordMin ?? PASSWORD_MIN;
  const passwordMin = Math.max(teamMin, PASSWORD_MIN);
  const { field, fault, show } = useFault(chosen?.fault);
  const isBack = chosen !== null;
  useEffect(() => {
    if (isBack) field.current?.focus();
  }, [field, isBack]);
  function submit(form: HTMLFormElement) {
    const password = formText(form, "password");
    const length = codePointLength(password);
    if (length < passwordMin) show(account.passwordShort(passwordMin));
    else if (length > PASSWORD_MAX) show(account.passwordLong(PASSWORD_MAX));
    else onChoose(password);
  }
  return (
    <Form onSubmit={submit} className={styles.stack}>
      <h2>{words.invite.passwordTitle}</h2>
      <Field
        announced
        label={words.name}
        name="name"
        autoComplete="username"
        value={name}
        readOnly
      />
      <Field
        announced
        ref={field}
        label={words.invite.password}
        name="password"
        type="password"
        autoComplete="new-password"
        defaultValue={chosen?.password}
        hint={words.invite.passwordHint(passwordMin)}
        fault={fault}
        required
      />
      <button type="submit">{words.continue}</button>
    </Form>
  );
}

interface FactorStepProps {
  token: string;
  password: string;
  invitation: Invitation;
  onStep: (step: Step) => void;
}

function FactorStep({ token, password, invitation, onStep }: FactorStepProps) {
  const words = useOrganizeMessages();
  const sentence = useSentence();
  async function enrol({ code }: { code: string }) {
    try {
      const { recoveryCodes } = await postEnrol({
        token,
        password,
        enrolment: invitation.enrolment,
        code,
      });
      onStep({ kind: "codes", codes: recoveryCodes });
    } catch (error) {
      const reason = codeOf(error) ?? "";
      if (reason === "link_invalid") onStep({ kind: "invalid" });
      else if (!reason.startsWith("password_")) throw error;
      else onStep({ kind: "password", chosen: { password, fault: sentence(error) } });
    }
  }
  const back = () => onStep({ kind: "password", chosen: { password, fault: null } });
  return (
    <div className={styles.stack}>
      <StepTitle>{words.invite.factorTitle}</StepTitle>
      <AppSecret {...invitation} />
      <CodeForm button={words.invite.finish} send={enrol}>
        <button type="button" onClick={back}>
          {words.back}
        </button>
      </CodeForm>
    </div>
  );
}

/** The roles of the invitation, each in one sentence. */
function RoleNotes({ roles }: { roles: readonly string[] }) {
  const words = useOrganizeMessages();
  return (
    <div>
      <p className={styles.muted}>{words.invite.roles}</p>
      <ul>
        {roles.map((role) => (
          <li key={role}>
            <strong>{wordFor(words.roles, role)}</strong>: {words.manage.people.roleNotes[role]}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Steps({ token, invitation }: { token: string; invitation: Invitation }) {
  const words = useOrganizeMessages();
  const [step, setStep] = useState<Step>({ kind: "password", chosen: null });
  switch (step.kind) {
    case "password":
      return (
        <div className={styles.stack}>
          <p>{words.invite.greeting}</p>
          <RoleNotes roles={invitation.roles} />
          <PasswordStep
            name={invitation.name}
            chosen={step.chosen}
            onChoose={(password) => setStep({ kind: "factor", password })}
          />
        </div>
      );
    case "factor":
      return (
        <FactorStep
          token={token}
          password={step.password}
          invitation={invitation}
          onStep={setStep}
        />
      );
    case "codes":
      return (
        <RecoveryCodes
          name={invitation.name}
          codes={step.codes}
          onSaved={() => go("/organize", { replace: true })}
        />
      );
    case "invalid":
      return <p role="alert">{words.invite.invalid}</p>;
  }
}

function Invited({ token }: { token: string }) {
  const words = useOrganizeMessages();
  const invitation = useQuery({
    queryKey: ["organize", "invitation", token],
    queryFn: () => postInvitation(token),
    staleTime: Infinity,
    gcTime: 0,
  });
  if (!invitation.data && codeOf(invitation.error) === "link_invalid")
    return <p>{words.invite.invalid}</p>;
  return (
    <QueryContent of={invitation} label={words.loading}>
      {(data) => <Steps token={token} invitation={data} />}
    </QueryContent>
  );
}

/** Returns the token from the URL, and removes it from the address bar and history. */
function useToken(): string {
  const token = useHash();
  useEffect(() => {
    if (token !== "") window.history.replaceState(window.history.state, "", currentAddress());
  }, [token]);
  return token;
}

export default function InvitePage() {
  const words = useOrganizeMessages();
  const token = useToken();
  return (
    <FormPage title={words.invite.title}>
      {!window.isSecureContext ? (
        <HttpsRequired />
      ) : token === "" ? (
        <p>{words.invite.noToken}</p>
      ) : (
        <Invited key={token} token={token} />
      )}
    </FormPage>
  );
}
