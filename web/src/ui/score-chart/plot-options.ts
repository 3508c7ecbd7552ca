/** The options of the plot: axes, lines, and the hooks that draw the marks. */
import uPlot from "uplot";
import { clockLabels } from "../moment/moment";
import { SERIES_DASHES, seriesColour } from "../series/series";
import type { Zone } from "../zone/zone";
import { drawBand, drawDrops, drawEnd, drawEventEnd, drawLeader, drawNotches } from "./plot-marks";
import { type ChartLead, type ChartLine, type ChartStory, scoreAt } from "./score-data";

/** Width from which the names are at the lines' ends, as in the style sheet. */
const WIDE_PX_MIN = 640;
/** Room for the names, and for the scores beside the axis, in letters of the axis. */
const NAMES = 20;
const SCORES = 4;
const EDGE = 1.25;
const BOLD_WIDTH = 2.5;
/** Width of a line that is pointed at, which shows beside a line over it. */
const ACTIVE_WIDTH = 4;
const FAINT_WIDTH = 1;
const FAINT_ALPHA = 0.35;
const AXIS_PX = 12;

/** The lines and all that is drawn with them. */
export interface Picture {
  readonly lines: readonly ChartLine[];
  readonly leads: readonly ChartLead[];
  readonly story: ChartStory | undefined;
  readonly freezeLabel: string;
  readonly locale: string;
  readonly zone: Zone;
  /** True if lines differ by dashes, too, and none is faint. */
  readonly isPlain: boolean;
}

/** The start and the middle of a name, in pixels of the window. */
export interface NamePlace {
  readonly x: number;
  readonly y: number;
}

/** Reactions of the component. */
export interface PlotEvents {
  /** True for a line in color. */
  readonly isBold: (index: number) => boolean;
  /** True for a line that is pointed at. */
  readonly isActive: (index: number) => boolean;
  /** Called when the pointer moves over the plot, in pixels of the plot, or leaves it. */
  readonly onPoint: (plot: uPlot, at: { left: number; top: number } | null) => void;
  /** Called after the plot was drawn. Returns the position of each line's name. */
  readonly onDrawn: (plot: uPlot) => readonly NamePlace[];
}

