/** The timeline: a track with phases, handles for each time, their labels, and an axis. */
import type { CSSProperties } from "react";
import { clockTime } from "../../../../domain/zoned";
import { useMessages } from "../../../../messages/language";
import { useOrganizeMessages } from "../../../../messages/organize/words";
import { useEventTimeText, useEventZone } from "../../time-field";
import {
  type Handle,
  levelsOf,
  type Mark,
  MINUTE_MS,
  placeOf,
  type Span,
  spanOf,
  ticksOf,
} from "../line";
import styles from "./times.module.css";

function placed(at: number, span: Span): CSSProperties {
  return { insetInlineStart: `${placeOf(at, span) * 100}%` };
}

/** Alignment of a label at its place: labels near an edge stay inside. */
function sideOf(place: number): "start" | "center" | "end" {
  if (place < 0.06) return "start";
  return place > 0.94 ? "end" : "center";
}

interface TrackProps {
  handles: readonly Handle[];
  marks: readonly Mark[];
  /** Time of a handle, which may have been moved. */
  at: (handle: Handle) => number;
  now: number;
  /** True if the scoreboard stays frozen after the end. */
  isCeremony: boolean;
  nameOf: (handle: Handle) => string;
  mayMove: (handle: Handle) => boolean;
  onMove: (key: string, at: number) => void;
}

function useClock(isDays: boolean): (ms: number) => string {
  const { locale } = useMessages();
  const timeZone = useEventZone();
  const style = isDays
    ? ({ day: "numeric", month: "short", timeZone } as const)
    : ({ hour: "2-digit", minute: "2-digit", timeZone } as const);
  const format = new Intl.DateTimeFormat(locale, style);
  return (ms) => format.format(ms);
}

function Axis({ span }: { span: Span }) {
  const zone = useEventZone();
  const offset = Date.parse(`${clockTime(span.from, zone)}Z`) - span.from;
  const { at, isDays } = ticksOf(span, Number.isNaN(offset) ? 0 : offset);
  const text = useClock(isDays);
  return (
    <div className={styles.axis} aria-hidden="true">
      {at.map((ms) => (
        <span key={ms} style={placed(ms, span)} data-side={sideOf(placeOf(ms, span))}>
          {text(ms)}
        </span>
      ))}
    </div>
  );
}

function Labels({ of, at, span, nameOf }: Pick<TrackProps, "at" | "nameOf"> & LabelsProps) {
  const text = useClock(false);
  const places = of.map((handle) => placeOf(at(handle), span));
  const levels = levelsOf(places);
  return (
    <div className={styles.labels} aria-hidden="true" data-levels={Math.max(0, ...levels) + 1}>
      {of.map((handle, index) => (
        <span
          key={handle.key}
          style={placed(at(handle), span)}
          data-side={sideOf(places[index] ?? 0)}
          data-level={levels[index]}
          data-moved={at(handle) !== handle.at || undefined}
        >
          <strong>{nameOf(handle)}</strong> {text(at(handle))}
        </span>
      ))}
    </div>
  );
}

interface LabelsProps {
  of: readonly Handle[];
  span: Span;
}

interface BandProps {
  span: Span;
  from: number;
  to: number;
  className: string | undefined;
}

function Band({ span, from, to, className }: BandProps) {
  const width = `${(placeOf(to, span) - placeOf(from, span)) * 100}%`;
  return <span className={className} style={{ ...placed(from, span), width }} />;
}

export function Track({ handles, marks, at, now, nameOf, ...rest }: TrackProps) {
  const { event: words } = useOrganizeMessages().pages;
  const text = useEventTimeText();
  const all = [...handles, ...marks].map((one) => one.at);
  const span = spanOf(all, handles.map(at));
  const phase = (name: string) => {
    const handle = handles.find((one) => one.phase === name);
    return handle && at(handle);
  };
  const [start, freeze, end] = [phase("start"), phase("freeze"), phase("end")];
  const isRunning = start !== undefined && end !== undefined && end > start;
  const freezes = isRunning && freeze !== undefined && freeze < end;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields with a legend.
    <div className={styles.line} role="group" aria-label={words.line}>
      <Labels of={handles.filter((one) => one.phase)} at={at} span={span} nameOf={nameOf} />
      <div className={styles.slot}>
        <div className={styles.track}>
          {isRunning && <Band className={styles.running} span={span} from={start} to={end} />}
          {freezes && (
            <Band
              className={styles.freezes}
              span={span}
              from={Math.max(freeze, start)}
              to={rest.isCeremony ? span.to : end}
            />
          )}
          {marks.map((mark) => (
            <span
              key={mark.key}
              className={styles.mark}
              style={placed(mark.at, span)}
              title={`${mark.name}, ${text(mark.at)}`}
            />
          ))}
          <span className={styles.now} style={placed(now, span)}>
            <span data-side={sideOf(placeOf(now, span))}>{words.now}</span>
          </span>
        </div>
        {handles.map((handle) => (
          <input
            key={handle.key}
            type="range"
            aria-label={nameOf(handle)}
            aria-valuetext={text(at(handle))}
            title={`${nameOf(handle)}, ${text(at(handle))}`}
            data-kind={handle.phase ?? "release"}
            disabled={!rest.mayMove(handle)}
            min={span.from / MINUTE_MS}
            max={span.to / MINUTE_MS}
            step={1}
            value={Math.round(at(handle) / MINUTE_MS)}
            onChange={(event) =>
              rest.onMove(handle.key, Number(event.currentTarget.value) * MINUTE_MS)
            }
          />
        ))}
      </div>
      <Axis span={span} />
    </div>
  );
}
