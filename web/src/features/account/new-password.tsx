/** The field for a new password. */
import type { ComponentProps } from "react";
import { useCtf } from "../../api/queries";
import { useMessages } from "../../messages/language";
import { PasswordField } from "../../ui/field/field";
import { PASSWORD_MIN, passwordFault } from "./faults";

/** The field of a new password, whose length is checked at submission. */
export function NewPasswordField(props: ComponentProps<typeof PasswordField>) {
  const messages = useMessages();
  const { account } = messages;
  const min = useCtf().data?.info.passwordMin ?? PASSWORD_MIN;
  const check = (password: string) => passwordFault(messages, password, min);
  const input = { label: account.resetTitle, hint: account.passwordHint(min), check };
  return <PasswordField {...input} autoComplete="new-password" {...props} />;
}
