/**
 * The celebration of a solve, shown once: the pennant goes up its mast, the points count up, the
 * rank rolls, the bar of the category fills; then the next challenge. A sealed solve shows only
 * facts that the reveal cannot change. With reduced motion everything is in place at once.
 */
import { type CSSProperties, useEffect, useRef, useState } from "react";
import type { Challenge } from "../../../api/calls";
import { useServerNow } from "../../../api/clock";
import { useAcceptedFlag } from "../../../api/waiting-flags";
import type { Board } from "../../../domain/board";
import type { Derived } from "../../../domain/challenges";
import {
  categoryAfter,
  nextChallenge,
  type OpenGain,
  type SealedGain,
  unlockedBy,
} from "../../../domain/solve-moment";
import { useMessages } from "../../../messages/language";
import { CheckIcon, FirstBloodIcon } from "../../../ui/icons/icons";
import { Pennant } from "../../../ui/pennant/pennant";
import { useSealText } from "../../../ui/sealed/sealed";
import { useGapText } from "../gap-text";
import styles from "./celebration.module.css";
import { useConfetti, useCountUp, useFocusOnce } from "./effects";
import { type Kind, useGain, useKind } from "./gain";

export interface CelebrationProps {
  challenge: Derived<Challenge>;
  challenges: readonly Derived<Challenge>[];
  board: Board | null;
  team: string;
  /** The address with another challenge of the list open instead of this one. */
  addressOf: (other: Challenge) => string;
}

type Gain = OpenGain | SealedGain | null;

/** The accepted flag in the place of the field, with a check in the place of the button. */
function Accepted({ challenge }: Pick<CelebrationProps, "challenge">) {
  const [flag] = useState(useAcceptedFlag(challenge));
  return (
    <p className={styles.accepted} aria-hidden="true">
      <span className={styles.flag}>{flag}</span>
      <span className={styles.check}>
        <CheckIcon />
      </span>
    </p>
  );
}

/** A hollow flag, which is nobody's. */
const SEALED_FLAG = (
  <svg viewBox="0 0 24 18" className={styles.sealed} aria-hidden="true" focusable="false">
    <path d="M0 .75H22.6L17.5 9l5.1 8.25H0" fill="none" stroke="currentColor" strokeWidth="1.5" />
  </svg>
);

/** The mast with the team's pennant; a sealed solve has a hollow flag. */
function Mast({ team, kind }: { team: string; kind: Kind }) {
  return (
    <div className={styles.mast}>
      <div className={styles.hoist}>
        {kind === "sealed" ? SEALED_FLAG : <Pennant name={team} size="medium" />}
      </div>
    </div>
  );
}

/** The whole gain as sentences, for screen readers. */
function Spoken({ gain, kind }: { gain: Gain; kind: Kind }) {
  const { moment: words, firstBlood, sealed } = useMessages();
  const seal = useSealText();
  const gap = useGapText(gain?.isSealed === false ? gain.gap : null);
  const sentences: (string | null)[] = [];
  if (gain?.isSealed) {
    const points = gain.canFall ? sealed.gain(gain.points) : `+${gain.points}`;
    sentences.push(`${points}, ${seal}`, sealed.counts);
  } else if (gain) {
    if (kind === "blood") sentences.push(`${firstBlood.title}, ${words.nobodyFaster}`);
    sentences.push(words.gained(gain), gap);
  }
  return (
    <p role="status" className="visually-hidden">
      {sentences
        .filter((sentence) => sentence !== null)
        .map((sentence, index) => (
          <span key={sentence}>
            {index > 0 && ". "}
            <span>{sentence}</span>
          </span>
        ))}
    </p>
  );
}

function Points({ points }: { points: number }) {
  const number = useRef<HTMLSpanElement>(null);
  useCountUp(number, points);
  return (
    <p className={styles.points}>
      <span dir="ltr">
        +<span ref={number}>{points}</span>
      </span>
    </p>
  );
}

