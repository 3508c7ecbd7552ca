/** The riddle of the home page: a made-up flag in the event's format, with its letters moved. */
import { sampleFlag } from "./flag-format";

const SECRET = "set_s4il";
/** A prefix in braces. Other formats, such as a pattern of hexadecimal digits, are not imitated. */
const PLAIN = /^[^\s{}[\]()*+?|\\]{0,40}\{[^{}]*\}$/;

/** Moves each letter of the alphabet by 13. */
export function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const first = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
  });
}

/** The riddle for a flag format, and the flag that solves it. */
export function riddleOf(format: string | null | undefined): { shown: string; answer: string } {
  const sample = sampleFlag(format, SECRET) ?? SECRET;
  const answer = PLAIN.test(sample) ? sample : SECRET;
  return { shown: rot13(answer), answer };
}
