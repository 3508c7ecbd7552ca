/**
 * The plot of a score graph: stepped lines on a canvas, with a crosshair and the lines' names. The
 * leading lines and the viewer's own are in color, others when they are pointed at. A table has the
 * same numbers, so the canvas is one labeled image; a slider reads individual times.
 */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useMessages } from "../../messages/language";
import { clockLabels } from "../moment/moment";
import { useMedia } from "../motion/motion";
import { THEME, usePreference } from "../preference/preference";
import { useZone } from "../zone/zone";
import { ChartKey } from "./chart-key";
import { ChartNames, placeNames } from "./chart-names";
import { ChartSlider } from "./chart-slider";
import { ChartTip } from "./chart-tip";
import {
  emphasize,
  type NamePlace,
  namesX,
  type Picture,
  type PlotEvents,
  plotOptions,
} from "./plot-options";
import type { ScoreChartProps } from "./score-chart";
import styles from "./score-chart.module.css";
import { alignedLines, isLeading, leadChanges, nearestLine, scoresAt, spread } from "./score-data";

/** Distance within which the pointer is on a line or on a mark. */
const REACH_PX = 14;

/** Width of the tooltip and its distance, as in the style sheet. */
const TIP_PX = 260;

const PLAIN = "(forced-colors: active), (prefers-contrast: more)";

/** A time in the plot. */
interface Crosshair {
  readonly ts: number;
  /** Position in pixels of the whole plot. */
  readonly x: number;
  /** True if the tooltip fits before the crosshair, where it does not cover the names. */
  readonly hasRoomBefore: boolean;
  /** Seconds within which a mark is at the crosshair. */
  readonly reachS: number;
}

function crosshairAt(plot: uPlot, ts: number): Crosshair {
  const left = plot.valToPos(ts, "x");
  const x = plot.bbox.left / uPlot.pxRatio + left;
  const reachS = plot.posToVal(REACH_PX / 2, "x") - plot.posToVal(0, "x");
  return { ts, x, hasRoomBefore: x > TIP_PX, reachS };
}

function usePicture({ lines, story }: ScoreChartProps): Picture {
  const { locale, statusBanner } = useMessages();
  const zone = useZone();
  const isPlain = useMedia(PLAIN);
  const freezeLabel = statusBanner.frozen ?? "";
  return useMemo(() => {
    const leads = story ? leadChanges(lines) : [];
    return { lines, story, leads, freezeLabel, locale, zone, isPlain };
  }, [lines, story, freezeLabel, locale, zone, isPlain]);
}

/**
 * Moves the names and the slider's end to the ends of the lines, and returns the places of the
 * names.
 */
function placeAtEnds(plot: uPlot, list: HTMLOListElement | null, picture: Picture): NamePlace[] {
  const { left, top, height } = plot.bbox;
  const ratio = uPlot.pxRatio;
  const lasts = picture.lines.map(({ points }) => points.at(-1));
  const ends = lasts.map((last) => plot.valToPos(last?.points ?? 0, "y"));
  const lineX = plot.valToPos(lasts[0]?.ts ?? 0, "x");
  const x = left / ratio + namesX(plot, lineX);
  const around = plot.root.parentElement?.parentElement?.style;
  around?.setProperty("--from", `${left / ratio}px`);
  around?.setProperty("--to", `${left / ratio + lineX}px`);
  const tops = placeNames(list, {
    x,
    topsOf: (gap) => spread(ends, gap, height / ratio - gap / 2).map((y) => y + top / ratio),
  });
  return tops.map((y) => ({ x, y }));
}

/** The crosshair, and the lines that are pointed at or kept in color. */
function useChartState() {
  const [crosshair, setCrosshair] = useState<Crosshair | null>(null);
  const [active, setActive] = useState<string | null>(null);
  const [pinned, setPinned] = useState<string | null>(null);
  return { crosshair, setCrosshair, active, setActive, pinned, setPinned };
}

type ChartState = ReturnType<typeof useChartState>;

