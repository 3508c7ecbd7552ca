/** What the client itself refuses, in characters as the server counts them. */
import { codePointLength } from "../../domain/text";

const TEAM_NAME = { min: 3, max: 25 };
const PASSWORD_MAX = 128;

export function teamNameFault(name: string): string | null {
  const length = codePointLength(name.normalize("NFC"));
  const fits = length >= TEAM_NAME.min && length <= TEAM_NAME.max;
  return fits ? null : "The team name has 3 to 25 characters.";
}

export function passwordFault(password: string, min: number): string | null {
  const length = codePointLength(password);
  if (length < min) return `The password has at least ${min} characters.`;
  return length > PASSWORD_MAX ? `The password has at most ${PASSWORD_MAX} characters.` : null;
}
