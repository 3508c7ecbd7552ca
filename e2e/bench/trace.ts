// Scripting and tasks of the page's main thread, from the browser's trace. Measures thread time
// instead of wall time, so that other processes have no effect.

export const CATEGORIES = [
  "toplevel",
  "devtools.timeline",
  "v8",
  "v8.execute",
  "blink.user_timing",
  "disabled-by-default-devtools.timeline",
];

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
  tts?: number;
  args: { name?: string };
}

const SCRIPT = new Set([
  "EvaluateScript",
  "v8.compile",
  "v8.compileModule",
  "v8.evaluateModule",
  "FunctionCall",
  "TimerFire",
  "EventDispatch",
  "FireAnimationFrame",
  "FireIdleCallback",
  "RunMicrotasks",
  "V8.GC_MC_BACKGROUND",
  "MinorGC",
  "MajorGC",
]);
/** Rendering events. They do not count as scripting, even if a script forces them. */
const RENDERING = new Set(["UpdateLayoutTree", "Layout", "PrePaint", "Paint", "HitTest"]);
const TASK = new Set(["RunTask", "ThreadControllerImpl::RunTask"]);

export interface Measured {
  scriptingMs: number;
  layoutMs: number;
  longestTaskMs: number;
  longestTaskWallMs: number;
}

function mainThread(events: TraceEvent[]): (event: TraceEvent) => boolean {
  const busy = new Map<string, number>();
  const key = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const isMain = (event: TraceEvent) => event.args.name === "CrRendererMain";
  const mains = new Set(events.filter((event) => event.ph === "M" && isMain(event)).map(key));
  for (const event of events) {
    if (!mains.has(key(event)) || !SCRIPT.has(event.name)) continue;
    busy.set(key(event), (busy.get(key(event)) ?? 0) + (event.tdur ?? 0));
  }
  const [busiest] = [...busy].sort(([, a], [, b]) => b - a)[0] ?? [""];
  return (event) => key(event) === busiest;
}

/** Total thread time of the outermost events in `names`, in milliseconds. */
function outermostMs(events: TraceEvent[], names: ReadonlySet<string>): number {
  let endTs = -1;
  let sum = 0;
  for (const { name, ts, dur = 0, tdur = 0 } of events) {
    if (!names.has(name) || ts < endTs) continue;
    endTs = ts + dur;
    sum += tdur;
  }
  return sum / 1000;
}

/** Thread time of rendering inside scripts. */
function forcedMs(events: TraceEvent[]): number {
  let scriptEndTs = -1;
  let endTs = -1;
  let sum = 0;
  for (const { name, ts, dur = 0, tdur = 0 } of events) {
    if (SCRIPT.has(name)) scriptEndTs = Math.max(scriptEndTs, ts + dur);
    if (!RENDERING.has(name) || ts < endTs || ts >= scriptEndTs) continue;
    endTs = ts + dur;
    sum += tdur;
  }
  return sum / 1000;
}

/** Measures the page's main thread in a trace. */
export function measure(trace: string): Measured {
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse(trace);
  const isOurs = mainThread(traceEvents);
  const events = traceEvents
    .filter((event) => event.ph === "X" && isOurs(event))
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  const tasks = events.filter(({ name }) => TASK.has(name));
  return {
    scriptingMs: outermostMs(events, SCRIPT) - forcedMs(events),
    layoutMs: outermostMs(events, RENDERING),
    longestTaskMs: Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur)) / 1000,
    longestTaskWallMs: Math.max(0, ...tasks.map(({ dur = 0 }) => dur)) / 1000,
  };
}
