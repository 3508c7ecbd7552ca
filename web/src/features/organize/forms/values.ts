/** Values of a settings form. */

export type Row = Readonly<Record<string, string>>;
export type Value = string | boolean | readonly Row[];
export type Values = Readonly<Record<string, Value>>;

export const textOfPart = (value: Value | undefined) => (typeof value === "string" ? value : "");

export function rowsOfPart(value: Value | undefined): readonly Row[] {
  return typeof value === "object" ? value : [];
}
