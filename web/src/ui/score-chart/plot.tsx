/**
 * The plot of a score graph: stepped lines on a canvas, each with its own colour and dashes, its
 * name at its end. A table beside it has the same numbers, so the canvas is one labelled image; a
 * slider reads it moment by moment.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useMessages } from "../../messages/language";
import { clockLabels } from "../moment/moment";
import { useMedia } from "../motion/motion";
import { THEME, usePreference } from "../preference/preference";
import { SERIES_DASHES, seriesColour } from "../series/series";
import { useZone, type Zone } from "../zone/zone";
import styles from "./score-chart.module.css";
import { alignedLines, type ChartLine, spread } from "./score-data";
import { ScoreReadout } from "./score-readout";

const LABEL_PX = 13;
const NAMES_WIDTH_PX_MIN = 640;
const NAME_ROOM_PX = 150;
const RANK_ROOM_PX = 26;

/** The colour of a token: a canvas cannot use its name, nor what depends on the theme. */
function readToken(box: HTMLElement, name: string): string {
  const probe = box.appendChild(document.createElement("i"));
  probe.style.color = `var(${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function timeLabels(locale: string, zone: Zone) {
  return (_: uPlot, splits: number[]) =>
    splits.map(clockLabels((splits.at(-1) ?? 0) - (splits[0] ?? 0), locale, zone));
}

/** Truncates a text to a width and isolates its direction (bidi). */
function fitted(context: CanvasRenderingContext2D, text: string, room: number): string {
  let cut = [...text];
  while (cut.length > 1 && context.measureText(`${cut.join("")}…`).width > room) {
    cut = cut.slice(0, -1);
  }
  const whole = cut.length === [...text].length || context.measureText(text).width <= room;
  return `\u2068${whole ? text : `${cut.join("")}…`}\u2069`;
}

/** Draws each line's rank at its end, and its name if there is room. */
function drawLabels(plot: uPlot, lines: readonly ChartLine[], font: string): void {
  const { ctx, bbox } = plot;
  const ratio = uPlot.pxRatio;
  const named = plot.width >= NAMES_WIDTH_PX_MIN;
  const ends = lines.map((line) => plot.valToPos(line.points.at(-1)?.points ?? 0, "y", true));
  const places = spread(ends, (LABEL_PX + 2) * ratio, bbox.top + bbox.height);
  ctx.save();
  ctx.font = `600 ${LABEL_PX * ratio}px ${font}`;
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  lines.forEach(({ name }, index) => {
    ctx.fillStyle = readToken(plot.root, seriesColour(index));
    const room = (NAME_ROOM_PX - 32) * ratio;
    const words = named ? `${index + 1} ${fitted(ctx, name, room)}` : `${index + 1}`;
    ctx.fillText(words, bbox.left + bbox.width + 8 * ratio, places[index] ?? 0);
  });
  ctx.restore();
}

/** A cursor line under the pointer; `point` gets its moment, or null when the pointer leaves. */
function cursorOptions(point: (ts: number | null) => void) {
  const setCursor = ({ cursor, posToVal }: uPlot) => {
    const left = cursor.left ?? -1;
    point(left < 0 ? null : posToVal(left, "x"));
  };
  const cursor: uPlot.Cursor = { y: false, points: { show: false }, drag: { x: false, y: false } };
  return { cursor, hooks: { setCursor: [setCursor] } };
}

function makeOptions(
  box: HTMLElement,
  lines: readonly ChartLine[],
  { locale, zone }: { locale: string; zone: Zone },
  point: (ts: number | null) => void,
): uPlot.Options {
  const { cursor, hooks } = cursorOptions(point);
  const font = getComputedStyle(box).fontFamily;
  const axis: uPlot.Axis = {
    stroke: readToken(box, "--muted"),
    font: `12px ${font}`,
    grid: { stroke: readToken(box, "--line"), width: 1 },
    ticks: { show: false },
  };
  const width = box.clientWidth;
  const room = width >= NAMES_WIDTH_PX_MIN ? NAME_ROOM_PX : RANK_ROOM_PX;
  const isOne = lines.length === 1;
  const { stepped } = uPlot.paths;
  return {
    width,
    height: box.clientHeight,
    padding: [12, isOne ? 16 : room, 0, 0],
    legend: { show: false },
    cursor,
    scales: { y: { range: (_, low, high) => [Math.min(0, low), Math.max(1, high * 1.05)] } },
    axes: [
      { ...axis, size: 30, values: timeLabels(locale, zone) },
      { ...axis, size: 56, values: (_, splits) => splits.map(String) },
    ],
    series: [
      {},
      ...lines.map((line, index) => ({
        label: line.name,
        stroke: readToken(box, seriesColour(index)),
        width: 2.25,
        dash: [...(SERIES_DASHES[index] ?? [])],
        points: { show: false },
        ...(stepped && { paths: stepped({ align: 1 }) }),
      })),
    ],
    hooks: { ...hooks, ...(!isOne && { draw: [(plot) => drawLabels(plot, lines, font)] }) },
  };
}

/** The moment under the cursor, null for the last one, and the plot with the cursor. */
function useMoment() {
  const [moment, setMoment] = useState<number | null>(null);
  const read = useRef<number | null>(null);
  const plot = useRef<uPlot>(null);
  const point = useCallback((ts: number | null) => {
    read.current = ts;
    setMoment(ts);
  }, []);
  const drawLine = useCallback(() => {
    const left = read.current === null ? -1 : plot.current?.valToPos(read.current, "x");
    plot.current?.setCursor({ left: left ?? -1, top: 0 }, false);
  }, []);
  return { moment, point, plot, drawLine };
}

export default function Plot({ lines, label }: { lines: ChartLine[]; label: string }) {
  const { locale } = useMessages();
  const zone = useZone();
  const theme = usePreference(THEME);
  const box = useRef<HTMLDivElement>(null);
  const isLight = useMedia("(prefers-color-scheme: light)");
  const data = useMemo(() => alignedLines(lines), [lines]);
  const { moment, point, plot, drawLine } = useMoment();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes the tokens.
  useEffect(() => {
    const place = box.current;
    if (!place) return;
    const draw = () => {
      plot.current = new uPlot(makeOptions(place, lines, { locale, zone }, point), data, place);
      queueMicrotask(drawLine); // after the plot's own, which sets its scales
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
  }, [lines, data, locale, zone, theme, isLight]);
  const [first, last] = [data[0][0] ?? 0, data[0].at(-1) ?? 0];
  const clock = useMemo(() => clockLabels(last - first, locale, zone), [first, last, locale, zone]);
  const choose = (ts: number) => {
    point(ts < last ? ts : null);
    drawLine();
  };
  return (
    <>
      <div ref={box} role="img" aria-label={label} className={styles.chart} />
      <ScoreReadout
        lines={lines}
        first={first}
        last={last}
        ts={Math.min(Math.max(moment ?? last, first), last)}
        label={clock}
        onMoment={choose}
      />
    </>
  );
}
