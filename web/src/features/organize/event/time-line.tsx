/**
 * The times of the event and the releases to come on one line: each is dragged, moved by minutes
 * with the arrow keys, or typed. What is moved is done by the sheet of its action.
 */
import { type CSSProperties, type ReactNode, useId, useState } from "react";
import type { Overview } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { useAsk } from "../change/acting";
import { timeValue } from "../change/order";
import { useChallenges, useMay, useNotices } from "../frame/reading";
import { ChallengeLink } from "../frame/view";
import { TimeField, useEventTimeText, useEventZone } from "../time-field";
import {
  faultOf,
  type Handle,
  handlesOf,
  MINUTE_MS,
  marksOf,
  PHASES,
  placeOf,
  type Span,
  spanOf,
} from "./line";

type Moved = Readonly<Record<string, number>>;

function useNameOf(): (handle: Handle) => string {
  const { event: words } = useOrganizeMessages().pages;
  return ({ phase, challenges }) =>
    phase ? words[phase] : words.releaseOf(challenges.map((one) => one.challengeName).join(", "));
}

function useLine(overview: Overview) {
  const challenges = useChallenges().data ?? [];
  const notices = useNotices().data ?? [];
  const [moved, setMoved] = useState<Moved>({});
  const handles = handlesOf(overview, challenges);
  const marks = marksOf(challenges, notices);
  const at = ({ key, at }: Handle) => moved[key] ?? at;
  const times = handles.flatMap((handle) => (handle.phase ? [[handle.phase, at(handle)]] : []));
  const move = (key: string, at: number) => setMoved((before) => ({ ...before, [key]: at }));
  /** Forgets where these were moved to, or all. */
  const forget = (keys: readonly string[] = Object.keys(moved)) =>
    setMoved((before) => {
      return Object.fromEntries(Object.entries(before).filter(([key]) => !keys.includes(key)));
    });
  return { handles, marks, at, fault: faultOf(Object.fromEntries(times)), move, forget };
}

type LineOf = ReturnType<typeof useLine>;

function placed(at: number, span: Span): CSSProperties {
  return { insetInlineStart: `${placeOf(at, span) * 100}%` };
}

interface LineProps {
  line: LineOf;
  now: number;
  mayMove: (handle: Handle) => boolean;
}

