/** Sentences of the palette: an action and the name of a team or challenge. */
import { expect, test } from "vitest";
import { commandIn } from "./commands";

const LABELS = {
  "challenge.hide": "Hide",
  "team.ban": "Ban",
  "team.code": "Create reset code",
  "team.hide": "Hide",
  "team.reset": "Send reset link",
  broken: "Mark broken",
};

test.each([
  ["ban otters", ["team.ban"], "otters"],
  ["BAN  the Ban hammer", ["team.ban"], "the Ban hammer"],
  ["hide wave two", ["challenge.hide", "team.hide"], "wave two"],
  ["reset badgers", ["team.code", "team.reset"], "badgers"],
  ["reset code badgers", ["team.code"], "badgers"],
  ["broken wave", ["broken"], "wave"],
])("%s is about %j of %s", (query, actions, name) => {
  expect(commandIn(query, LABELS)).toEqual({ actions, name });
});

test.each(["ban", "b otters", "otters ban", ""])("%j is not a command", (query) => {
  expect(commandIn(query, LABELS)).toBeNull();
});
