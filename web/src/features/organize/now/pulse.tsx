/** The pulse of the event: figures, each with a small graph of what was seen of it. */
import { useState } from "react";
import type { Overview } from "../../../api/organize-lists";
import { useMessages } from "../../../messages/language";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { Moment } from "../frame/moment";

/** Readings of a figure that are kept: those of some twenty minutes. */
const SAMPLES_MAX = 200;
const [WIDTH, HEIGHT] = [120, 28];

/** The points of a line through the samples, from nothing to the highest: a tremor stays small. */
export function linePoints(samples: readonly number[]): string {
  const highest = Math.max(...samples) || 1;
  const step = WIDTH / Math.max(1, samples.length - 1);
  return samples
    .map((value, at) => {
      const y = HEIGHT - 1 - (value / highest) * (HEIGHT - 2);
      return `${(at * step).toFixed(1)},${y.toFixed(1)}`;
    })
    .join(" ");
}

interface FigureProps {
  name: string;
  value: number;
  /** Changes with each reading, also if the value does not. */
  readAt: number;
}

function Figure({ name, value, readAt }: FigureProps) {
  const { now: words } = useOrganizeMessages().pages;
  const { locale } = useMessages();
  const [samples, setSamples] = useState<readonly number[]>([value]);
  const [seenAt, setSeenAt] = useState(readAt);
  if (seenAt !== readAt) {
    setSeenAt(readAt);
    setSamples([...samples, value].slice(-SAMPLES_MAX));
  }
  return (
    <div className="org-figure">
      <dt>{name}</dt>
      <dd>
        <strong>{new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(value)}</strong>
        <svg
          role="img"
          aria-label={words.graph(name)}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
        >
          <polyline points={linePoints(samples)} vectorEffect="non-scaling-stroke" />
        </svg>
      </dd>
    </div>
  );
}

const GB = 1e9;

export function Pulse({ overview, readAt }: { overview: Overview; readAt: number }) {
  const { now: words } = useOrganizeMessages().pages;
  const { health } = overview;
  const figures: readonly (readonly [string, number | null | undefined])[] = [
    [words.teams, overview.teams.playing],
    [words.solves, overview.solves],
    [words.right, health?.flagsPerSecond?.right],
    [words.wrong, health?.flagsPerSecond?.wrong],
    [words.online, health?.sockets],
    [words.slowest, health?.lane?.slowestMs],
    [words.disk, health?.diskFreeBytes ? health.diskFreeBytes / GB : null],
    [words.nodes, health?.nodes],
  ];
  return (
    <section className="org-card">
      <h2>{words.pulse}</h2>
      <dl className="org-figures">
        {figures.map(([name, value]) =>
          value === null || value === undefined ? null : (
            <Figure key={name} name={name} value={value} readAt={readAt} />
          ),
        )}
      </dl>
      <p className="org-note">
        {words.lastSolve}: <Moment ms={overview.lastSolveAt} />
      </p>
    </section>
  );
}
