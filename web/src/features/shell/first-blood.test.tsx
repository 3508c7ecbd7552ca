/** Each first blood is announced once; those in the first snapshot are not. */
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { challenge, open, PATIENT, say, server, snapshot } from "../../fake-server";

const now = () => Date.now() / 1000;
const rows = [
  ["Ants", "IT", {}, 0],
  ["Bees", "FR", {}, 0],
];
const solve = (seq: number, teamName: string) =>
  say({ event: "solve", seq, challengeId: "a", teamName, ts: now() });

/** Opens a board and waits until announcements are active. */
async function openWatched(path: string): Promise<void> {
  open(path);
  await screen.findByRole("status", { name: "Loading scoreboard…" }, PATIENT);
  await waitFor(() => expect(document.querySelector("[data-large]")).toBeTruthy(), PATIENT);
}

test("announced once, for any team, and not for the second solve", async () => {
  await openWatched("/scoreboard");
  snapshot(rows, ["a"]);
  await screen.findByRole("table", {}, PATIENT);
  solve(2, "Bees");
  const news = await screen.findByText("First to solve Challenge a", {}, PATIENT);
  expect(news.parentElement?.textContent).toContain("Bees");
  solve(3, "Ants");
  await screen.findByRole("img", { name: /Challenge a: solved/ }, PATIENT);
  expect(screen.getAllByText(/First to solve/)).toHaveLength(1);
  expect(news.parentElement?.textContent).toContain("Bees");
});

test("the first snapshot is not announced", async () => {
  await openWatched("/scoreboard");
  const ts = now();
  snapshot([["Ants", "IT", { "0": [1, ts] }, ts]], [challenge("a", { nsolves: 1, fbTs: ts })]);
  await screen.findByRole("img", { name: /Challenge a: first blood/ }, PATIENT);
  expect(screen.queryByText(/First to solve/)).toBeNull();
});

test("during the freeze a team's own solve is not announced as the first", async () => {
  server.times.freezeTime = Date.now() - 1000;
  await openWatched("/scoreboard");
  snapshot(rows, ["a"]);
  await screen.findByRole("table", {}, PATIENT);
  solve(2, "Ants");
  await screen.findByRole("img", { name: /Challenge a: first blood/ }, PATIENT);
  expect(screen.queryByText(/First to solve/)).toBeNull();
});

test("on the projector it is large", async () => {
  await openWatched("/scoreboard?view=stage");
  snapshot(rows, ["a"]);
  await screen.findByRole("table", { name: "Top 10" }, PATIENT);
  solve(2, "Ants");
  const news = await screen.findByText("First to solve Challenge a", {}, PATIENT);
  expect(news.closest("[data-large]")?.getAttribute("data-large")).toBe("true");
});
