/** Checks of the CTFtime file. */
import { expect, test } from "vitest";
import { checkCtftime } from "./ctftime";

const OVER = { status: "ended", isFrozen: false };
const row = (pos: number, team: string, score: number) => ({ pos, team, score });
const GOOD = [row(1, "Otters", 300), row(2, "Crabs", 100), row(3, "Newts", 0)];

test("a final scoreboard passes", () => {
  const checked = checkCtftime({ tasks: ["a", "b"], standings: GOOD }, OVER);
  expect(checked).toEqual({ teams: 3, tasks: 2, first: "Otters", findings: [] });
});

test.each([
  [GOOD, { status: "frozen", isFrozen: true }, ["not_ended", "frozen"]],
  [[], { status: "not_started", isFrozen: false }, ["not_started", "no_teams"]],
  [[], OVER, ["no_teams"]],
  [[row(1, "A", 0), row(2, "B", 0)], OVER, ["no_scores"]],
  [[row(1, "Otters", 9), row(2, "OTTERS", 3)], OVER, ["same_name"]],
  [[row(1, "A", 3), row(2, "B", 9)], OVER, ["order"]],
  [[row(1, "A", 3), row(1, "B", 3)], OVER, ["order"]],
  [[row(1, "", 3)], OVER, ["shape"]],
  ["x", OVER, ["shape"]],
  [[{ pos: "1", team: "A", score: 1 }], OVER, ["shape"]],
])("of %j with %j is said %j", (standings, state, findings) => {
  expect(checkCtftime({ tasks: [], standings }, state).findings).toEqual(findings);
});
