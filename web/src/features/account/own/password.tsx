/** The form for a new password. All sessions end; this one continues with a new token. */
import { postPassword } from "../../../api/calls";
import { useSessionActions } from "../../../api/session";
import { useMessages } from "../../../messages/language";
import { Form, formText } from "../../../ui/field/field";
import { NewPasswordField } from "../new-password";
import { Card } from "./card";
import { PresentPassword } from "./present-password";
import { useSaving } from "./saving";

export function Password({ team }: { team: string }) {
  const { account, own: words } = useMessages();
  const { renew } = useSessionActions();
  const { mutate, isPending } = useSaving(async (body: Parameters<typeof postPassword>[0]) => {
    const answer = await postPassword(body);
    renew(answer.token);
    return answer;
  });
  function submit(form: HTMLFormElement) {
    const body = {
      password: formText(form, "password"),
      newPassword: formText(form, "newPassword"),
    };
    mutate(body, { onSuccess: () => form.reset() });
  }
  return (
    <Card title={account.password} folds>
      <Form onSubmit={submit}>
        <PresentPassword team={team} />
        <NewPasswordField name="newPassword" />
        <p className="quiet">{words.passwordNote}</p>
        <button type="submit" disabled={isPending}>
          {words.changePassword}
        </button>
      </Form>
    </Card>
  );
}
