/** Filters and orders of the challenge list, and valid next states. */
import { expect, test } from "vitest";
import { actionsOf, arranged } from "./actions";

const challenge = (id: string, more = {}) => ({
  id,
  challengeName: `Name of ${id}`,
  categories: ["web"],
  state: "shown",
  status: "works",
  statusNote: "",
  value: 100,
  solves: 0,
  stuck: 0,
  ...more,
});
const ALL = [
  challenge("a", { solves: 1, stuck: 9 }),
  challenge("b", { solves: 3, status: "broken", categories: ["crypto"] }),
  challenge("c", { state: "hidden", wrongLastHour: 5 }),
];
const NONE = { q: "", state: "", status: "", order: "" };

test.each([
  [{}, "abc"],
  [{ order: "solves" }, "bac"],
  [{ order: "stuck" }, "abc"],
  [{ order: "wrong" }, "cab"],
  [{ q: " CRYPTO " }, "b"],
  [{ q: "name of c" }, "c"],
  [{ state: "shown", status: "works" }, "a"],
  [{ state: "timed" }, ""],
])("the filter %j leaves %s", (filter, expected) => {
  const rows = arranged(ALL, { ...NONE, ...filter });
  expect(rows.map(({ id }) => id).join("")).toBe(expected);
});

test("a hidden challenge can be released, and one without solves has none to withdraw", () => {
  const actions = (more: object) => actionsOf(challenge("a", more)).map(({ action }) => action);
  expect(actions({ state: "hidden" })).toContain("challenge.release");
  expect(actions({ state: "hidden" })).not.toContain("challenge.hide");
  expect(actions({ state: "timed" })).toContain("challenge.hide");
  expect(actions({ solves: 1 })).not.toContain("challenge.release");
  expect(actions({ solves: 1 })).toContain("solve.withdraw");
  expect(actions({})).not.toContain("solve.withdraw");
  expect(actions({ attempts: 3 })).toContain("challenge.attempts");
  expect(actions({ attempts: null })).not.toContain("challenge.attempts");
});
