/** Lengths and order of text by code point, as the server counts and sorts. */

/** Number of code points, not of UTF-16 units. */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** Compares by code point: negative, zero or positive. JavaScript's `<` compares UTF-16 units. */
export function compareCodePoints(a: string, b: string): number {
  let index = 0;
  while (index < a.length && a[index] === b[index]) index += 1;
  return (a.codePointAt(index) ?? -1) - (b.codePointAt(index) ?? -1);
}

/** A text whose direction is isolated from the sentence around it, as with `<bdi>`. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}
