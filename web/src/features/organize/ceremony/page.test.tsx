/** The ranking that the preparation offers, and a rehearsal that was left open. */
import { screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { open, PATIENT, type Reply, server, snapshot } from "../../../fake-server";
import { OVERVIEW, OWNERS_ACTIONS, signedIn } from "../fake-server";
import { Ceremony } from "../pages";
import { type Options, readSaved, save } from "./saved";

await Ceremony.preload();

const REHEARSAL: Options = {
  ...{ mode: "rehearsal", scope: "all", from: 1, seed: 7, name: "" },
  ...{ showsPoints: true, showsSolves: true },
};

beforeEach(() => {
  signedIn([...OWNERS_ACTIONS, "event.ceremony"]);
  server.replies["/organize/exports/teams"] = [200, []];
  save({ options: REHEARSAL, step: 0 });
});

test("a rehearsal survives a reload, and leaving it promises no continuation", async () => {
  const { user } = open("/organize/ceremony");
  await screen.findByRole("status", { name: "Loading the ranking…" }, PATIENT);
  snapshot([["Otters", "IT", {}, 0]], ["web"]);
  expect(await screen.findByText("made-up solves", {}, PATIENT)).toBeTruthy();
  await user.keyboard("{Escape}");
  const dialog = await screen.findByRole("dialog", { name: "Leave the ceremony?" }, PATIENT);
  expect(dialog.textContent).toContain("The next rehearsal begins at its first step.");
  expect(dialog.textContent).not.toContain("continues");
});

test("after the end, a rehearsal is not restored", async () => {
  server.replies["/organize/overview"] = [200, { ...OVERVIEW, status: "ended" }];
  open("/organize/ceremony");
  expect(await screen.findByRole("group", { name: "Ranking" }, PATIENT)).toBeTruthy();
  expect(screen.queryByText("made-up solves")).toBeNull();
  expect(readSaved()).toBeNull();
});

test("the rankings are offered once the event's state is known", async () => {
  save(null);
  let answer = (_: Reply) => {};
  const pending = new Promise<Reply>((resolve) => {
    answer = resolve;
  });
  server.replies["/organize/overview"] = () => pending;
  open("/organize/ceremony");
  await screen.findByRole("status", { name: "Loading the ranking…" }, PATIENT);
  expect(screen.queryByRole("radio", { name: /^Rehearsal/ })).toBeNull();
  answer([200, { ...OVERVIEW, status: "ended", isFrozen: true }]);
  const real = await screen.findByRole("radio", { name: /^The real one/ }, PATIENT);
  expect((real as HTMLInputElement).checked).toBe(true);
});
