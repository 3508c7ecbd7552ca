/** Human-readable file sizes, in decimal units like browsers and file managers. */

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
type SizeUnit = (typeof UNITS)[number];

/** The largest unit with a value of at least one, and that value. */
export function sizeOf(bytes: number): { value: number; unit: SizeUnit } {
  let value = bytes;
  let unit: SizeUnit = "byte";
  for (const larger of UNITS.slice(1)) {
    if (value < 1000) break;
    value /= 1000;
    unit = larger;
  }
  return { value, unit };
}
