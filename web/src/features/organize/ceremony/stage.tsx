/** The stage: one scene per step, moved by keys. It fills the screen and needs no network. */
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Ceremony } from "../../../api/organize-ceremony";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { Dialog } from "../../../ui/dialog/dialog";
import { Flag } from "../../../ui/flag/flag";
import { Climb } from "./climb";
import { Controls } from "./controls";
import { KeyList } from "./key-list";
import { useNumber } from "./number";
import { Opening } from "./opening";
import { Card, Podium } from "./podium";
import { Publish } from "./publish";
import type { Options } from "./saved";
import {
  beatsOf,
  divisionOf,
  endOf,
  type Moment,
  nextOf,
  previousOf,
  type Script,
  scriptOf,
} from "./script";
import styles from "./stage.module.css";
import { useStageKeys } from "./stage-keys";
import { Standings } from "./standings";

/** Time of one hidden solve: the glide, and a breath. Many solves at one place are faster. */
const BEAT_MS = 1300;
const BEAT_MS_MIN = 420;
/** Longest time of one place. */
const PLACE_MS = 11_000;

interface StageProps {
  options: Options;
  ceremony: Ceremony;
  first: number;
  onStep: (step: number) => void;
  onPublished: () => void;
  onLeave: (step: number) => void;
}

/** The current moment. The beats of a step follow one another on their own. */
function useMoment(script: Script, first: number) {
  const [now, setNow] = useState<Moment>(() =>
    endOf(script, Math.min(first, script.steps.length - 1)),
  );
  const { length } = beatsOf(script.steps[now.step]);
  const isPlaying = now.beat < length - 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each beat starts the next timer.
  useEffect(() => {
    if (!isPlaying) return;
    const ms = Math.max(BEAT_MS_MIN, Math.min(BEAT_MS, PLACE_MS / length));
    const timer = setTimeout(() => setNow(({ step, beat }) => ({ step, beat: beat + 1 })), ms);
    return () => clearTimeout(timer);
  }, [isPlaying, length, now]);
  const next = useCallback(() => setNow((at) => nextOf(script, at)), [script]);
  const previous = useCallback(() => setNow((at) => previousOf(script, at)), [script]);
  return { now, isPlaying, next, previous };
}

/** Keeps the screen on, where the browser can. */
function useScreenOn(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    const ask = () => {
      void navigator.wakeLock?.request("screen").then(
        (given) => {
          lock = given;
        },
        () => undefined,
      );
    };
    ask();
    document.addEventListener("visibilitychange", ask);
    return () => {
      document.removeEventListener("visibilitychange", ask);
      void lock?.release();
    };
  }, []);
}

/** Asks before the tab closes, because the ranking is only in its memory. */
function useKeptTab(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const onLeave = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", onLeave);
    return () => window.removeEventListener("beforeunload", onLeave);
  }, [isOn]);
}

function toggleFull(): void {
  const { fullscreenElement, documentElement } = document;
  const change = fullscreenElement
    ? document.exitFullscreen()
    : documentElement.requestFullscreen();
  void change.catch(() => undefined);
}

/** The sentence of the settled place, for screen readers. */
function useSaid(script: Script, { step, beat }: Moment): string {
  const words = useOrganizeMessages().ceremony;
  const number = useNumber();
  const at = script.steps[step];
  if (at?.kind === "card") {
    const { team, points } = at.row;
    return words.settled(at.place, team.teamName, number(points));
  }
  if (at?.kind !== "place") return "";
  const last = at.beats[beat];
  if (last?.kind === "settle") {
    return words.settled(last.place, last.team.teamName, number(last.team.finalPoints));
  }
  return "";
}

function RehearsalMark() {
  const words = useOrganizeMessages().ceremony;
  return (
    <p className={styles.rehearsal}>
      <strong>{words.rehearsal}</strong> <span>{words.rehearsalMark}</span>
    </p>
  );
}

interface LeaveProps extends Pick<Options, "mode"> {
  onStay: () => void;
  onLeave: () => void;
}

