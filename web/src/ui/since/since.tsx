/** The reasons why a team's score changed since the viewer last looked at the board. */
import { useMessages } from "../../messages/language";
import { timeText } from "../times/times";
import { useZone } from "../zone/zone";
import styles from "./since.module.css";

/** The time of a look, as a heading. */
export function SinceTitle({ atMs }: { atMs: number }) {
  const { since, locale } = useMessages();
  const zone = useZone();
  return since.title(timeText(atMs / 1000, locale, zone));
}

/** Maximum number of teams that are named for a change. */
const NAMES_MAX = 3;

/** A reason why a score changed. */
interface Change {
  readonly kind: "solve" | "withdrawn" | "value" | "award";
  /** The challenge's ID and name; empty for an award. */
  readonly id: string;
  readonly name: string;
  readonly points: number;
  /** Other teams that solved the challenge since. */
  readonly by: readonly string[];
}

/** Adds the sign, also of a gain. */
function signed(points: number): string {
  return points > 0 ? `+${points}` : `−${-points}`;
}

function namesOf(teams: readonly string[]): string {
  const named = teams.slice(0, NAMES_MAX).join(", ");
  return teams.length > NAMES_MAX ? `${named} +${teams.length - NAMES_MAX}` : named;
}

function useReason(): (change: Change) => string {
  const { since, challenges } = useMessages();
  return ({ kind, by }) => {
    if (kind === "solve") return challenges.solved;
    if (kind === "withdrawn") return since.withdrawn;
    return by.length > 0 ? since.by(namesOf(by)) : since.value;
  };
}

/** The changes, each with its points; `max` limits their number. */
export function Changes({ changes, max }: { changes: readonly Change[]; max?: number }) {
  const { since } = useMessages();
  const reasonOf = useReason();
  const shown = changes.slice(0, max ?? changes.length);
  return (
    <ul className={styles.changes}>
      {shown.map((change) => (
        <li key={`${change.kind} ${change.id}`}>
          <span dir="ltr" className={styles.points} data-lost={change.points < 0 || undefined}>
            {signed(change.points)}
          </span>
          {change.kind === "award" ? (
            <span>{since.award}</span>
          ) : (
            <span>
              <bdi>{change.name}</bdi> <small className="quiet">{reasonOf(change)}</small>
            </span>
          )}
        </li>
      ))}
      {changes.length > shown.length && <li aria-hidden="true">…</li>}
    </ul>
  );
}
