/** Lengths and order of text by code point, as the server counts and sorts. */

/** Number of code points, not of UTF-16 units. */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** Negative, zero or positive, by code point; JavaScript's `<` compares UTF-16 units instead. */
export function compareCodePoints(a: string, b: string): number {
  let index = 0;
  while (index < a.length && a[index] === b[index]) index += 1;
  return (a.codePointAt(index) ?? -1) - (b.codePointAt(index) ?? -1);
}
