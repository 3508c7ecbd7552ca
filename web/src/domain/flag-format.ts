/** A `flag_format`, such as `pier{...}`: how it is shown, and which flags lack it. */

/** What flags begin and end with, as `flagship check` reads it; null for a format that is prose. */
function wrapperOf(format: string) {
  const bare = format.replace(/^\^|\$$/g, "").replaceAll("\\", "");
  if (/\s/.test(bare)) return null;
  const [, before, after] =
    bare.match(/^([^{]*\{).*(\})$/) ?? bare.match(/^(.*?)(?:\.\.\.|…)(.*)$/) ?? [];
  return before === undefined || after === undefined ? null : { before, after };
}

/** The format for a person: `pier{…}`, or its own words; null without one. */
export function shownFormat(format: string | null | undefined): string | null {
  if (!format) return null;
  const wrapper = wrapperOf(format);
  return wrapper ? `${wrapper.before}…${wrapper.after}` : format;
}

/** Part of the format that a flag has; null for a format that is prose. */
export function wrapping(
  format: string | null | undefined,
  flag: string,
): "whole" | "part" | "none" | null {
  const wrapper = wrapperOf(format ?? "");
  if (!wrapper || wrapper.before + wrapper.after === "") return null;
  const text = flag.trim().toLowerCase();
  const [before, after] = [wrapper.before.toLowerCase(), wrapper.after.toLowerCase()];
  const isLong = text.length >= before.length + after.length;
  if (isLong && text.startsWith(before) && text.endsWith(after)) return "whole";
  const begins = before !== "" && text.startsWith(before);
  const ends = after !== "" && text.endsWith(after);
  return begins || ends ? "part" : "none";
}

/** A flag as an example, such as `pier{th1s_is_a_fl4g}`; null for a format that is prose. */
export function sampleFlag(format: string | null | undefined): string | null {
  const wrapper = wrapperOf(format ?? "");
  return wrapper ? `${wrapper.before}th1s_is_a_fl4g${wrapper.after}` : null;
}
