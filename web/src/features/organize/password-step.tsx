/** The first step of an invitation: the password. The name is there for password managers. */
import { useEffect } from "react";
import { useCtf } from "../../api/queries";
import { codePointLength } from "../../domain/text";
import { useMessages } from "../../messages/language";
import { useOrganizeMessages } from "../../messages/organize/words";
import { Field, Form, formText } from "../../ui/field/field";
import { useFault } from "./fault";
import styles from "./organize.module.css";

/** Organizers need at least this many characters, whatever the event asks of teams. */
const PASSWORD_MIN = 10;
const PASSWORD_MAX = 128;

interface PasswordStepProps {
  name: string;
  /** The password as it was chosen before, and what the server says about it. */
  chosen: { password: string; fault: string | null } | null;
  onChoose: (password: string) => void;
}

export function PasswordStep({ name, chosen, onChoose }: PasswordStepProps) {
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
