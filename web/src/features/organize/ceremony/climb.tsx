/**
 * The board around the place that is being settled, and beside it the team at that place with its
 * hidden solves. Rows and board move by transforms only.
 */
import { type CSSProperties, memo, useMemo } from "react";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { CategorySign } from "../../../ui/category-sign/category-sign";
import { Flag } from "../../../ui/flag/flag";
import { Pennant } from "../../../ui/pennant/pennant";
import styles from "./climb.module.css";
import { useNumber } from "./number";
import type { Options } from "./saved";
import { type Beat, endOf, type Moment, type Row, rowsAt, type Script } from "./script";
import stage from "./stage.module.css";

/** Number of rows on the screen. */
const ROWS = 10;
/** Rows below the place that is being settled. */
const BELOW = 2;
/** Largest number of seals in a row; more are a number. */
const SEALS_MAX = 6;
/** Largest number of hidden solves beside the board. */
const SOLVES_MAX = 6;

function Seals({ left }: { left: number }) {
  const { sealedLeft } = useOrganizeMessages().ceremony;
  if (left === 0) return null;
  return (
    <span className={styles.seals} role="img" aria-label={sealedLeft(left)}>
      {left > SEALS_MAX && <span aria-hidden="true">{left}</span>}
      {Array.from({ length: left > SEALS_MAX ? 1 : left }, (_, number) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the seals are all alike.
        <i key={number} />
      ))}
    </span>
  );
}

interface TeamRowProps {
  row: Row;
  place: number;
  isAtPlace: boolean;
  isRising: boolean;
  options: Options;
}

function stateOf({ row, isAtPlace, isRising }: TeamRowProps): string {
  if (isRising) return "rising";
  if (isAtPlace) return row.isSettled ? "here" : "at";
  return row.isSettled ? "settled" : "open";
}

const TeamRow = memo(function TeamRow(props: TeamRowProps) {
  const { row, place, options } = props;
  const number = useNumber();
  const { teamName, country } = row.team;
  const style = { "--at": place - 1 } as CSSProperties;
  const state = stateOf(props);
  return (
    <li className={styles.row} style={style} data-state={state} data-team={teamName}>
      <span className={styles.place}>{place}</span>
      <span className={styles.pennant}>
        <Pennant name={teamName} size="small" />
      </span>
      <span className={styles.flag}>
        <Flag code={country} />
      </span>
      <span className={stage.name}>
        <bdi>{teamName}</bdi>
      </span>
      {options.showsSolves && <Seals left={row.left} />}
      {options.showsPoints && <span className={styles.points}>{number(row.points)}</span>}
    </li>
  );
});

/** Hidden solves of the team that is at the place now, and the last one of all. */
function useTurn(script: Script, { step, beat }: Moment) {
  return useMemo(() => {
    const at = script.steps[step];
    if (at?.kind !== "place") return null;
    const seen = at.beats.slice(0, beat + 1);
    const last = seen.at(-1);
    const before = rowsAt(script, { step, beat: -1 });
    const team = last?.team ?? before[at.place - 1]?.team;
    const solves = seen.flatMap((one) => (one.kind === "solve" && one.team === team ? [one] : []));
    return { place: at.place, team, solves, last };
  }, [script, step, beat]);
}

type Turn = NonNullable<ReturnType<typeof useTurn>>;

function Outcome({ last }: { last: Beat | undefined }) {
  const words = useOrganizeMessages().ceremony;
  if (last?.kind !== "solve" || last.to === last.from) return null;
  return (
    <p className={styles.up} key={last.to}>
      <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        <path d="M8 13V3.5M3.8 7.6 8 3.4l4.2 4.2" />
      </svg>
      {words.up(last.to)}
    </p>
  );
}

function TurnPanel({ turn, options }: { turn: Turn; options: Options }) {
  const words = useOrganizeMessages().ceremony;
  const number = useNumber();
  const { place, team, solves, last } = turn;
  if (!team) return null;
  const isSettled = last?.kind === "settle";
  return (
    <>
      <h1 className={styles.number} data-medal={isSettled && place <= 3 ? place : undefined}>
        <span>{words.placeLabel}</span> {place}
      </h1>
      <div className={styles.team} key={team.teamName}>
        <p className={styles.big}>
          <Pennant name={team.teamName} size="medium" />
          <bdi>{team.teamName}</bdi>
        </p>
        {options.showsSolves && (
          <ul className={styles.solves}>
            {solves.slice(-SOLVES_MAX).map(({ solve }) => (
              <li key={solve.challengeName}>
                <CategorySign category={solve.category} />
                <span>
                  <bdi>{solve.challengeName}</bdi>
                </span>
                {options.showsPoints && <b>+{number(solve.points)}</b>}
              </li>
            ))}
          </ul>
        )}
        <Outcome last={last} />
        {isSettled && options.showsPoints && (
          <p className={styles.total}>{words.points(number(team.finalPoints))}</p>
        )}
      </div>
    </>
  );
}

function Words({ title, note, extra }: { title: string; note: string; extra?: string }) {
  return (
    <div className={styles.words}>
      <h1>{title}</h1>
      <p>{note}</p>
      {extra && <p className={styles.extra}>{extra}</p>}
    </div>
  );
}

/** Teams at most this many rows outside the window. */
const MARGIN = 12;

function nearby(rows: readonly Row[], first: number) {
  return rows.slice(Math.max(0, first - MARGIN), first + ROWS + MARGIN).map(({ team }) => team);
}

function beforeOf(script: Script, { step, beat }: Moment): Moment {
  return beat >= 0 ? { step, beat: beat - 1 } : endOf(script, Math.max(0, step - 1));
}

interface ClimbProps {
  script: Script;
  now: Moment;
  options: Options;
}

export function Climb({ script, now, options }: ClimbProps) {
  const words = useOrganizeMessages().ceremony;
  const rows = useMemo(() => rowsAt(script, now), [script, now]);
  const turn = useTurn(script, now);
  const step = script.steps[now.step]?.kind;
  const place = turn?.place ?? (step === "frozen" ? 1 : script.from);
  const first = Math.max(0, Math.min(place + BELOW, rows.length) - ROWS);
  const rising = turn?.last?.kind === "solve" ? turn.last.team : null;
  // Rows far from the window are left out, unless one of them leaves it now.
  const before = useMemo(() => rowsAt(script, beforeOf(script, now)), [script, now]);
  const near = new Set([rows, before].flatMap((all) => nearby(all, first)));
  const ordered = rows
    .map((row, index) => ({ row, place: index + 1 }))
    .filter(({ row }) => near.has(row.team))
    .sort((a, b) => (a.row.team.teamName < b.row.team.teamName ? -1 : 1));
  return (
    <div className={styles.climb} data-step={step}>
      <div className={styles.window}>
        <ol
          className={styles.board}
          style={{ "--first": first } as CSSProperties}
          data-frozen={step === "frozen"}
        >
          {ordered.map(({ row, place: at }) => (
            <TeamRow
              key={row.team.teamName}
              row={row}
              place={at}
              isAtPlace={at === turn?.place}
              isRising={row.team === rising}
              options={options}
            />
          ))}
        </ol>
      </div>
      <div className={styles.side}>
        {turn && <TurnPanel turn={turn} options={options} />}
        {step === "frozen" && <Words title={words.frozen.title} note={words.frozen.note} />}
        {step === "start" && (
          <Words
            title={words.start.title}
            note={words.start.note}
            extra={words.start.from(script.from)}
          />
        )}
      </div>
    </div>
  );
}
