/** A form that requests a mail; the response is the same for known and unknown addresses. */
import { useMessages } from "../../messages/language";
import { Field, Form, formText } from "../../ui/field/field";
import { useSending } from "./outcome";

interface EmailFormProps {
  send: (email: string) => Promise<{ message: string }>;
  button: string;
}

export function EmailForm({ send, button }: EmailFormProps) {
  const { account } = useMessages();
  const mail = useSending(send);
  return (
    <Form onSubmit={(form) => mail.mutate(formText(form, "email").trim())}>
      <Field label={account.email} name="email" type="email" autoComplete="email" required />
      <button type="submit" disabled={mail.isPending}>
        {button}
      </button>
    </Form>
  );
}
