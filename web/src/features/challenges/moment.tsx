/** The moment of a solve: what it brought, what it unlocked, and what to try next. Shown once. */
import { useState } from "react";
import type { Challenge } from "../../api/calls";
import { useServerNow } from "../../api/clock";
import type { Board } from "../../domain/board";
import { type Derived, ownRow } from "../../domain/challenges";
import { gainOf, nextChallenge, unlockedBy } from "../../domain/solve-moment";
import { useMessages } from "../../messages/language";
import styles from "./moment.module.css";

interface MomentProps {
  challenge: Derived<Challenge>;
  challenges: readonly Derived<Challenge>[];
  board: Board | null;
  team: string;
  /** The address at which another challenge of the list is open in this one's place. */
  addressOf: (other: Challenge) => string;
}

/** What the solve brought, as it was when it came: later solves of others do not change it. */
function useGain({ challenge, board, team }: MomentProps) {
  const [gain, setGain] = useState<ReturnType<typeof gainOf>>(null);
  const known = gain ?? gainOf(board, ownRow(board, team), challenge.id);
  if (known !== gain) setGain(known);
  return known;
}

export function Moment(props: MomentProps) {
  const { challenge, challenges, addressOf } = props;
  const { moment: words } = useMessages();
  const gain = useGain(props);
  const nowMs = useServerNow();
  const unlocked = unlockedBy(challenges, challenge.id);
  const next = nextChallenge(challenges, challenge.id, nowMs);
  return (
    <div className={styles.moment}>
      <p role="status" className={styles.gain}>
        {gain && (
          <span>{gain.rank === null ? words.gainedFrozen(gain.points) : words.gained(gain)}</span>
        )}
      </p>
      {unlocked.length > 0 && (
        <p className={styles.unlocked}>
          {words.unlocked}{" "}
          {unlocked.map((one, index) => (
            <span key={one.id}>
              {index > 0 && ", "}
              <a href={addressOf(one)}>{one.challengeName}</a>
            </span>
          ))}
        </p>
      )}
      {next ? (
        <p className={styles.next}>
          <a
            href={addressOf(next)}
            className="button button-primary"
            aria-label={`${words.next}: ${next.challengeName}`}
          >
            {words.next}
          </a>
          <span aria-hidden="true">{next.challengeName}</span>
        </p>
      ) : (
        <p>{words.nothingLeft}</p>
      )}
    </div>
  );
}
