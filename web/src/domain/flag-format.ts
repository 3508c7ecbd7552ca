/**
 * Formats such as `pier{...}` from `flag_format`: their display, and the detection of flags without
 * them.
 */

/** Prefix and suffix of flags, parsed as in `flagship check`; null for a prose format. */
function wrapperOf(format: string) {
  const bare = format.replace(/^\^|\$$/g, "").replaceAll("\\", "");
  if (/\s/.test(bare)) return null;
  const [, before, after] =
    bare.match(/^([^{]*\{).*(\})$/) ?? bare.match(/^(.*?)(?:\.\.\.|…)(.*)$/) ?? [];
  return before === undefined || after === undefined ? null : { before, after };
}

/** The format for display: `pier{…}`, or its prose; null if there is none. */
export function shownFormat(format: string | null | undefined): string | null {
  if (!format) return null;
  const wrapper = wrapperOf(format);
  return wrapper ? `${wrapper.before}…${wrapper.after}` : format;
}

/** The part of the format that a flag contains; null for a prose format. */
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

/** An example flag, such as `pier{th1s_is_a_fl4g}`; null for a prose format. */
export function sampleFlag(
  format: string | null | undefined,
  content = "th1s_is_a_fl4g",
): string | null {
  const wrapper = wrapperOf(format ?? "");
  return wrapper ? `${wrapper.before}${content}${wrapper.after}` : null;
}