/** The computed color of a token, since a canvas cannot use custom properties. */
function readToken(box: HTMLElement, name: string): string {
  const probe = box.appendChild(document.createElement("i"));
  probe.style.color = `var(${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** The index of a line by that of its series: the leading lines are drawn last. */
function lineOf(lines: readonly ChartLine[], series: number): number {
  return lines.length - series;
}

/** Width and opacity of a line. */
function strengthOf(index: number, { isBold, isActive }: PlotEvents, scale: number) {
  if (isActive(index)) return { width: ACTIVE_WIDTH * scale, alpha: 1 };
  if (isBold(index)) return { width: BOLD_WIDTH * scale, alpha: 1 };
  return { width: FAINT_WIDTH * scale, alpha: FAINT_ALPHA };
}

/** Sets the emphasis of each line, and draws them. */
export function emphasize(plot: uPlot, lines: readonly ChartLine[], events: PlotEvents): void {
  plot.series.forEach((series, at) => {
    if (at === 0) return;
    Object.assign(series, strengthOf(lineOf(lines, at), events, scaleOf(plot.root)));
  });
  plot.redraw(false);
}

/** Size of the letters in proportion to the usual one: large on a projector. */
function scaleOf(box: Element): number {
  return (Number.parseFloat(getComputedStyle(box).fontSize) || AXIS_PX) / AXIS_PX;
}

/** Room right of the plot: for the names, unless they fit into the time after the lines. */
function namesRoom(width: number, letter: number, { lines, story }: Picture): number {
  const least = EDGE * letter;
  if (lines.length === 1 || width < WIDE_PX_MIN) return least;
  const untilTs = lines[0]?.points.at(-1)?.ts ?? 0;
  const later = story ? (story.toTs - untilTs) / (story.toTs - story.fromTs) : 0;
  const wanted = NAMES * letter;
  return later * (width - SCORES * letter - least) >= wanted ? least : wanted;
}

/** Start of the names in pixels of the plot: the lines' ends, or the plot's end if it is near. */
export function namesX(plot: uPlot, lineX: number): number {
  const endX = plot.bbox.width / uPlot.pxRatio;
  return endX - lineX >= NAMES * AXIS_PX * scaleOf(plot.root) ? lineX : endX;
}

function timeLabels({ locale, zone }: Picture) {
  return (_: uPlot, splits: number[]) =>
    splits.map(clockLabels((splits.at(-1) ?? 0) - (splits[0] ?? 0), locale, zone));
}

function axesOf(box: HTMLElement, picture: Picture, scale: number): uPlot.Axis[] {
  const axis: uPlot.Axis = {
    stroke: readToken(box, "--muted"),
    font: `${AXIS_PX * scale}px ${getComputedStyle(box).fontFamily}`,
    ticks: { show: false },
    gap: 6 * scale,
  };
  const line = { stroke: readToken(box, "--line"), width: 1 };
  return [
    {
      ...axis,
      size: 28 * scale,
      space: 72 * scale,
      grid: { show: false },
      values: timeLabels(picture),
    },
    {
      ...axis,
      size: SCORES * AXIS_PX * scale,
      space: 40 * scale,
      grid: line,
      values: (_, splits) => splits.map(String),
    },
  ];
}

/** Hooks that draw the freeze below the lines, and the other marks on them. */
function markHooks(box: HTMLElement, picture: Picture, events: PlotEvents): uPlot.Hooks.Arrays {
  const { lines, story, leads } = picture;
  const em = AXIS_PX * scaleOf(box) * uPlot.pxRatio;
  const ice = readToken(box, "--ice");
  const iceSoft = readToken(box, "--ice-soft");
  const blood = readToken(box, "--blood");
  const surface = readToken(box, "--surface");
  const text = readToken(box, "--text");
  const colors = lines.map((_, index) => readToken(box, seriesColour(index)));
  const font = `600 ${em}px ${getComputedStyle(box).fontFamily}`;
  const band = (plot: uPlot) => {
    if (!story || story.freezeTs === null) return;
    const { freezeTs: fromTs, toTs } = story;
    drawBand(plot, em, {
      fromTs,
      toTs,
      color: ice,
      fill: iceSoft,
      label: picture.freezeLabel,
      font,
    });
  };
  const onLine = (plot: uPlot, series: number) => {
    const index = lineOf(lines, series);
    const line = lines[index];
    if (series === 0 || !line) return;
    const isBold = events.isBold(index);
    const last = line.points.at(-1);
    const color = isBold ? (colors[index] ?? text) : text;
    plot.ctx.save();
    plot.ctx.globalAlpha = isBold ? 1 : FAINT_ALPHA;
    if (last) drawEnd(plot, em, last.ts, last.points, color);
    drawDrops(plot, em, {
      bloods: story?.bloods.filter(({ name }) => name === line.name) ?? [],
      scoreAt: (ts) => scoreAt(line.points, ts),
      color: blood,
      edge: surface,
      size: isBold ? 1.1 : 0.8,
    });
    plot.ctx.restore();
  };
  const leaders = (plot: uPlot) => {
    const places = events.onDrawn(plot);
    if (plot.width < WIDE_PX_MIN) return;
    for (const [index, place] of places.entries()) {
      const last = lines[index]?.points.at(-1);
      const isBold = events.isBold(index);
      const color = isBold ? (colors[index] ?? text) : text;
      const alpha = isBold ? 0.8 : FAINT_ALPHA;
      const width = events.isActive(index) ? 2 : 1;
      if (last) drawLeader(plot, em, { ...last, place, color, alpha, width });
    }
  };
  const end = (plot: uPlot) => {
    if (story && story.endTs !== null) drawEventEnd(plot, em, story.endTs, text);
  };
  const indexOf = (name: string) => lines.findIndex((line) => line.name === name);
  return {
    drawClear: [band, end],
    drawSeries: [onLine],
    draw: [
      (plot) => drawNotches(plot, em, leads, (name) => colors[indexOf(name)] ?? text),
      leaders,
    ],
    setCursor: [
      (plot) => {
        const { left = -1, top = -1 } = plot.cursor;
        events.onPoint(plot, left < 0 ? null : { left, top });
      },
    ],
  };
}

export function plotOptions(box: HTMLElement, picture: Picture, events: PlotEvents): uPlot.Options {
  const { lines, story, isPlain } = picture;
  const scale = scaleOf(box);
  const text = readToken(box, "--text");
  const { clientWidth: width, clientHeight: height } = box;
  const { stepped } = uPlot.paths;
  const seriesOf = (index: number): uPlot.Series => {
    const color = readToken(box, seriesColour(index));
    return {
      label: lines[index]?.name ?? "",
      stroke: () => (events.isBold(index) ? color : text),
      ...strengthOf(index, events, scale),
      dash: isPlain ? [...(SERIES_DASHES[index] ?? [])] : [],
      points: { show: false },
      ...(stepped && { paths: stepped({ align: 1 }) }),
    };
  };
  return {
    width,
    height,
    padding: [14 * scale, namesRoom(width, AXIS_PX * scale, picture), 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: story ? { range: () => [story.fromTs, story.toTs] } : {},
      y: { range: (_, low, high) => [Math.min(0, low), Math.max(1, high * 1.05)] },
    },
    axes: axesOf(box, picture, scale),
    series: [{}, ...lines.map((_, index) => seriesOf(lineOf(lines, index + 1)))],
    hooks: markHooks(box, picture, events),
  };
}
