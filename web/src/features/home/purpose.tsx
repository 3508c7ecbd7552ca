/** Next steps: for a visitor, for a team, and three steps for anyone new to CTFs. */
import { type ReactNode, Suspense } from "react";
import { apiBase } from "../../api/base";
import type { CtfInfo } from "../../api/calls";
import { useSignupPhase, useStatus } from "../../api/clock";
import { useSession } from "../../api/session";
import { sampleFlag } from "../../domain/flag-format";
import { useMessages } from "../../messages/language";
import { chunkPart } from "../../ui/chunk-part/chunk-part";
import { CheckIcon } from "../../ui/icons/icons";
import asideStyles from "./aside.module.css";
import styles from "./home.module.css";

const NONE = () => null;

/** Loaded on demand. If that fails, the page works without a rank. */
const OwnStanding = chunkPart<{ team: string }>(
  "own-row",
  async () => ({ default: (await import("./own-row")).Standing }),
  NONE,
);
const Onward = chunkPart<{ team: string; children: ReactNode }>(
  "own-row",
  async () => ({ default: (await import("./own-row")).Onward }),
  ({ children }) => children,
);
const IfNoSolve = chunkPart<{ team: string; children: ReactNode }>(
  "own-row",
  async () => ({ default: (await import("./own-row")).IfNoSolve }),
  NONE,
);

/** The team's rank and its next challenge; their space is reserved before the board loads. */
export function Standing({ team }: { team: string }) {
  const { home } = useMessages();
  const toList = (
    <a className="button" href="/challenge?show=unsolved">
      {home.continue}
    </a>
  );
  return (
    <section className={`${asideStyles.panel} ${asideStyles.standing}`} aria-label={home.standing}>
      <Suspense fallback={null}>
        <OwnStanding team={team} />
      </Suspense>
      <Suspense fallback={toList}>
        <Onward team={team}>{toList}</Onward>
      </Suspense>
    </section>
  );
}

function StepList({ info, hasTeam }: { info: CtfInfo; hasTeam: boolean }) {
  const { home } = useMessages();
  const [first, find, climb] = home.stepTitles;
  const [challenge, flag, points] = home.steps(sampleFlag(info.flagFormat));
  return (
    <section className={styles.steps} aria-labelledby="first-time">
      <h2 id="first-time">{home.firstTime}</h2>
      <ol className="plain-list">
        <li data-done={hasTeam}>
          {hasTeam && <CheckIcon />}
          <strong>{first}</strong> {home.shareAccount}
        </li>
        <li>
          <strong>{find}</strong> {challenge} {flag}
        </li>
        <li>
          <strong>{climb}</strong> {points}
        </li>
      </ol>
    </section>
  );
}

/** Three steps for visitors and for teams without a solve. */
export function Steps({ info }: { info: CtfInfo }) {
  const { team, known } = useSession();
  const status = useStatus();
  if (!known || status === "unknown" || status === "ended") return null;
  if (team === null) return <StepList info={info} hasTeam={false} />;
  return (
    <Suspense fallback={null}>
      <IfNoSolve team={team}>
        <StepList info={info} hasTeam />
      </IfNoSolve>
    </Suspense>
  );
}

/** Address of the calendar file, next to the API, which may be on another origin. */
function calendarAddress(): string {
  return new URL("/event.ics", apiBase()).href;
}

export function Purpose({ info }: { info: CtfInfo }) {
  const { home } = useMessages();
  const { team, known } = useSession();
  const status = useStatus();
  const isOpen = useSignupPhase() === "open";
  if (status === "unknown" || status === "ended") return null;
  const isBefore = status === "not_started";
  return (
    <>
      {known && team === null && isOpen && (
        <a href="/signup" className={`button ${styles.play} ${isBefore ? "button-primary" : ""}`}>
          {home.signUp}
        </a>
      )}
      {isBefore && info.endTime !== null && (
        <a href={calendarAddress()} download className={`button ${styles.play}`}>
          {home.calendar}
        </a>
      )}
    </>
  );
}
