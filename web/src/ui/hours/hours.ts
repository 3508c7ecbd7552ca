/** A moment's time of day as people say it: "14:03", with the day when it is another one. */

const formats = new Map<string, Intl.DateTimeFormat>();

function format(locale: string, withDay: boolean): Intl.DateTimeFormat {
  const key = `${locale} ${withDay}`;
  const day = withDay && ({ day: "numeric", month: "short" } as const);
  const time = { hour: "2-digit", minute: "2-digit" } as const;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...day, ...time });
  formats.set(key, known);
  return known;
}

/** Local time; both moments in epoch milliseconds. */
export function hours(atMs: number, locale: string, nowMs = Date.now()): string {
  const isToday = new Date(atMs).toDateString() === new Date(nowMs).toDateString();
  return format(locale, !isToday).format(atMs);
}
