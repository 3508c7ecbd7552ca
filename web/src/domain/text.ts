/** Lengths and order of text by code point, as the server counts and sorts. */

/** Number of code points, not of UTF-16 units. */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** Maps a UTF-16 unit so that units compare in code-point order: surrogates after U+FFFF. */
function unitInOrder(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

/** Negative, zero or positive, by code point; JavaScript's `<` compares UTF-16 units instead. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return unitInOrder(left) - unitInOrder(right);
  }
  return a.length - b.length;
}
