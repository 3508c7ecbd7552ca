/** A form that requests an email; the response is the same for known and unknown addresses. */
import { EmailField, Form, formText } from "../../ui/field/field";
import { useSending } from "./outcome";

interface EmailFormProps {
  send: (email: string) => Promise<{ message: string }>;
  button: string;
}

export function EmailForm({ send, button }: EmailFormProps) {
  const mail = useSending(send);
  return (
    <Form onSubmit={(form) => mail.mutate(formText(form, "email").trim())}>
      <EmailField />
      <button type="submit" disabled={mail.isPending}>
        {button}
      </button>
    </Form>
  );
}