/** The rank, rolling from the former one, the ranks gained, and the gap to the next team. */
function Standing({ gain }: { gain: OpenGain }) {
  const gap = useGapText(gain.gap);
  return (
    <p className={styles.standing}>
      <span className={styles.rank} dir="ltr">
        {gain.up > 0 && <span className={styles.from}>#{gain.rank + gain.up}</span>}
        <span className={gain.up > 0 ? styles.to : undefined}>#{gain.rank}</span>
      </span>
      {gain.up > 0 && (
        <span className={styles.up} dir="ltr">
          ▲{gain.up}
        </span>
      )}
      {gap && <span className={styles.gap}>{gap}</span>}
    </p>
  );
}

/** The gain as seen. The space is reserved until it is known. */
function Seen({ gain, kind }: { gain: Gain; kind: Kind }) {
  const { moment: words, firstBlood, sealed } = useMessages();
  const seal = useSealText();
  return (
    <div className={styles.seen} aria-hidden="true">
      {kind === "blood" && (
        <p className={styles.title}>
          <FirstBloodIcon />
          <strong>{firstBlood.title}</strong> <span className="quiet">{words.nobodyFaster}</span>
        </p>
      )}
      {gain?.isSealed === false && <Points points={gain.points} />}
      {gain?.isSealed === false && <Standing gain={gain} />}
      {gain?.isSealed && (
        <>
          <p className={styles.points}>
            {gain.canFall ? sealed.gain(gain.points) : <span dir="ltr">+{gain.points}</span>}
          </p>
          <p className={styles.title}>
            <strong>{seal}</strong> <span>{sealed.counts}</span>
          </p>
        </>
      )}
    </div>
  );
}

/** Time for which all pennants dip. */
const DIP_MS = 2000;

function Category({ challenge, challenges }: Pick<CelebrationProps, "challenge" | "challenges">) {
  const { find, moment: words } = useMessages();
  const progress = categoryAfter(challenges, challenge.id);
  const isDone = progress !== null && progress.solved === progress.all;
  useEffect(() => {
    if (!isDone) return;
    const { dataset } = document.documentElement;
    dataset.dip = "true";
    const timer = setTimeout(() => delete dataset.dip, DIP_MS);
    return () => {
      clearTimeout(timer);
      delete dataset.dip;
    };
  }, [isDone]);
  if (!progress) return null;
  const { category, solved, all } = progress;
  const shares = { "--before": (solved - 1) / all, "--after": solved / all } as CSSProperties;
  return (
    <div className={styles.category}>
      <span>{isDone ? words.categoryDone(category) : category}</span>
      <span className="quiet">{find.progress(solved, all)}</span>
      <span className={styles.bar} style={shares} aria-hidden="true" />
    </div>
  );
}

function Unlocked(props: Pick<CelebrationProps, "challenge" | "challenges" | "addressOf">) {
  const { challenge, challenges, addressOf } = props;
  const { moment: words } = useMessages();
  const unlocked = unlockedBy(challenges, challenge.id);
  if (unlocked.length === 0) return null;
  return (
    <p className={styles.unlocked}>
      {words.unlocked}{" "}
      {unlocked.map((one, index) => (
        <span key={one.id}>
          {index > 0 && ", "}
          <a href={addressOf(one)}>{one.challengeName}</a>
        </span>
      ))}
    </p>
  );
}

function Next({ challenge, challenges, addressOf }: CelebrationProps) {
  const { moment: words } = useMessages();
  const next = nextChallenge(challenges, challenge.id, useServerNow());
  const link = useRef<HTMLAnchorElement>(null);
  useFocusOnce(link);
  if (!next) return <p>{words.nothingLeft}</p>;
  return (
    <p className={styles.next}>
      <a
        ref={link}
        href={addressOf(next)}
        className="button button-primary"
        aria-label={`${words.next}: ${next.challengeName}`}
      >
        {words.next}
      </a>
      <span aria-hidden="true">{next.challengeName}</span>
    </p>
  );
}

export default function Celebration(props: CelebrationProps) {
  const { challenge, challenges, board, team } = props;
  const gain = useGain(board, team, challenge.id);
  const kind = useKind(gain);
  const box = useRef<HTMLDivElement>(null);
  useConfetti(box, kind === "blood");
  return (
    <div ref={box} className={styles.celebration} data-kind={kind}>
      <Mast team={team} kind={kind} />
      <div className={styles.story}>
        <Accepted challenge={challenge} />
        <Spoken gain={gain} kind={kind} />
        <Seen gain={gain} kind={kind} />
        <Category challenge={challenge} challenges={challenges} />
        <Unlocked {...props} />
        <Next {...props} />
      </div>
    </div>
  );
}