/** Draws the plot, and again for a new picture, theme or size. */
function usePlot(picture: Picture, state: ChartState) {
  const box = useRef<HTMLDivElement>(null);
  const names = useRef<HTMLOListElement>(null);
  const plot = useRef<uPlot>(null);
  const latest = useRef(state);
  const theme = usePreference(THEME);
  const isLight = useMedia("(prefers-color-scheme: light)");
  useLayoutEffect(() => {
    latest.current = state;
  });
  const { setCrosshair, setActive, active, pinned } = state;
  const events = useMemo((): PlotEvents => {
    const { lines, story, isPlain } = picture;
    const lastTs = lines[0]?.points.at(-1)?.ts ?? 0;
    const nameOf = (index: number) => lines[index]?.name ?? "";
    const isActive = (index: number) => nameOf(index) === latest.current.active;
    return {
      isActive,
      isBold: (index) => {
        const name = nameOf(index);
        const isShown = isActive(index) || name === latest.current.pinned;
        return isPlain || isShown || isLeading(index, name, story?.ownTeam ?? null);
      },
      onPoint: (drawn, at) => {
        const ts = at ? drawn.posToVal(at.left, "x") : Number.POSITIVE_INFINITY;
        setCrosshair(ts <= lastTs ? crosshairAt(drawn, ts) : null);
        const reach = Math.abs(drawn.posToVal(REACH_PX, "y") - drawn.posToVal(0, "y"));
        const score = at && drawn.posToVal(at.top, "y");
        setActive(score === null ? null : nearestLine(lines, ts, score, reach));
      },
      onDrawn: (drawn) => placeAtEnds(drawn, names.current, picture),
    };
  }, [picture, setCrosshair, setActive]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes the tokens.
  useEffect(() => {
    const place = box.current;
    if (!place) return;
    const [times, ...columns] = alignedLines(picture.lines);
    const data: uPlot.AlignedData = [times, ...[...columns].reverse()];
    const draw = () => {
      const drawn = new uPlot(plotOptions(place, picture, events), data, place);
      plot.current = drawn;
      // After the plot's own microtask, which sets its scales.
      queueMicrotask(() => moveCrosshair(drawn, latest.current.crosshair?.ts ?? null));
    };
    draw();
    const observer = new ResizeObserver(() => {
      const { width, height } = plot.current ?? {};
      if (width === place.clientWidth && height === place.clientHeight) return;
      plot.current?.destroy();
      draw();
    });
    observer.observe(place);
    return () => {
      observer.disconnect();
      plot.current?.destroy();
    };
  }, [picture, events, theme, isLight]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new plot has the emphasis already.
  useEffect(() => {
    if (plot.current) emphasize(plot.current, picture.lines, events);
  }, [active, pinned]);
  return { box, names, plot };
}

function moveCrosshair(plot: uPlot, ts: number | null): void {
  plot.setCursor({ left: ts === null ? -1 : plot.valToPos(ts, "x"), top: 0 }, false);
}

export default function Plot(props: ScoreChartProps) {
  const { lines, label, story, isStill = false, isFalling = false } = props;
  const picture = usePicture(props);
  const state = useChartState();
  const { crosshair, setCrosshair, active, pinned, setActive, setPinned } = state;
  const { box, names, plot } = usePlot(picture, state);
  const first = lines[0]?.points[0]?.ts ?? 0;
  const last = lines[0]?.points.at(-1)?.ts ?? 0;
  const ts = Math.min(Math.max(crosshair?.ts ?? last, first), last);
  const scores = useMemo(() => scoresAt(lines, ts), [lines, ts]);
  const clock = useMemo(
    () => clockLabels(last - first, picture.locale, picture.zone),
    [first, last, picture.locale, picture.zone],
  );
  const choose = (wished: number) => {
    if (!plot.current) return;
    const isPast = wished < last;
    setCrosshair(isPast ? crosshairAt(plot.current, wished) : null);
    moveCrosshair(plot.current, isPast ? wished : null);
  };
  const isNear = (mark: { ts: number }) => Math.abs(mark.ts - ts) <= (crosshair?.reachS ?? 0);
  return (
    <div className={styles.plot} data-still={isStill}>
      <div ref={box} role="img" aria-label={label} className={styles.chart} />
      {crosshair && !isStill && (
        <ChartTip
          {...crosshair}
          time={clock(ts)}
          scores={scores}
          bloods={story?.bloods.filter(isNear) ?? []}
          active={active}
        />
      )}
      {!isStill && (
        <ChartSlider
          first={first}
          last={last}
          ts={ts}
          scores={scores}
          clock={clock}
          onMoment={choose}
        />
      )}
      {(story || isFalling) && (
        <ChartKey story={story} hasLeads={picture.leads.length > 0} isFalling={isFalling} />
      )}
      {lines.length > 1 && (
        <ChartNames
          ref={names}
          scores={scores}
          ownTeam={story?.ownTeam ?? null}
          active={active}
          pinned={pinned}
          isStill={isStill}
          onActive={setActive}
          onPin={setPinned}
        />
      )}
    </div>
  );
}
