/** Challenges that are broken, have stuck teams, or are unsolved. */
import type { ReactNode } from "react";
import type { ListedChallenge } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { useChallenges } from "../frame/queries";
import { Status } from "../frame/status";
import { ChallengeLink } from "../frame/view";
import card from "./card.module.css";
import styles from "./overview.module.css";

/** Number of challenges shown in a group. */
const GROUP_MAX = 20;

type Group = "broken" | "stuck" | "unsolved";

/** Challenges of each group; a challenge is in one group only. */
export function watched(
  challenges: readonly ListedChallenge[],
): Readonly<Record<Group, readonly ListedChallenge[]>> {
  const isAiling = ({ status }: ListedChallenge) => status === "broken" || status === "looked_at";
  const isOpen = (one: ListedChallenge) => one.state === "shown" && !isAiling(one);
  const stuckOf = ({ stuck }: ListedChallenge) => stuck ?? 0;
  const triesOf = ({ tries }: ListedChallenge) => tries ?? 0;
  return {
    broken: challenges.filter(isAiling),
    stuck: challenges
      .filter((one) => isOpen(one) && one.solves > 0 && stuckOf(one) > 0)
      .toSorted((a, b) => stuckOf(b) - stuckOf(a))
      .slice(0, GROUP_MAX),
    unsolved: challenges
      .filter((one) => isOpen(one) && one.solves === 0)
      .toSorted((a, b) => triesOf(b) - triesOf(a))
      .slice(0, GROUP_MAX),
  };
}

function Row({ one, children }: { one: ListedChallenge; children: ReactNode }) {
  return (
    <li>
      <ChallengeLink id={one.id} name={one.challengeName} />
      {children}
    </li>
  );
}

function Stuck({ one }: { one: ListedChallenge }) {
  const { day } = useOrganizeMessages();
  const stuck = one.stuck ?? 0;
  const tried = Math.max(stuck, one.triedBy ?? 0);
  return (
    <span className={styles.stuck}>
      <meter aria-label={day.stuck} min={0} max={tried} value={stuck} />
      <span className={styles.number}>
        {stuck}
        <span aria-hidden="true">/{tried}</span>
      </span>
      <span className="visually-hidden">{day.stuckOf(stuck, tried)}</span>
    </span>
  );
}

function Figure({ one, group }: { one: ListedChallenge; group: Group }) {
  const { day, pages } = useOrganizeMessages();
  if (group === "stuck") return <Stuck one={one} />;
  if (group === "unsolved") {
    return <span className={styles.number}>{day.tries(one.tries ?? 0)}</span>;
  }
  const mark = one.status === "broken" ? "bad" : "warn";
  return <Status mark={mark}>{wordFor(pages.statuses, one.status)}</Status>;
}

const GROUPS = ["broken", "stuck", "unsolved"] as const;

export function Watch() {
  const { day } = useOrganizeMessages();
  const { data } = useChallenges();
  const groups = watched(data ?? []);
  const filled = GROUPS.filter((group) => groups[group].length > 0);
  return (
    <section className={`${card.card} ${styles.watch}`} aria-labelledby="watch">
      <h2 id="watch">{day.watch}</h2>
      {data && filled.length === 0 && <p className={styles.none}>{day.watchNone}</p>}
      <div className={`${styles.groups} ${styles.scrolls}`}>
        {filled.map((group) => (
          <div key={group}>
            <h3>{day[group]}</h3>
            <ul className={styles.watched}>
              {groups[group].map((one) => (
                <Row key={one.id} one={one}>
                  <Figure one={one} group={group} />
                </Row>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  );
}
