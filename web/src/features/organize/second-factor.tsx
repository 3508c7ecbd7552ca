/** The organizer's authenticator: remaining recovery codes, and replacement. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  codeOf,
  ME_KEY,
  type Me,
  type NewSecret,
  postNewFactor,
  postReplaceFactor,
  SESSIONS_KEY,
} from "../../api/organize";
import { useOrganizeMessages } from "../../messages/organize/words";
import { useNotify } from "../../ui/notification/notification";
import { AppSecret } from "./app-secret";
import { CodeForm } from "./code-form";
import { useShowError } from "./fault";
import styles from "./organize.module.css";
import { RecoveryCodes } from "./recovery-codes";
import { useGate } from "./second-factor-gate";
import { StepTitle } from "./step-title";

/** Number of remaining recovery codes at which the page suggests new ones. */
const CODES_FEW = 3;

type Step =
  | { kind: "idle"; isBack: boolean }
  | { kind: "app"; secret: NewSecret }
  | { kind: "codes"; codes: readonly string[] };

interface StepProps {
  onStep: (step: Step) => void;
}

function Idle({ me, isBack, onStep }: StepProps & { me: Me; isBack: boolean }) {
  const { account } = useOrganizeMessages();
  const run = useGate();
  const begin = useMutation({
    mutationFn: () => run(postNewFactor),
    onSuccess: (secret) => onStep({ kind: "app", secret }),
    onError: useShowError(),
  });
  return (
    <>
      {isBack ? <StepTitle>{account.factorTitle}</StepTitle> : <h2>{account.factorTitle}</h2>}
      {me.codesLeft > CODES_FEW ? (
        <p>{account.codesLeft(me.codesLeft)}</p>
      ) : (
        <p className={styles.warning}>
          <strong>{account.codesLeft(me.codesLeft)}</strong> {account.fewCodes}
        </p>
      )}
      <div>
        <button type="button" disabled={begin.isPending} onClick={() => begin.mutate()}>
          {account.replace}
        </button>
      </div>
    </>
  );
}

function NewApp({ secret, onStep }: StepProps & { secret: NewSecret }) {
  const words = useOrganizeMessages();
  const run = useGate();
  const { notify } = useNotify();
  async function replace({ code }: { code: string }) {
    const { enrolment } = secret;
    try {
      const { recoveryCodes } = await run(() => postReplaceFactor({ enrolment, code }));
      onStep({ kind: "codes", codes: recoveryCodes });
    } catch (error) {
      if (codeOf(error) !== "link_invalid") throw error;
      notify("error", { message: words.account.expired });
      onStep({ kind: "idle", isBack: true });
    }
  }
  return (
    <div className={`${styles.stack} ${styles.narrow}`}>
      <StepTitle>{words.account.replaceTitle}</StepTitle>
      <p>{words.account.replaceNote}</p>
      <AppSecret {...secret} />
      <CodeForm button={words.code.confirm} send={replace}>
        <button type="button" onClick={() => onStep({ kind: "idle", isBack: true })}>
          {words.cancel}
        </button>
      </CodeForm>
    </div>
  );
}

export function SecondFactor({ me }: { me: Me }) {
  const cache = useQueryClient();
  const [step, setStep] = useState<Step>({ kind: "idle", isBack: false });
  function finish() {
    void cache.invalidateQueries({ queryKey: ME_KEY });
    void cache.invalidateQueries({ queryKey: SESSIONS_KEY });
    setStep({ kind: "idle", isBack: true });
  }
  return (
    <section className={`${styles.card} ${styles.stack}`}>
      {step.kind === "idle" && <Idle me={me} isBack={step.isBack} onStep={setStep} />}
      {step.kind === "app" && <NewApp secret={step.secret} onStep={setStep} />}
      {step.kind === "codes" && (
        <div className={styles.narrow}>
          <RecoveryCodes name={me.name} codes={step.codes} onSaved={finish} />
        </div>
      )}
    </section>
  );
}
