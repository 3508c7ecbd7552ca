// The 48 tasks of organizers with their clicks on four other platforms and here: the list that the
// test counts against, and the table of docs/organize.md that is made of it.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Count } from "./hand.ts";

interface Task {
  readonly n: number;
  readonly task: string;
  /** Null for what is done by a command or a file alone. */
  readonly ours: Count | null;
  /** The fewest of the four, with who has it; null if none has the task with a count. */
  readonly best: (Count & { readonly by: string }) | null;
  readonly note: string;
}

const ROOT = join(import.meta.dirname, "../..");

export const tasks: readonly Task[] = JSON.parse(
  readFileSync(join(ROOT, "e2e/tasks.json"), "utf8"),
);

const shown = ({ clicks, fields }: Count) => (fields > 0 ? `${clicks} + ${fields} f` : `${clicks}`);

/** The rows of the table, as docs/organize.md has to have them. */
export const rows: readonly string[] = tasks.map(({ n, task, ours, best, note }) => {
  const theirs = best ? `${shown(best)}, ${best.by}` : "–";
  return `| ${n} | ${task} | ${ours ? shown(ours) : "–"} | ${theirs} | ${note} |`;
});

export function guide(): string {
  return readFileSync(join(ROOT, "docs/organize.md"), "utf8");
}
