/** A new password, with the present one; all sessions end, and this one gets another token. */
import { useState } from "react";
import { postPassword } from "../../../api/calls";
import { useSessionActions } from "../../../api/session";
import { useMessages } from "../../../messages/language";
import { Form, formText } from "../../../ui/field/field";
import { NewPasswordField, usePasswordFault } from "../new-password";
import { Card } from "./card";
import { PresentPassword } from "./present-password";
import { useSaving } from "./saving";

export function Password({ team }: { team: string }) {
  const { account, own: words } = useMessages();
  const passwordFault = usePasswordFault();
  const [fault, setFault] = useState<string | null>(null);
  const { renew } = useSessionActions();
  const { mutate, isPending } = useSaving(async (body: Parameters<typeof postPassword>[0]) => {
    const answer = await postPassword(body);
    renew(answer.token);
    return answer;
  });
  function submit(form: HTMLFormElement) {
    const newPassword = formText(form, "newPassword");
    const found = passwordFault(newPassword);
    setFault(found);
    if (found !== null) return;
    const body = { password: formText(form, "password"), newPassword };
    mutate(body, { onSuccess: () => form.reset() });
  }
  return (
    <Card title={account.password}>
      <Form onSubmit={submit}>
        <PresentPassword team={team} />
        <NewPasswordField name="newPassword" fault={fault} announced />
        <p className="quiet">{words.passwordNote}</p>
        <button type="submit" disabled={isPending}>
          {words.changePassword}
        </button>
      </Form>
    </Card>
  );
}
