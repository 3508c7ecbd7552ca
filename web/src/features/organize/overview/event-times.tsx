/** Times of the event, with the time left until each, and the buttons to extend it. */
import type { Overview } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { Extend } from "../event/extend";
import { durationText, useNow } from "../frame/clock";
import { useMomentText } from "../frame/moment";
import { useChallenges } from "../frame/queries";
import { Status } from "../frame/status";
import { ChallengeLink } from "../frame/view";
import { useEventZone } from "../time-field";
import card from "./card.module.css";
import styles from "./overview.module.css";
import { type EventTime, eventTimes } from "./times";

function What({ time }: { time: EventTime }) {
  const { day } = useOrganizeMessages();
  const { kind, challenge } = time;
  if (kind !== "release") return day[kind];
  if (!challenge) return null;
  return <ChallengeLink id={challenge.id} name={day.release(challenge.challengeName)} />;
}

function Row({ time, now, isNext }: { time: EventTime; now: number; isNext: boolean }) {
  const { day } = useOrganizeMessages();
  const timeText = useMomentText();
  const isPassed = time.at <= now;
  return (
    <li className={styles.time} data-next={isNext} data-passed={isPassed}>
      <Status mark={isPassed ? "good" : "wait"}>
        <What time={time} />
      </Status>
      <span className={styles.left}>
        {isPassed ? day.passed : day.in(durationText(time.at - now))}
      </span>
      <time dateTime={new Date(time.at).toISOString()}>{timeText(time.at)}</time>
    </li>
  );
}

export function EventTimes({ overview, readAt }: { overview: Overview; readAt: number }) {
  const { day, console: words } = useOrganizeMessages();
  const challenges = useChallenges().data ?? [];
  const zone = useEventZone();
  const now = useNow(overview.now - readAt);
  const times = eventTimes(overview, challenges);
  const next = times.find(({ at }) => at > now);
  return (
    <section className={card.card} aria-labelledby="event-times">
      <h2 id="event-times" title={words.timesShown(zone)}>
        {day.next}
      </h2>
      {times.length === 0 && <p className={styles.none}>{day.noTimes}</p>}
      <ol className={styles.times}>
        {times.map((time) => (
          <Row key={time.key} time={time} now={now} isNext={time === next} />
        ))}
      </ol>
      <div className={styles.extend}>
        <Extend overview={overview} />
      </div>
    </section>
  );
}
