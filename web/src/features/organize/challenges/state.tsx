/** Visibility and status of a challenge, as shapes and words. */
import type { ListedChallenge } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { type Mark, Status } from "../frame/status";
import styles from "./challenges.module.css";

const STATES: Readonly<Record<string, Mark>> = {
  hidden: "hollow",
  timed: "wait",
  from_start: "wait",
  waits: "lock",
};
const STATUSES: Readonly<Record<string, Mark>> = {
  works: "quiet",
  looked_at: "warn",
  broken: "bad",
  fixed: "good",
};

/**
 * Differences from a visible, working challenge. The status "broken" comes first, because it needs
 * an organizer.
 */
export function ChallengeState({ challenge }: { challenge: ListedChallenge }) {
  const { challenges: words, statuses } = useOrganizeMessages().pages;
  const { state, status } = challenge;
  const mark = STATES[state];
  const isPlain = status === "works";
  return (
    <span className={styles.state}>
      {!(isPlain && mark) && (
        <Status mark={STATUSES[status] ?? "quiet"}>{wordFor(statuses, status)}</Status>
      )}
      {mark && <Status mark={mark}>{wordFor(words.states, state)}</Status>}
    </span>
  );
}
