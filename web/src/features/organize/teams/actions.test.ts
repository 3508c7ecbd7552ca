/** Only valid next states are offered. */
import { expect, test } from "vitest";
import { fieldsOf } from "../change/order";
import { actionsOf } from "./actions";

const actions = (standing: string) =>
  actionsOf({ teamName: "Otters", country: "IT", standing })
    .map(({ action }) => action.replace("team.", ""))
    .slice(0, 3);

test.each([
  ["plays", ["ban", "hide", "rename"]],
  ["hidden", ["ban", "show", "rename"]],
  ["banned", ["unban", "rename", "country"]],
  ["late", ["ban", "rename", "country"]],
  ["waiting", ["admit", "rename", "country"]],
  ["unconfirmed", ["confirm", "resend", "rename"]],
])("of a team that is %s: %j first", (standing, expected) => {
  expect(actions(standing)).toEqual(expected);
});

test("two actions of a team never have the same key", () => {
  for (const standing of ["plays", "hidden", "banned", "late", "waiting", "unconfirmed"]) {
    const team = { teamName: "Otters", country: "IT", standing };
    const keys = actionsOf(team).flatMap(({ key }) => (key ? [key] : []));
    expect(new Set(keys).size).toBe(keys.length);
    // Keys used on every page stay free.
    expect(keys.filter((key) => "jkfguvx/?".includes(key))).toEqual([]);
  }
});

test("a solve is credited to an active team, with a challenge and a time", () => {
  const order = actionsOf({ teamName: "Otters", country: "IT", standing: "plays" }).find(
    ({ action }) => action === "solve.count",
  );
  expect(order?.fixed).toEqual({ team: "Otters" });
  const fields = order ? fieldsOf(order).map(({ name, required }) => [name, required]) : [];
  expect(fields).toEqual([
    ["challenge", true],
    ["at", true],
  ]);
  const unconfirmed = actionsOf({ teamName: "Otters", country: "IT", standing: "unconfirmed" });
  expect(unconfirmed.map(({ action }) => action)).not.toContain("solve.count");
});
