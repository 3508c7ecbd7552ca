/**
 * Time fields. Times are entered in the event's time zone, whatever the device's zone. A note shows
 * the time with its zone, and the device's local time if that differs.
 */
import type { ComponentProps } from "react";
import { useCtf } from "../../api/queries";
import { clockTime, isZone, momentOf } from "../../domain/zoned";
import { useMessages } from "../../messages/language";
import { useOrganizeMessages } from "../../messages/organize/words";
import { Field } from "../../ui/field/field";

/** IANA name of the device's time zone. */
export function deviceZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** IANA name of the event's time zone; UTC without an event or if unknown to the browser. */
export function useEventZone(): string {
  const zone = useCtf().data?.info.timezone;
  return zone && isZone(zone) ? zone : "UTC";
}

/** Formatter for epoch milliseconds in the event's time zone, with the year. */
export function useTimeText(): (ms: number) => string {
  const { locale } = useMessages();
  const style = { dateStyle: "medium", timeStyle: "short", timeZone: useEventZone() } as const;
  const format = new Intl.DateTimeFormat(locale, style);
  return (ms) => format.format(ms);
}

/** Formatter for epoch milliseconds in a time zone, with day, year and zone name. */
export function useZonedText(zone: string, toSecond = false): (ms: number) => string {
  const { locale } = useMessages();
  const format = new Intl.DateTimeFormat(locale, {
    ...{ weekday: "short", day: "numeric", month: "short", year: "numeric" },
    ...{ hour: "2-digit", minute: "2-digit", timeZone: zone, timeZoneName: "short" },
    ...(toSecond && { second: "2-digit" }),
  });
  return (ms) => format.format(ms);
}

/** `useZonedText` for the event's time zone. */
export function useEventTimeText(): (ms: number) => string {
  return useZonedText(useEventZone());
}

/** "= Fri, 4 Dec 2026, 18:00 CET", followed by the device's local time if that differs. */
function useNote(zone: string, toSecond: boolean): (ms: number) => string {
  const { times: words } = useOrganizeMessages().console;
  const device = deviceZone();
  const [text, textHere] = [useZonedText(zone, toSecond), useZonedText(device, toSecond)];
  return (ms) => {
    const isSame = clockTime(ms, zone) === clockTime(ms, device);
    return isSame ? words.is(text(ms)) : words.isHere(text(ms), textHere(ms));
  };
}

interface ClockFieldProps
  extends Omit<ComponentProps<typeof Field>, "type" | "value" | "step" | "onChange"> {
  zone: string;
  /** True if the field includes seconds. */
  toSecond?: boolean;
  /** Local time, in the format of `zoned.ts`. */
  text: string;
  onText: (text: string) => void;
}

/** Field for a local time in a time zone, which can change during editing. */
export function ClockField(props: ClockFieldProps) {
  const { hint, zone, toSecond = false, text, onText, ...field } = props;
  const note = useNote(isZone(zone) ? zone : "UTC", toSecond);
  const ms = isZone(zone) ? momentOf(text, zone) : null;
  const notes = [...(ms === null ? [] : [note(ms)]), ...(hint ? [hint] : [])];
  return (
    <Field
      {...field}
      type="datetime-local"
      step={toSecond ? 1 : undefined}
      hint={notes.length > 0 ? notes.join(" ") : undefined}
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
    />
  );
}

interface TimeFieldProps extends Omit<ClockFieldProps, "zone" | "text" | "onText"> {
  /** ISO 8601 time with offset; empty if unset. */
  value: string;
  onChange: (value: string) => void;
}

export function TimeField({ value, onChange, toSecond = false, ...field }: TimeFieldProps) {
  const zone = useEventZone();
  const at = Date.parse(value);
  return (
    <ClockField
      announced
      {...field}
      zone={zone}
      toSecond={toSecond}
      text={Number.isNaN(at) ? "" : clockTime(at, zone, toSecond)}
      onText={(text) => {
        const ms = momentOf(text, zone);
        onChange(ms === null ? "" : new Date(ms).toISOString());
      }}
    />
  );
}
