/** Times in the event's zone. */

/** A formatter for times in the event's zone; in the browser's own if it does not know that one. */
export function zonedFormat(
  locale: string,
  timeZone: string | null | undefined,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: timeZone || undefined });
  } catch {
    return new Intl.DateTimeFormat(locale, options);
  }
}
