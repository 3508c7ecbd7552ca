/** A form for the six-digit code of a new authenticator app. */
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useOrganizeMessages } from "../../messages/organize/words";
import { Form } from "../../ui/field/field";
import { CodeField, sixDigits } from "./code-field";
import { useFault, useSentence } from "./fault";
import styles from "./organize.module.css";

interface CodeFormProps {
  button: string;
  /** An error that it rejects with is shown at the field. */
  send: (code: string) => Promise<void>;
  /** Buttons beside the form's own. */
  children: ReactNode;
}

export function CodeForm({ button, send, children }: CodeFormProps) {
  const { code: words } = useOrganizeMessages();
  const sentence = useSentence();
  const { field, fault, show } = useFault();
  const confirm = useMutation({ mutationFn: send, onError: (error) => show(sentence(error)) });
  function submit(form: HTMLFormElement) {
    const code = sixDigits(form);
    show(code === null ? words.fault : null);
    if (code !== null) confirm.mutate(code);
  }
  return (
    <Form onSubmit={submit} className={styles.stack}>
      <CodeField ref={field} fault={fault} />
      <div className={styles.row}>
        <button type="submit" disabled={confirm.isPending}>
          {button}
        </button>
        {children}
      </div>
    </Form>
  );
}
