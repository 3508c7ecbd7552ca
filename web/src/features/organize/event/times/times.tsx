/**
 * The times of the event and of scheduled releases. Each can be dragged on the timeline, moved by
 * minutes with the arrow keys, or typed. The action dialog applies the changes.
 */
import { type ReactNode, useId, useState } from "react";
import type { Overview } from "../../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../../messages/organize/words";
import { type Action, ActionButtons } from "../../change/action-buttons";
import { useOpenAction } from "../../change/action-dialog";
import { timeValue } from "../../change/order";
import { useChallenges, useMay, useNotices, useSettings } from "../../frame/queries";
import { ChallengeLink } from "../../frame/view";
import { TimeField, useEventTimeText, useEventZone } from "../../time-field";
import { LastBackup } from "../backup";
import shared from "../event.module.css";
import { Extend } from "../extend";
import { faultOf, type Handle, handlesOf, marksOf, PHASES } from "../line";
import { PracticeChoice } from "../practice";
import { Reveal } from "../results/reveal-card";
import { RevealChoice } from "../reveal";
import { useRelative } from "./relative";
import styles from "./times.module.css";
import { Track } from "./track";

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
  /** Discards the moves of these keys, or all moves. */
  const forget = (keys: readonly string[] = Object.keys(moved)) =>
    setMoved((before) => {
      return Object.fromEntries(Object.entries(before).filter(([key]) => !keys.includes(key)));
    });
  return { handles, marks, at, fault: faultOf(Object.fromEntries(times)), move, forget };
}

type LineOf = ReturnType<typeof useLine>;

interface RowProps {
  handle: Handle;
  at: number;
  now: number;
  mayMove: boolean;
  fault: string | null;
  onMove: (at: number) => void;
  children?: ReactNode;
}

/** A time in the event's zone, on this device, in UTC, and from now. */
function Row({ handle, at, now, mayMove, fault, onMove, children }: RowProps) {
  const { event: words } = useOrganizeMessages().pages;
  const nameOf = useNameOf();
  const text = useEventTimeText();
  const relative = useRelative(now);
  const isUtc = useEventZone() === "UTC";
  const utc = new Date(at).toISOString().slice(0, 16).replace("T", " ");
  return (
    <li className={styles.row} data-kind={handle.phase ?? "release"}>
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
        <>
          <span className={styles.name}>{nameOf(handle)}</span>
          <span className="org-note">{text(at)}</span>
        </>
      )}
      {!isUtc && <span className="org-note">{utc} UTC</span>}
      <span className={styles.from}>{relative(at)}</span>
      {at !== handle.at && <span className={styles.moved}>{words.moved}</span>}
      {handle.challenges.length > 0 && (
        <span className="org-note">
          {handle.challenges.map(({ id, challengeName }, index) => (
            <span key={id}>
              {index > 0 && ", "}
              <ChallengeLink id={id} name={challengeName} />
            </span>
          ))}
        </span>
      )}
      {children}
    </li>
  );
}

function Moves({ overview, line }: { overview: Overview; line: LineOf }) {
  const { event: words, sheet } = useOrganizeMessages().pages;
  const ask = useOpenAction();
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
    <>
      {phases.length > 0 && (
        <button
          type="button"
          className="button-primary"
          disabled={fault !== null}
          onClick={moveTimes}
        >
          {words.moveTimes}
        </button>
      )}
      {waves.map((wave) => (
        <button key={wave.key} type="button" onClick={() => moveWave(wave)}>
          {words.moveRelease(nameOf(wave), moment(at(wave)))}
        </button>
      ))}
      <button type="button" onClick={() => forget()}>
        {words.asBefore}
      </button>
    </>
  );
}

/** Scheduled releases, closing challenges and notices, below the times of the event. */
function Waves({ line, children }: { line: LineOf; children: ReactNode }) {
  const { event: words, challenges } = useOrganizeMessages().pages;
  const { times } = useOrganizeMessages().manage;
  const text = useEventTimeText();
  const { handles, marks } = line;
  if (marks.length === 0 && handles.every(({ phase }) => phase)) return null;
  return (
    <div className={styles.waves}>
      <h3>{times.waves}</h3>
      <ul className={styles.rows}>
        {children}
        {marks.map(({ key, at, kind, name }) => (
          <li key={key} className={styles.row} data-kind={kind}>
            <span className={styles.name}>
              {kind === "notice" ? words.noticeAt : challenges.closes}: <bdi>{name}</bdi>
            </span>
            <span className="org-note">{text(at)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function TimeLine({ overview }: { overview: Overview }) {
  const { event: words } = useOrganizeMessages().pages;
  const { timesShown } = useOrganizeMessages().console;
  const may = useMay();
  const id = useId();
  const zone = useEventZone();
  const line = useLine(overview);
  const isCeremony = useSettings().data?.event?.reveal === "manual";
  const nameOf = useNameOf();
  const { handles, marks, at, fault, move } = line;
  if (handles.length === 0) return <p className="org-note">{words.noTimes}</p>;
  const { start, freeze, end, name, now } = overview;
  const initial = { start: timeValue(start), freeze: timeValue(freeze), end: timeValue(end) };
  const change: Action = { action: "event.times", fixed: {}, object: name, initial, key: "t" };
  const mayMove = ({ phase }: Handle) => may(phase ? "event.times" : "challenge.release");
  const hasMoved = handles.some((handle) => handle.phase && at(handle) !== handle.at);
  const faulty = fault && (fault.startsWith("freeze") ? "freeze" : "end");
  const row = (handle: Handle) => (
    <Row
      key={handle.key}
      handle={handle}
      at={at(handle)}
      now={now}
      mayMove={mayMove(handle)}
      fault={fault && handle.phase === faulty ? wordFor(words.faults, fault) : null}
      onMove={(at) => move(handle.key, at)}
    >
      {handle.phase === (freeze ? "freeze" : "end") && <RevealChoice />}
      {handle.phase === "end" && <PracticeChoice />}
    </Row>
  );
  return (
    <section className={styles.card} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{words.line}</h2>
        <p className="org-note">
          {handles.some(mayMove) ? words.lineNote(zone) : timesShown(zone)}
        </p>
      </div>
      <Track
        {...{ handles, marks, at, now, isCeremony, nameOf, mayMove }}
        onMove={(key, at) => move(key, at)}
      />
      <ul className={styles.rows}>{handles.filter(({ phase }) => phase).map(row)}</ul>
      <Waves line={line}>{handles.filter(({ phase }) => !phase).map(row)}</Waves>
      {(may("event.times") || hasMoved) && (
        <div className={styles.actions}>
          <Moves overview={overview} line={line} />
          {/* The dialog starts with the event's times, not with those moved on the timeline. */}
          {!hasMoved && <ActionButtons name={name} actions={[change]} />}
          {!hasMoved && <Extend overview={overview} />}
        </div>
      )}
    </section>
  );
}

function Backup({ overview }: { overview: Overview }) {
  const { times: words } = useOrganizeMessages().manage;
  const may = useMay();
  if (!overview.health || !may("event.backup")) return null;
  return (
    <section className={shared.wide}>
      <div>
        <h2>{words.backup}</h2>
      </div>
      <LastBackup overview={overview} />
    </section>
  );
}

export function Times({ overview }: { overview: Overview }) {
  return (
    <>
      {overview.isFrozen && <Reveal overview={overview} />}
      <TimeLine overview={overview} />
      <Backup overview={overview} />
    </>
  );
}
