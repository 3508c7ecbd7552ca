/** The field of a new password, and what is wrong with one. */
import type { ComponentProps } from "react";
import { useCtf } from "../../api/queries";
import { useMessages } from "../../messages/language";
import { PasswordField } from "../../ui/field/field";
import { PASSWORD_MIN, passwordFault } from "./faults";

function usePasswordMin(): number {
  return useCtf().data?.info.passwordMin ?? PASSWORD_MIN;
}

export function usePasswordFault(): (password: string) => string | null {
  const messages = useMessages();
  const min = usePasswordMin();
  return (password) => passwordFault(messages, password, min);
}

export function NewPasswordField(props: ComponentProps<typeof PasswordField>) {
  const { account } = useMessages();
  const hint = account.passwordHint(usePasswordMin());
  const input = { label: account.resetTitle, hint, autoComplete: "new-password" };
  return <PasswordField {...input} {...props} />;
}
