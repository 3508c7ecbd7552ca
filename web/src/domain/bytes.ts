/** The size of a file for a person, in decimal units as browsers and file managers show it. */

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
type SizeUnit = (typeof UNITS)[number];

/** The largest unit of which there is at least one, and how many there are of it. */
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
