/**
 * Marks on the plot's canvas: the freeze, the end of the event, first bloods, changes of the lead,
 * the lines' ends, and leaders from them to the names.
 */
import uPlot from "uplot";
import { DROP, DROP_BOX } from "./drop";
import type { ChartBlood, ChartLead } from "./score-data";

/** Distance of the hatching's strokes, and size of the marks, in letters of the axis. */
const HATCH = 0.75;
const NOTCH = 0.42;
const END = 0.28;
/** Start and end of a leader after the line's end; the name follows, as in the style sheet. */
const LEADER_START = 0.45;
const LEADER_END = 2;

/** Pixels of the canvas in one letter size of the axis. */
type Em = number;

interface Band {
  readonly fromTs: number;
  readonly toTs: number;
  readonly color: string;
  readonly fill: string;
  readonly label: string;
  readonly font: string;
}

/** A hatched band over the whole height, with its label if there is room. */
export function drawBand(plot: uPlot, em: Em, band: Band): void {
  const { ctx, bbox } = plot;
  const start = Math.max(bbox.left, plot.valToPos(band.fromTs, "x", true));
  const end = Math.min(bbox.left + bbox.width, plot.valToPos(band.toTs, "x", true));
  if (!(end > start)) return;
  const bottom = bbox.top + bbox.height;
  ctx.save();
  ctx.beginPath();
  ctx.rect(start, bbox.top, end - start, bbox.height);
  ctx.clip();
  ctx.fillStyle = band.fill;
  ctx.fillRect(start, bbox.top, end - start, bbox.height);
  ctx.strokeStyle = band.color;
  ctx.globalAlpha = 0.22;
  ctx.lineWidth = em / 12;
  ctx.beginPath();
  for (let x = start - bbox.height; x < end; x += HATCH * em) {
    ctx.moveTo(x, bottom);
    ctx.lineTo(x + bbox.height, bbox.top);
  }
  ctx.stroke();
  ctx.globalAlpha = 1;
  ctx.lineWidth = em / 4;
  ctx.beginPath();
  ctx.moveTo(start, bbox.top);
  ctx.lineTo(start, bottom);
  ctx.stroke();
  ctx.font = band.font;
  ctx.fillStyle = band.color;
  ctx.textBaseline = "top";
  ctx.textAlign = "center";
  if (ctx.measureText(band.label).width + em < end - start) {
    ctx.fillText(band.label, (start + end) / 2, bbox.top + em / 2);
  }
  ctx.restore();
}

interface Drops {
  readonly bloods: readonly ChartBlood[];
  /** The line's score at a time. */
  readonly scoreAt: (ts: number) => number;
  readonly color: string;
  /** Color around each drop. */
  readonly edge: string;
  /** Size in letters of the axis. */
  readonly size: number;
}

/** A drop on the line for each first blood. */
export function drawDrops(plot: uPlot, em: Em, drops: Drops): void {
  const { ctx } = plot;
  const shape = new Path2D(DROP);
  const scale = (drops.size * em) / DROP_BOX;
  for (const { ts } of drops.bloods) {
    const x = plot.valToPos(ts, "x", true);
    const y = plot.valToPos(drops.scoreAt(ts), "y", true);
    ctx.save();
    ctx.translate(x, y);
    ctx.scale(scale, scale);
    ctx.translate(-DROP_BOX / 2, -DROP_BOX / 2);
    ctx.lineWidth = 3;
    ctx.strokeStyle = drops.edge;
    ctx.stroke(shape);
    ctx.fillStyle = drops.color;
    ctx.fill(shape);
    ctx.restore();
  }
}

/** A notch in the upper edge for each change of the lead, in the new leader's color. */
export function drawNotches(
  plot: uPlot,
  em: Em,
  leads: readonly ChartLead[],
  colorOf: (name: string) => string,
): void {
  const { ctx, bbox } = plot;
  const half = NOTCH * em;
  ctx.save();
  for (const { ts, name } of leads) {
    const x = plot.valToPos(ts, "x", true);
    ctx.fillStyle = colorOf(name);
    ctx.beginPath();
    ctx.moveTo(x - half, bbox.top - half);
    ctx.lineTo(x + half, bbox.top - half);
    ctx.lineTo(x, bbox.top + half);
    ctx.closePath();
    ctx.fill();
  }
  ctx.restore();
}

/** A dot at a line's end. */
export function drawEnd(plot: uPlot, em: Em, ts: number, score: number, color: string): void {
  const { ctx } = plot;
  ctx.save();
  ctx.fillStyle = color;
  ctx.beginPath();
  ctx.arc(plot.valToPos(ts, "x", true), plot.valToPos(score, "y", true), END * em, 0, 2 * Math.PI);
  ctx.fill();
  ctx.restore();
}

/** A line over the whole height at the end of the event. */
export function drawEventEnd(plot: uPlot, em: Em, endTs: number, color: string): void {
  const { ctx, bbox } = plot;
  const x = plot.valToPos(endTs, "x", true);
  ctx.save();
  ctx.fillStyle = color;
  ctx.fillRect(x - em / 12, bbox.top, em / 6, bbox.height);
  ctx.restore();
}

interface Leader {
  readonly ts: number;
  readonly points: number;
  /** Start and middle of the name in pixels of the window. */
  readonly place: { readonly x: number; readonly y: number };
  readonly color: string;
  readonly alpha: number;
  readonly width: number;
}

/** A thin line from a line's end to its name. */
export function drawLeader(plot: uPlot, em: Em, leader: Leader): void {
  const { ctx } = plot;
  const x = plot.valToPos(leader.ts, "x", true);
  const y = plot.valToPos(leader.points, "y", true);
  ctx.save();
  ctx.globalAlpha = leader.alpha;
  ctx.strokeStyle = leader.color;
  ctx.lineWidth = leader.width * uPlot.pxRatio;
  ctx.setLineDash([]);
  ctx.beginPath();
  ctx.moveTo(x + LEADER_START * em, y);
  const { place } = leader;
  ctx.lineTo(place.x * uPlot.pxRatio + LEADER_END * em, place.y * uPlot.pxRatio);
  ctx.stroke();
  ctx.restore();
}
