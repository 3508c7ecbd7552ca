/** The page of an invitation's link: password, second factor, recovery codes, then the account. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { codeOf, type Invitation, postEnrol, postInvitation } from "../../api/organize";
import { useOrganizeMessages } from "../../messages/organize/words";
import { currentAddress, go, useHash } from "../../navigate";
import { FormPage } from "../../ui/form-page/form-page";
import { Loading } from "../../ui/loading/loading";
import { AppSecret } from "./app-secret";
import { CodeForm } from "./code-form";
import { useSentence } from "./fault";
import styles from "./organize.module.css";
import { PasswordStep } from "./password-step";
import { RecoveryCodes } from "./recovery-codes";
import { Failed, Insecure } from "./refused";
import { Roles } from "./roles";
import { StepTitle } from "./step-title";

type Step =
  | { kind: "password"; chosen: { password: string; fault: string | null } | null }
  | { kind: "factor"; password: string }
  | { kind: "codes"; codes: readonly string[] }
  | { kind: "invalid" };

interface FactorStepProps {
  token: string;
  password: string;
  invitation: Invitation;
  onStep: (step: Step) => void;
}

function FactorStep({ token, password, invitation, onStep }: FactorStepProps) {
  const words = useOrganizeMessages();
  const sentence = useSentence();
  async function enrol(code: string) {
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

function Steps({ token, invitation }: { token: string; invitation: Invitation }) {
  const words = useOrganizeMessages();
  const [step, setStep] = useState<Step>({ kind: "password", chosen: null });
  switch (step.kind) {
    case "password":
      return (
        <div className={styles.stack}>
          <p>{words.invite.greeting}</p>
          <p>
            {words.invite.roles}: <Roles roles={invitation.roles} />
          </p>
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
        <div className={styles.stack}>
          <StepTitle>{words.recovery.title}</StepTitle>
          <RecoveryCodes
            name={invitation.name}
            codes={step.codes}
            onSaved={() => go("/organize", { replace: true })}
          />
        </div>
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
  if (invitation.data) return <Steps token={token} invitation={invitation.data} />;
  if (codeOf(invitation.error) === "link_invalid") return <p>{words.invite.invalid}</p>;
  if (invitation.error) {
    return <Failed error={invitation.error} onRetry={() => void invitation.refetch()} />;
  }
  return <Loading label={words.loading} />;
}

/** The token of the address, which then disappears from the address bar and the history. */
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
        <Insecure />
      ) : token === "" ? (
        <p>{words.invite.noToken}</p>
      ) : (
        <Invited key={token} token={token} />
      )}
    </FormPage>
  );
}