/** Asks before the stage is left. Enter stays. */
function Leave({ mode, onStay, onLeave }: LeaveProps) {
  const { leave: words } = useOrganizeMessages().ceremony;
  const stay = useRef<HTMLButtonElement>(null);
  useEffect(() => stay.current?.focus(), []);
  return (
    <Dialog title={words.title} onClose={onStay}>
      <p>{words.notes[mode]}</p>
      <p className={styles.answers}>
        <button ref={stay} type="button" className="button-primary" onClick={onStay}>
          {words.stay}
        </button>
        <button type="button" onClick={onLeave}>
          {words.leave}
        </button>
      </p>
    </Dialog>
  );
}

/** The scene of a step. Steps of the same scene share a key, so that rows glide between them. */
function sceneOf(props: {
  script: Script;
  ceremony: Ceremony;
  options: Options;
  now: Moment;
  onPublished: () => void;
  onLeave: () => void;
}): ReactNode {
  const { script, ceremony, options, now, onPublished, onLeave } = props;
  const step = script.steps[now.step];
  switch (step?.kind) {
    case "opening":
      return <Opening key="opening" ceremony={ceremony} script={script} />;
    case "frozen":
    case "start":
    case "place":
      return <Climb key="climb" script={script} now={now} options={options} />;
    case "card":
      return <Card key={step.place} place={step.place} row={step.row} options={options} />;
    case "podium":
      return <Podium key="podium" rows={script.final} options={options} />;
    case "board":
      return (
        <Standings
          key={step.scope}
          scope={step.scope}
          division={divisionOf(ceremony, step.scope)?.name}
          rows={step.rows}
          options={options}
        />
      );
    default:
      return (
        <Publish key="publish" options={options} onPublished={onPublished} onLeave={onLeave} />
      );
  }
}

export function Stage({ options, ceremony, first, onStep, onPublished, onLeave }: StageProps) {
  const words = useOrganizeMessages().ceremony;
  const { scope, from, mode } = options;
  const script = useMemo(() => scriptOf(ceremony, scope, from), [ceremony, scope, from]);
  const { now, isPlaying, next, previous } = useMoment(script, first);
  const [open, setOpen] = useState<"leave" | "keys" | null>(null);
  const [isPublished, setPublished] = useState(false);
  const latest = useRef(onStep);
  latest.current = onStep;
  useEffect(() => {
    if (!isPublished) latest.current(now.step);
  }, [now.step, isPublished]);
  useScreenOn();
  useKeptTab(mode === "real" && !isPublished);
  const leave = () => (isPublished ? onLeave(now.step) : setOpen("leave"));
  useStageKeys(open === null, {
    next,
    previous,
    full: toggleFull,
    help: () => setOpen("keys"),
    leave,
  });
  const stepOf = script.steps[now.step];
  const published = () => {
    setPublished(true);
    onPublished();
  };
  return (
    <div
      className={styles.stage}
      data-content
      tabIndex={-1}
      data-step={stepOf?.kind}
      data-place={stepOf && "place" in stepOf ? stepOf.place : undefined}
      data-playing={isPlaying}
      data-at={`${now.step}.${now.beat}`}
    >
      {mode === "rehearsal" && <RehearsalMark />}
      <div className={styles.scene}>
        {sceneOf({
          script,
          ceremony,
          options,
          now,
          onPublished: published,
          onLeave: () => onLeave(0),
        })}
      </div>
      <div
        className={styles.progress}
        style={{ transform: `scaleX(${now.step / (script.steps.length - 1)})` }}
      />
      <Controls
        onPrevious={now.step > 0 ? previous : undefined}
        onNext={now.step < script.steps.length - 1 ? next : undefined}
        onFull={toggleFull}
        onKeys={() => setOpen("keys")}
        onLeave={leave}
      />
      <p className="visually-hidden" role="status">
        {useSaid(script, now)}
      </p>
      {/* Keeps the sprite of the flags in memory from the first scene on. */}
      <div hidden>
        <Flag code="IT" />
      </div>
      {open === "keys" && (
        <Dialog title={words.keys.title} onClose={() => setOpen(null)}>
          <KeyList />
        </Dialog>
      )}
      {open === "leave" && (
        <Leave mode={mode} onStay={() => setOpen(null)} onLeave={() => onLeave(now.step)} />
      )}
    </div>
  );
}
