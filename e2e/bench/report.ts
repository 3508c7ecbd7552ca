// Shared code of the browser benchmarks: medians and output.

import { availableParallelism, loadavg } from "node:os";

export const RUNS = Number(process.env.BENCH_RUNS ?? 5);
const SETTLE_MS = 3000;

/** Machine load, which affects the results. */
export function loadLine(): string {
  const [load = 0] = loadavg();
  const isBusy = load > availableParallelism();
  const processors = `load average ${load.toFixed(1)} on ${availableParallelism()} processors`;
  return processors + (isBusy ? ": too busy a machine for these figures" : "");
}

export function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
}

export function median(numbers: number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function row(name: string, values: number[], limit: number): string {
  const middle = median(values);
  const all = values.map((value) => value.toFixed(1)).join(" ");
  const verdict = middle <= limit ? "ok" : "OVER";
  return `${name.padEnd(34)} ${middle.toFixed(1).padStart(7)} of ${limit} ms  ${verdict}  (${all})`;
}
