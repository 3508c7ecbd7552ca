/** The parts of a form that sets something. */

/** An item of a list: its texts by name. */
export type Row = Readonly<Record<string, string>>;
export type Value = string | boolean | readonly Row[];
/** The parts of a form by name. */
export type Values = Readonly<Record<string, Value>>;

export const textOfPart = (value: Value | undefined) => (typeof value === "string" ? value : "");

export function rowsOfPart(value: Value | undefined): readonly Row[] {
  return typeof value === "object" ? value : [];
}
