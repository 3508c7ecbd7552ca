/** The field for a code of the authenticator app. */
import type { Ref } from "react";
import { useOrganizeMessages } from "../../messages/organize/words";
import { Field, formText } from "../../ui/field/field";

/** The six digits of the form's code, which may have been typed with spaces; `null` if not six. */
export function sixDigits(form: HTMLFormElement): string | null {
  const code = formText(form, "code").replace(/\s/g, "");
  return /^[0-9]{6}$/.test(code) ? code : null;
}

export function CodeField(props: { ref: Ref<HTMLInputElement>; fault: string | null }) {
  const { code } = useOrganizeMessages();
  return (
    <Field
      announced
      label={code.label}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      required
      {...props}
    />
  );
}
