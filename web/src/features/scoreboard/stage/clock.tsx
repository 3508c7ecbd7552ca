/** The projector's clock: ice blue in the freeze, then amber and red before the end. */
import { useSecondsUntil, useStatus } from "../../../api/clock";
import { useCtf } from "../../../api/queries";
import { remaining } from "../../../domain/countdown";
import { clockTargets } from "../../../domain/status";
import { useMessages } from "../../../messages/language";
import styles from "./stage.module.css";

const LATE_MS = 600_000;
const LAST_MS = 60_000;

type Tone = "ice" | "late" | "last" | undefined;

/** Color of the clock; `leftMs` is the time until the end. */
export function toneOf(leftMs: number, isFrozen: boolean): Tone {
  if (leftMs <= LAST_MS) return "last";
  if (leftMs <= LATE_MS) return "late";
  return isFrozen ? "ice" : undefined;
}

interface TimeLeftProps {
  label: string;
  targetMs: number;
  /** True for the time until the end. */
  isEnd?: boolean;
}

function TimeLeft({ label, targetMs, isEnd = false }: TimeLeftProps) {
  const nowMs = useSecondsUntil(targetMs);
  const isFrozen = useStatus() === "frozen";
  const { days, hours, minutes, seconds } = remaining(targetMs, nowMs);
  const two = (number: number) => String(number).padStart(2, "0");
  const tone = isEnd ? toneOf(targetMs - nowMs, isFrozen) : undefined;
  return (
    <p className={styles.clock} role="timer" data-tone={tone}>
      <span>{label}</span> {days * 24 + hours}:{two(minutes)}:{two(seconds)}
    </p>
  );
}

export function Clock() {
  const { stage: words } = useMessages();
  const status = useStatus();
  const info = useCtf().data?.info;
  const { startMs = null, endMs = null } = info ? clockTargets(info, status) : {};
  if (startMs !== null) return <TimeLeft label={words.untilStart} targetMs={startMs} />;
  return endMs !== null && <TimeLeft label={words.timeLeft} targetMs={endMs} isEnd />;
}
