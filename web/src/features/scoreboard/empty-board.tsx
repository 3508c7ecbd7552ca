/** The scoreboard without teams: an empty pier, the time until the start, and the signup link. */
import { signupAddress } from "../../addresses";
import { useSecondsUntil, useSignupPhase, useStatus } from "../../api/clock";
import { useCtf } from "../../api/queries";
import { useSession } from "../../api/session";
import { clockDigits, remaining } from "../../domain/countdown";
import { useMessages } from "../../messages/language";
import styles from "./empty-board.module.css";

/** A pier with a bare mast, above calm water. */
function Pier() {
  return (
    <svg viewBox="0 0 320 130" className={styles.pier} aria-hidden="true" focusable="false">
      <path d="M0 96h320M24 108h86M150 112h130M60 122h70M196 124h90" />
      <path d="M0 66h188v10H0zM26 76v32M78 76v34M130 76v38M180 76v34" className={styles.planks} />
      <path d="M154 66V6M154 12h46l-10 9 10 9h-46" className={styles.mast} />
    </svg>
  );
}

function UntilStart({ startMs }: { startMs: number }) {
  const { clock } = useMessages();
  const { days, ...rest } = remaining(startMs, useSecondsUntil(startMs));
  const digits = clockDigits(rest);
  const time = days > 0 ? `${clock.days(days)} ${digits}` : digits;
  return (
    <p role="timer" className={styles.clock}>
      {clock.untilStart(time)}
    </p>
  );
}

export function EmptyBoard() {
  const { board, home } = useMessages();
  const info = useCtf().data?.info;
  const status = useStatus();
  const { team } = useSession();
  const startMs = info?.startTime ?? null;
  const isOpen = useSignupPhase() === "open" && status !== "ended" && team === null;
  return (
    <div className={styles.empty}>
      <Pier />
      {isOpen && <h2>{board.pierEmpty}</h2>}
      <p>{board.noTeam}</p>
      {status === "not_started" && startMs !== null && <UntilStart startMs={startMs} />}
      {isOpen && (
        <a href={signupAddress("/scoreboard")} className="button button-primary">
          {home.signUp}
        </a>
      )}
    </div>
  );
}
