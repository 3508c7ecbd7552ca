/** The vectors of `names.json`; the site checks the length only, as the server counts it. */
import { expect, test } from "vitest";
import vectors from "../../../../vectors/names.json";
import { en } from "../../messages/en";
import { teamNameFault } from "./faults";

const lists = [vectors].flat();
const allowed = lists.flatMap((list) => list.allowed.map(([name]) => ({ name })));
const refused = lists.flatMap((list) => list.refused.map(([name, reason]) => ({ name, reason })));

test.each(allowed)("the name $name is accepted", ({ name }) => {
  expect(teamNameFault(en, (name ?? "").trim())).toBeNull();
});

const short = refused.filter(({ reason }) => reason === "length");
test.each(short)("the name $name is too short or too long", ({ name }) => {
  expect(teamNameFault(en, (name ?? "").trim())).not.toBeNull();
});
