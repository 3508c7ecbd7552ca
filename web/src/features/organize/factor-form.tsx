/** A form that proves the second factor: with a code of the app, or with a recovery code. */
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { FactorRequest } from "../../api/organize";
import { useOrganizeMessages } from "../../messages/organize/words";
import { Field, Form, formText } from "../../ui/field/field";
import { CodeField, sixDigits } from "./code-field";
import { useFault, useSentence } from "./fault";
import styles from "./organize.module.css";

export function FactorForm({ prove }: { prove: (proof: FactorRequest) => Promise<void> }) {
  const { code: words } = useOrganizeMessages();
  const sentence = useSentence();
  const [isRecovery, setRecovery] = useState(false);
  const { field, fault, show } = useFault();
  const proof = useMutation({
    mutationFn: prove,
    onError: (error) => show(sentence(error)),
  });
  // The field is the form's purpose: what had the focus before is gone or below a dialog.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each kind has a field of its own.
  useEffect(() => field.current?.focus(), [field, isRecovery]);
  function submit(form: HTMLFormElement) {
    if (isRecovery) {
      show(null);
      proof.mutate({ recoveryCode: formText(form, "recoveryCode").trim() });
      return;
    }
    const code = sixDigits(form);
    show(code === null ? words.fault : null);
    if (code !== null) proof.mutate({ code });
  }
  function change() {
    show(null);
    setRecovery(!isRecovery);
  }
  return (
    <Form onSubmit={submit} className={styles.stack}>
      {isRecovery ? (
        <Field
          announced
          ref={field}
          label={words.recoveryLabel}
          name="recoveryCode"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint={words.recoveryHint}
          fault={fault}
          required
        />
      ) : (
        <CodeField ref={field} fault={fault} />
      )}
      <div className={styles.row}>
        <button type="submit" disabled={proof.isPending}>
          {words.confirm}
        </button>
        <button type="button" onClick={change}>
          {isRecovery ? words.useApp : words.useRecovery}
        </button>
      </div>
    </Form>
  );
}
