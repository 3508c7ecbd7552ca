/** A new password, with the present one; all sessions end, and this one gets another token. */
import { useState } from "react";
import { postPassword } from "../../../api/calls";
import { useCtf } from "../../../api/queries";
import { useSessionActions } from "../../../api/session";
import { useMessages } from "../../../messages/language";
import { Field, Form, formText } from "../../../ui/field/field";
import { PASSWORD_MIN, passwordFault } from "../faults";
import { Card } from "./card";
import styles from "./own.module.css";
import { PresentPassword } from "./present-password";
import { useSaving } from "./saving";

export function Password({ team }: { team: string }) {
  const messages = useMessages();
  const { account, own: words } = messages;
  const passwordMin = useCtf().data?.info.passwordMin ?? PASSWORD_MIN;
  const [fault, setFault] = useState<string | null>(null);
  const { renew } = useSessionActions();
  const { mutate, isPending } = useSaving(async (body: Parameters<typeof postPassword>[0]) => {
    const answer = await postPassword(body);
    renew(answer.token);
    return answer;
  });
  function submit(form: HTMLFormElement) {
    const newPassword = formText(form, "newPassword");
    const found = passwordFault(messages, newPassword, passwordMin);
    setFault(found);
    if (found !== null) return;
    const body = { password: formText(form, "password"), newPassword };
    mutate(body, { onSuccess: () => form.reset() });
  }
  return (
    <Card title={account.password}>
      <Form onSubmit={submit}>
        <PresentPassword team={team} />
        <Field
          label={account.resetTitle}
          name="newPassword"
          type="password"
          autoComplete="new-password"
          hint={account.passwordHint(passwordMin)}
          fault={fault}
          announced
          required
        />
        <p className={styles.note}>{words.passwordNote}</p>
        <button type="submit" disabled={isPending}>
          {words.changePassword}
        </button>
      </Form>
    </Card>
  );
}
