/** The clock in the navigation bar. Not a live region, which would be announced every second. */
import { useSecondsUntil, useStatus } from "../../api/clock";
import { useCtf } from "../../api/queries";
import { clockDigits, remaining } from "../../domain/countdown";
import { clockTargets } from "../../domain/status";
import type { Messages } from "../../messages/en";
import { useMessages } from "../../messages/language";
import styles from "./navigation.module.css";

function timeUntil(targetMs: number, nowMs: number, { clock }: Messages): string {
  const { days, ...rest } = remaining(targetMs, nowMs);
  const digits = clockDigits(rest);
  return days > 0 ? `${clock.days(days)} ${digits}` : digits;
}

function Time({ startMs, endMs, freezeMs }: ReturnType<typeof clockTargets>) {
  const messages = useMessages();
  const nextMs = startMs ?? endMs ?? freezeMs ?? 0;
  const nowMs = useSecondsUntil(nextMs);
  const { clock } = messages;
  const until = (targetMs: number) => timeUntil(targetMs, nowMs, messages);
  if (startMs !== null) return <strong>{clock.untilStart(until(startMs))}</strong>;
  return (
    <>
      {endMs !== null && <strong>{clock.left(until(endMs))}</strong>}
      {endMs !== null && freezeMs !== null && <span aria-hidden="true">·</span>}
      {freezeMs !== null && <span>{clock.untilFreeze(until(freezeMs))}</span>}
    </>
  );
}

export function Clock() {
  const info = useCtf().data?.info;
  const status = useStatus();
  if (!info) return null;
  const targets = clockTargets(info, status);
  if (Object.values(targets).every((target) => target === null)) return null;
  return (
    <p className={styles.clock}>
      <Time {...targets} />
    </p>
  );
}
