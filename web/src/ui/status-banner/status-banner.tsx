/**
 * The status of the event in one line; empty while it runs. In the freeze, beneath it: what is
 * hidden, until when, and that solves still count.
 */
import { useMessages } from "../../messages/language";
import { useZone } from "../zone/zone";
import styles from "./status-banner.module.css";

/** What the freeze means for who looks. */
export interface Freeze {
  /** When the board shows all again, in epoch milliseconds; null if organizers decide. */
  readonly untilMs: number | null;
  readonly hasTeam: boolean;
}

const TIME = { hour: "2-digit", minute: "2-digit", timeZoneName: "short" } as const;

function FreezeNote({ untilMs, hasTeam }: Freeze) {
  const { locale, freezeNote: words } = useMessages();
  const timeZone = useZone();
  const until =
    untilMs === null
      ? words.untilReveal
      : words.untilTime(new Intl.DateTimeFormat(locale, { ...TIME, timeZone }).format(untilMs));
  return <p className={styles.note}>{hasTeam ? words.team(until) : words.visitor(until)}</p>;
}

export function StatusBanner(props: { text: string | null; freeze?: Freeze | null }) {
  const { text, freeze } = props;
  return (
    <div role="status">
      {text && <p className={styles.banner}>{text}</p>}
      {text && freeze && <FreezeNote {...freeze} />}
    </div>
  );
}
