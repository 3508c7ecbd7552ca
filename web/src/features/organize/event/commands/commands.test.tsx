/** The command line tab: checks, commands of the shell, and the reachability of every action. */
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { ACTIONS } from "../../../../api/actions";
import { callsTo, open, PATIENT, server } from "../../../../fake-server";
import { manageEn } from "../../../../messages/organize/manage-en";
import { OWNERS_ACTIONS, signedIn } from "../../fake-server";
import { framedAt } from "../../pages";
import { GROUPS } from "./commands";
import commands from "./commands.json";

const find = (role: string, name: string | RegExp) => screen.findByRole(role, { name }, PATIENT);

test("checks run on request, and each result is a sentence with its state", async () => {
  signedIn([...OWNERS_ACTIONS, "settings.read", "event.check"]);
  const checks = [
    { code: "journal_intact", state: "ok", detail: "1234" },
    { code: "mail_unreachable", state: "problem", detail: "`mx:25` did not respond" },
    { code: "comet", state: "warning", detail: null },
  ];
  server.replies["/organize/checks"] = [200, { checks }];
  const { user } = open("/organize/event?tab=commands");
  const run = await find("button", "Run checks");
  expect(callsTo("/organize/checks")).toEqual([]);
  await user.click(run);
  expect(await screen.findByText("1 problem found.", {}, PATIENT)).toBeTruthy();
  const part = within(await find("region", "Checks"));
  const lines = part.getAllByRole("listitem").map((line) => line.textContent);
  expect(lines[0]).toBe("okJournal: 1234 entries, hash chain intact");
  expect(lines[1]).toContain("problemEmail: `mx:25` did not respond");
  expect(lines[2]).toBe("warningcomet");
  server.replies["/organize/checks"] = [200, { checks: checks.slice(2) }];
  await user.click(await find("button", "Run again"));
  expect(await screen.findByText("No problems, 1 warning.", {}, PATIENT)).toBeTruthy();
});

test("a role without the permission sees the commands, but no checks", async () => {
  signedIn([...OWNERS_ACTIONS, "settings.read"]);
  open("/organize/event?tab=commands");
  const part = within(await find("region", "Only on the server"));
  expect(part.getByText("flagship restore FILE --data NEW")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Run checks" })).toBeNull();
});

test("each command of the shell is explained, and each other one has a page", () => {
  const { purposes } = manageEn.commands;
  expect(Object.keys(purposes).toSorted()).toEqual(commands.shell.toSorted());
  expect(Object.values(GROUPS).flat().toSorted()).toEqual(commands.shell.toSorted());
  for (const address of Object.values(commands.console)) {
    expect(framedAt(address.split("?")[0] ?? ""), address).toBeTruthy();
  }
});

/** Sources of the pages that offer actions; the dialog itself knows all of them. */
const SOURCES = import.meta.glob<string>(
  ["../../**/*.{ts,tsx}", "!../../change/**", "!**/*.test.*"],
  {
    query: "?raw",
    import: "default",
    eager: true,
  },
);

test("each action of the command line is offered by a page", () => {
  const text = Object.entries(SOURCES)
    .filter(([path]) => !path.includes("fake-server"))
    .map(([, source]) => source)
    .join("\n");
  const missing = Object.keys(ACTIONS).filter((name) => !text.includes(`"${name}"`));
  expect(missing).toEqual([]);
});