function Line({ line: { handles, marks, at, move }, now, mayMove }: LineProps) {
  const { event: words } = useOrganizeMessages().pages;
  const text = useEventTimeText();
  const nameOf = useNameOf();
  const span = spanOf(
    [...handles, ...marks].map((one) => one.at),
    handles.map(at),
  );
  const phase = (name: string) => {
    const handle = handles.find((one) => one.phase === name);
    return handle && at(handle);
  };
  const [start, freeze, end] = PHASES.map(phase);
  const running = start !== undefined && end !== undefined && end > start;
  const share = (from: number, to: number): CSSProperties => ({
    ...placed(from, span),
    width: `${(placeOf(to, span) - placeOf(from, span)) * 100}%`,
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields with a legend.
    <div className="org-line" role="group" aria-label={words.line}>
      <div className="org-line-track">
        {running && <span className="org-line-running" style={share(start, end)} />}
        {running && freeze !== undefined && freeze < end && (
          <span className="org-line-frozen" style={share(Math.max(freeze, start), end)} />
        )}
        <span className="org-line-now" style={placed(now, span)} title={words.now} />
        {marks.map((mark) => (
          <span
            key={mark.key}
            className="org-line-mark"
            style={placed(mark.at, span)}
            title={`${mark.name}, ${text(mark.at)}`}
          />
        ))}
      </div>
      {handles.map((handle) => (
        <input
          key={handle.key}
          type="range"
          aria-label={nameOf(handle)}
          aria-valuetext={text(at(handle))}
          title={`${nameOf(handle)}, ${text(at(handle))}`}
          data-kind={handle.phase ?? "release"}
          disabled={!mayMove(handle)}
          min={span.from / MINUTE_MS}
          max={span.to / MINUTE_MS}
          step={1}
          value={Math.round(at(handle) / MINUTE_MS)}
          onChange={(event) => move(handle.key, Number(event.currentTarget.value) * MINUTE_MS)}
        />
      ))}
    </div>
  );
}

interface RowProps {
  handle: Handle;
  at: number;
  mayMove: boolean;
  fault: string | null;
  onMove: (at: number) => void;
}

function Row({ handle, at, mayMove, fault, onMove }: RowProps) {
  const { event: words } = useOrganizeMessages().pages;
  const nameOf = useNameOf();
  const text = useEventTimeText();
  const utc = new Date(at).toISOString().slice(0, 16).replace("T", " ");
  return (
    <li className="org-line-row" data-kind={handle.phase ?? "release"}>
      {mayMove ? (
        <TimeField
          label={nameOf(handle)}
          value={timeValue(at)}
          fault={fault}
          onChange={(value) => {
            if (value !== "") onMove(Date.parse(value));
          }}
        />
      ) : (
        <span>
          {nameOf(handle)}: {text(at)}
        </span>
      )}
      <span className="org-note">
        {utc} UTC{at !== handle.at && ` · ${words.moved}`}
        {handle.challenges.map(({ id, challengeName }) => (
          <span key={id}>
            {" · "}
            <ChallengeLink id={id} name={challengeName} />
          </span>
        ))}
      </span>
    </li>
  );
}

function Moves({ overview, line }: { overview: Overview; line: LineOf }) {
  const { event: words, sheet } = useOrganizeMessages().pages;
  const ask = useAsk();
  const moment = useEventTimeText();
  const nameOf = useNameOf();
  const { handles, at, fault, forget } = line;
  const moved = handles.filter((handle) => at(handle) !== handle.at);
  const phases = moved.filter(({ phase }) => phase);
  const waves = moved.filter(({ phase }) => !phase);
  const timeOf = (handle: Handle) => new Date(at(handle)).toISOString();
  function moveTimes() {
    const times = Object.fromEntries(phases.map((handle) => [handle.phase, timeOf(handle)]));
    const fixed = { start: undefined, freeze: undefined, end: undefined, ...times };
    const onDone = () => forget(PHASES);
    ask({ action: "event.times", fixed, object: overview.name, onDone });
  }
  function moveWave(wave: Handle) {
    const fixed = { challenges: wave.challenges.map(({ id }) => id), at: timeOf(wave) };
    const object = sheet.challenges(wave.challenges.length);
    ask({ action: "challenge.release", fixed, object, onDone: () => forget([wave.key]) });
  }
  if (moved.length === 0) return null;
  return (
    <div className="org-actions">
      {phases.length > 0 && (
        <button type="button" className="org-do" disabled={fault !== null} onClick={moveTimes}>
          {words.moveTimes}
        </button>
      )}
      {waves.map((wave) => (
        <button key={wave.key} type="button" onClick={() => moveWave(wave)}>
          {words.moveRelease(nameOf(wave), moment(at(wave)))}
        </button>
      ))}
      <button type="button" className="org-small" onClick={() => forget()}>
        {words.asBefore}
      </button>
    </div>
  );
}

interface TimeLineProps {
  overview: Overview;
  /** Buttons that move the times without the line; true if times were moved on it. */
  children: (hasMoved: boolean) => ReactNode;
}

export function TimeLine({ overview, children }: TimeLineProps) {
  const { event: words, challenges: challengeWords } = useOrganizeMessages().pages;
  const { timesShown } = useOrganizeMessages().console;
  const may = useMay();
  const id = useId();
  const text = useEventTimeText();
  const zone = useEventZone();
  const line = useLine(overview);
  const { handles, marks, at, fault, move } = line;
  if (handles.length === 0) return <p className="org-note">{words.noTimes}</p>;
  const mayMove = ({ phase }: Handle) => may(phase ? "event.times" : "challenge.release");
  const faulty = fault && (fault.startsWith("freeze") ? "freeze" : "end");
  return (
    <section className="org-card" aria-labelledby={id}>
      <h2 id={id}>{words.line}</h2>
      <p className="org-note">{handles.some(mayMove) ? words.lineNote(zone) : timesShown(zone)}</p>
      <Line line={line} now={overview.now} mayMove={mayMove} />
      <ul className="org-line-rows">
        {handles.map((handle) => (
          <Row
            key={handle.key}
            handle={handle}
            at={at(handle)}
            mayMove={mayMove(handle)}
            fault={fault && handle.phase === faulty ? wordFor(words.faults, fault) : null}
            onMove={(at) => move(handle.key, at)}
          />
        ))}
        {marks.map(({ key, at, kind, name }) => (
          <li key={key} className="org-line-row">
            <span>
              {kind === "notice" ? words.noticeAt : challengeWords.closes}: <bdi>{name}</bdi>,{" "}
              {text(at)}
            </span>
          </li>
        ))}
      </ul>
      <Moves overview={overview} line={line} />
      {children(handles.some((handle) => handle.phase && at(handle) !== handle.at))}
    </section>
  );
}
