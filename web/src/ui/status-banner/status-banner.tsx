/** The event status in one line, with an explanation of the freeze below. */
import { useMessages } from "../../messages/language";
import { useZone } from "../zone/zone";
import styles from "./status-banner.module.css";

/** The freeze as seen by the current viewer. */
export interface Freeze {
  /** Time of the reveal in epoch milliseconds; null if organizers decide. */
  readonly untilMs: number | null;
  readonly hasTeam: boolean;
  readonly hasEnded: boolean;
  /** True if the team's row has solves hidden from others. */
  readonly hasLaterSolve: boolean;
}

const TIME = { hour: "2-digit", minute: "2-digit", timeZoneName: "short" } as const;

function FreezeNote({ untilMs, hasTeam, hasEnded, hasLaterSolve }: Freeze) {
  const { locale, freezeNote: words } = useMessages();
  const timeZone = useZone();
  const until =
    untilMs === null
      ? words.untilReveal
      : words.untilTime(new Intl.DateTimeFormat(locale, { ...TIME, timeZone }).format(untilMs));
  const running = hasTeam ? words.team(until) : words.visitor(until);
  return (
    <p className={styles.note}>
      {hasEnded ? words.ended : running}
      {hasLaterSolve && <span className={styles.later}>* {words.ownRank}</span>}
    </p>
  );
}

export function StatusBanner(props: { text: string | null; freeze?: Freeze | null }) {
  const { text, freeze } = props;
  return (
    <div role="status">
      {text && (
        <p className={styles.banner} data-frozen={Boolean(freeze)}>
          {text}
        </p>
      )}
      {text && freeze && <FreezeNote {...freeze} />}
    </div>
  );
}
