/** Forms for an authenticator code, and for a recovery code instead. */
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import type { FactorRequest } from "../../api/organize";
import { useOrganizeMessages } from "../../messages/organize/words";
import { Field, Form, formText } from "../../ui/field/field";
import { useFault, useSentence } from "./fault";
import styles from "./organize.module.css";

/** Returns the six digits of the form's code, without spaces; `null` if there are not six. */
function sixDigits(form: HTMLFormElement): string | null {
  const code = formText(form, "code").replace(/\s/g, "");
  return /^[0-9]{6}$/.test(code) ? code : null;
}

interface CodeFormProps {
  button: string;
  /** Sends the proof. A rejection is shown at the field. */
  send: (proof: { code: string; isRecovery: boolean }) => Promise<void>;
  /** Extra buttons; by default, the one that switches to the other kind of code. */
  children?: ReactNode;
}

export function CodeForm({ button, send, children }: CodeFormProps) {
  const { code: words } = useOrganizeMessages();
  const sentence = useSentence();
  const [isRecovery, setRecovery] = useState(false);
  const { field, fault, show } = useFault();
  const sending = useMutation({ mutationFn: send, onError: (error) => show(sentence(error)) });
  const isProof = children === undefined;
  // Focus the field: the previously focused element is gone or behind a dialog.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each kind has its own field.
  useEffect(() => {
    if (isProof) field.current?.focus();
  }, [field, isProof, isRecovery]);
  function submit(form: HTMLFormElement) {
    const code = isRecovery ? formText(form, "recoveryCode").trim() : sixDigits(form);
    show(code === null ? words.fault : null);
    if (code !== null) sending.mutate({ code, isRecovery });
  }
  function change() {
    show(null);
    setRecovery(!isRecovery);
  }
  const kind = isRecovery
    ? ({
        label: words.recoveryLabel,
        name: "recoveryCode",
        autoComplete: "off",
        autoCapitalize: "none",
        spellCheck: false,
        hint: words.recoveryHint,
      } as const)
    : ({
        label: words.label,
        name: "code",
        inputMode: "numeric",
        autoComplete: "one-time-code",
      } as const);
  return (
    <Form onSubmit={submit} className={styles.stack}>
      <Field key={kind.name} announced ref={field} fault={fault} required {...kind} />
      <div className={styles.row}>
        <button type="submit" disabled={sending.isPending}>
          {button}
        </button>
        {children ?? (
          <button type="button" onClick={change}>
            {isRecovery ? words.useApp : words.useRecovery}
          </button>
        )}
      </div>
    </Form>
  );
}

export function FactorForm({ prove }: { prove: (proof: FactorRequest) => Promise<void> }) {
  const { code: words } = useOrganizeMessages();
  return (
    <CodeForm
      button={words.confirm}
      send={({ code, isRecovery }) => prove(isRecovery ? { recoveryCode: code } : { code })}
    />
  );
}
