// The 48 organizer tasks, with the number of clicks here and on four other platforms. A test checks
// the counts, and the table in docs/organize.md is generated from the list.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Count } from "./hand.ts";

interface Task {
  readonly n: number;
  readonly task: string;
  /** Count on this site; null if only a command or a file can perform the task. */
  readonly ours: Count | null;
  /** Lowest count of the four platforms, with its platform; null if none supports the task. */
  readonly best: (Count & { readonly by: string }) | null;
  readonly note: string;
}

const ROOT = join(import.meta.dirname, "../..");

export const tasks: readonly Task[] = JSON.parse(
  readFileSync(join(ROOT, "e2e/tasks.json"), "utf8"),
);

const shown = ({ clicks, fields }: Count) => (fields > 0 ? `${clicks} + ${fields} f` : `${clicks}`);

/** Expected table rows in docs/organize.md. */
export const rows: readonly string[] = tasks.map(({ n, task, ours, best, note }) => {
  const theirs = best ? `${shown(best)}, ${best.by}` : "–";
  return `| ${n} | ${task} | ${ours ? shown(ours) : "–"} | ${theirs} | ${note} |`;
});

export function guide(): string {
  return readFileSync(join(ROOT, "docs/organize.md"), "utf8");
}
