/** A live preview of the players' home page before the start, drawn small from the answers. */
import type { CSSProperties } from "react";
import type { Settings } from "../../../api/organize-settings";
import { remaining, UNITS } from "../../../domain/countdown";
import { isZone } from "../../../domain/zoned";
import { useMessages } from "../../../messages/language";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useNow } from "../frame/clock";
import { type AllAnswers, timesOf } from "./answers";
import styles from "./preview.module.css";

const FORMAT = {
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
} as const;

/** Black or white, whichever has more contrast on a color. */
function textOn(color: string): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? "#17120a" : "#ffffff";
}

/** Custom properties of an accent, which React's type lacks. */
function colorsOf(color: string): CSSProperties {
  const properties: Record<`--${string}`, string> = {
    "--accent-fill": color,
    "--accent": color,
    "--on-accent": textOn(color),
  };
  return { ...properties };
}

function useDates({ start, end }: { start: number | null; end: number | null }, zone: string) {
  const { locale } = useMessages();
  if (start === null || end === null || end < start) return "";
  const timeZone = isZone(zone) ? zone : "UTC";
  return new Intl.DateTimeFormat(locale, { ...FORMAT, timeZone }).formatRange(start, end);
}

function Countdown({ start }: { start: number }) {
  const { home } = useMessages();
  const now = useNow(0);
  if (start <= now) return null;
  const left = remaining(start, now);
  return (
    <div className={styles.rings}>
      {UNITS.map((unit) => (
        <span key={unit} className={styles.ring}>
          <b>{left[unit]}</b>
          {home.units[unit]}
        </span>
      ))}
    </div>
  );
}

/** The pennant of the generated hero. */
function Scene() {
  return (
    <svg viewBox="-180 0 480 200" className={styles.scene} aria-hidden="true">
      <path d="M-180 168h480v32h-480z" className={styles.sea} />
      <path d="M196 168a34 34 0 0 1 68 0z" className={styles.sun} />
      <path d="M150 30v150M222 62v118" className={styles.mast} />
      <path d="M151 34c22-9 36 7 56 2s34-5 54 0l-18 19 18 20c-20-5-34-5-54 0s-34-7-56 2z" />
      <path d="M223 66c14-6 24 4 36 1s26-1 37 12c-15 6-22 1-36 7s-23-3-37-2z" />
      <path d="M-180 182h480v3h-480z" className={styles.mast} />
    </svg>
  );
}

function parts(name: string): readonly [string, string | undefined] {
  const [, first = name, second] = /^(.*?\S):\s*(\S.*)$/.exec(name) ?? [];
  return [first, second];
}

export function Preview({ answers, settings }: { answers: AllAnswers; settings: Settings }) {
  const { preview: words } = useOrganizeMessages().setup;
  const { home, navigation } = useMessages();
  const { values } = answers.name;
  const { timezone = "", accent = "", banner = "" } = values;
  const times = timesOf(values);
  const dates = useDates(times, timezone.trim());
  const name = values.name?.trim() || words.unnamed;
  const [first, second] = parts(name);
  const isSignupOpen = answers.players.values.signup !== "closed";
  const color = /^#[0-9a-f]{6}$/i.test(accent.trim()) ? accent.trim() : null;
  const own = color === null ? undefined : colorsOf(color);
  const hasNews = settings.pages.map(({ title }) => title).slice(0, 2);
  return (
    <figure className={styles.preview}>
      <figcaption>
        {words.note}
        <span className="visually-hidden">: {words.of(name, dates)}</span>
      </figcaption>
      <div className={styles.screen} aria-hidden="true" inert style={own}>
        <div className={styles.bar}>
          <b>{name}</b>
          <span>{navigation.scoreboard}</span>
          <span>{navigation.challenges}</span>
          <span>{navigation.rules}</span>
          {hasNews.map((title) => (
            <span key={title}>{title}</span>
          ))}
        </div>
        <div className={styles.hero}>
          <Scene />
          <div className={styles.lead}>
            <p className={styles.dates}>{dates}</p>
            <p className={styles.title}>
              {first}
              {second && <span>{second}</span>}
            </p>
            {banner && <p className={styles.banner}>{banner}</p>}
            {times.start !== null && <Countdown start={times.start} />}
            {isSignupOpen && <span className={styles.button}>{home.signUp}</span>}
          </div>
        </div>
        <ol className={styles.steps}>
          {home.stepTitles.map((title) => (
            <li key={title}>{title}</li>
          ))}
        </ol>
      </div>
    </figure>
  );
}
