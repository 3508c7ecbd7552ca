/** The event's dates. Each end is isolated, because right-to-left text would merge their digits. */
import type { CtfInfo } from "../../api/calls";
import { useMessages } from "../../messages/language";
import { useZone } from "../../ui/zone/zone";
import styles from "./home.module.css";

const FORMAT = {
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
} as const;

/** Adjacent parts of a range with the same source, joined. */
function piecesOf(parts: readonly Intl.DateTimeRangeFormatPart[]) {
  const pieces: { source: string; text: string }[] = [];
  for (const { source, value } of parts) {
    const last = pieces.at(-1);
    if (last?.source === source) last.text += value;
    else pieces.push({ source, text: value });
  }
  return pieces;
}

export function EventDates({ info: { startTime, endTime } }: { info: CtfInfo }) {
  const { locale } = useMessages();
  const timeZone = useZone();
  if (startTime === null || endTime === null) return null;
  const format = new Intl.DateTimeFormat(locale, { ...FORMAT, timeZone });
  return (
    <p className={styles.dates}>
      {piecesOf(format.formatRangeToParts(startTime, endTime)).map(({ source, text }, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a sentence have no other key.
        source === "shared" ? text : <bdi key={at}>{text}</bdi>,
      )}
    </p>
  );
}
