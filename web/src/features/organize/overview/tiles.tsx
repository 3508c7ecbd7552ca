/** The figures of the event and the server, each with its graph of an hour and its limit. */
import type { Overview } from "../../../api/organize-lists";
import { useMessages } from "../../../messages/language";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useFlags, useMay } from "../frame/queries";
import { Status } from "../frame/status";
import {
  drawing,
  type Figure,
  figuresOf,
  HEIGHT,
  type History,
  type Point,
  pointsOf,
  WIDTH,
  withSolves,
} from "./figures";
import { useHistory } from "./history";
import styles from "./tiles.module.css";

/** A tick of the axis every 15 minutes. */
const TICKS = [0, 30, 60, 90, 120];

function Graph({ points, limit }: { points: readonly Point[]; limit: number | undefined }) {
  const { line, area, limit: limitAt, last } = drawing(points, limit);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT + 4}`}
      preserveAspectRatio="none"
      className={styles.graph}
      aria-hidden="true"
    >
      <path d={area} className={styles.area} />
      <path
        d={`M0 ${HEIGHT}H${WIDTH}${TICKS.map((x) => `M${x} ${HEIGHT}v4`).join("")}`}
        className={styles.axis}
      />
      {limitAt !== null && <path d={`M0 ${limitAt}H${WIDTH}`} className={styles.limit} />}
      <path d={line} className={styles.line} />
      {last !== null && <path d={`M${WIDTH} ${last}h0`} className={styles.dot} />}
    </svg>
  );
}

function useNumberText(): (value: number) => string {
  const { locale } = useMessages();
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const tenths = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const hundredths = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  return (value) => {
    if (Number.isInteger(value) || value >= 100) return whole.format(value);
    return value < 1 ? hundredths.format(value) : tenths.format(value);
  };
}

function useAbout({ name, limit = 0 }: Figure): string {
  const { about } = useOrganizeMessages().day;
  const numberText = useNumberText();
  const text = about[name];
  return typeof text === "string" ? text : text(numberText(limit));
}

function Tile({ figure, points }: { figure: Figure; points: readonly Point[] }) {
  const { day: words } = useOrganizeMessages();
  const numberText = useNumberText();
  const about = useAbout(figure);
  const { name, value, unit, limit, state } = figure;
  const values = points.map((point) => point.value);
  const lowest = Math.min(value, ...values);
  const highest = Math.max(value, ...values);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the focus shows the limit, as hovering does.
    <li className={styles.tile} data-state={state} tabIndex={0}>
      <p className={styles.name}>
        {words.figure[name]}
        {state !== "quiet" && (
          <Status mark={state}>
            <span className="visually-hidden">{words.state[state]}</span>
          </Status>
        )}
      </p>
      <p className={styles.value}>
        {numberText(value)}
        {unit && <span>{unit}</span>}
      </p>
      <div className={styles.chart}>
        <Graph points={points} limit={limit} />
        <p className={styles.times} aria-hidden="true">
          <span>{words.hourAgo}</span>
          <span>{words.now}</span>
        </p>
        <p className={styles.about}>
          {about}{" "}
          <span className="visually-hidden">
            {words.graph(numberText(lowest), numberText(highest))}
          </span>
        </p>
      </div>
    </li>
  );
}

interface TilesProps {
  overview: Overview;
  history: History;
}

function List({ overview, history }: TilesProps) {
  const { day: words } = useOrganizeMessages();
  return (
    <ul aria-label={words.figures} className={styles.tiles}>
      {figuresOf(overview).map((figure) => (
        <Tile
          key={figure.name}
          figure={figure}
          points={pointsOf(history, figure.name, overview.now)}
        />
      ))}
    </ul>
  );
}

/** The tiles, with the solves before the page was opened. */
function ListWithSolves({ overview, history }: TilesProps) {
  const page = useFlags({ verdict: "right" }).data?.pages[0];
  const { solves, now, status } = overview;
  const isKnown = page !== undefined && page.flags.length > 0 && status !== "not_started";
  const filled = isKnown ? withSolves(history, page.flags, !page.next, solves, now) : history;
  return <List overview={overview} history={filled} />;
}

export function Tiles({ overview }: { overview: Overview }) {
  const history = useHistory(overview);
  const Kind = useMay()("flag.list") ? ListWithSolves : List;
  return <Kind overview={overview} history={history} />;
}
