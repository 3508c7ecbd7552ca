/** The team's email address, and the form to change it. */
import { type Account, postEmail } from "../../../api/calls";
import { useMessages } from "../../../messages/language";
import { EmailField, Form, formText } from "../../../ui/field/field";
import { Card } from "./card";
import styles from "./own.module.css";
import { PresentPassword } from "./present-password";
import { useSaving } from "./saving";

export function Email({ own }: { own: Account }) {
  const { account, own: words } = useMessages();
  const { mutate, isPending } = useSaving(postEmail);
  function submit(form: HTMLFormElement) {
    const body = { password: formText(form, "password"), email: formText(form, "email").trim() };
    mutate(body, { onSuccess: () => form.reset() });
  }
  return (
    <Card title={account.email} folds>
      <p className={styles.value}>
        <bdi>{own.email}</bdi>
      </p>
      {own.newEmail && <p>{words.emailWaits(own.newEmail)}</p>}
      <Form onSubmit={submit}>
        <EmailField label={words.newEmail} />
        <PresentPassword team={own.teamName} />
        <p className="quiet">{words.emailNote}</p>
        <button type="submit" disabled={isPending}>
          {words.changeEmail}
        </button>
      </Form>
    </Card>
  );
}
