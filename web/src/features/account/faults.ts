/** Client-side validation. Lengths are in code points, as on the server. */
import { codePointLength } from "../../domain/text";
import type { Messages } from "../../messages/en";

export const TEAM_NAME = { min: 3, max: 25 };
/** Minimum password length until the event info, which contains the event's minimum, is loaded. */
export const PASSWORD_MIN = 6;
const PASSWORD_MAX = 128;

export function teamNameFault({ account }: Messages, name: string): string | null {
  const length = codePointLength(name.normalize("NFC"));
  const fits = length >= TEAM_NAME.min && length <= TEAM_NAME.max;
  return fits ? null : account.nameFault(TEAM_NAME.min, TEAM_NAME.max);
}

export function passwordFault(messages: Messages, password: string, min: number): string | null {
  const length = codePointLength(password);
  if (length < min) return messages.account.passwordShort(min);
  return length > PASSWORD_MAX ? messages.account.passwordLong(PASSWORD_MAX) : null;
}
