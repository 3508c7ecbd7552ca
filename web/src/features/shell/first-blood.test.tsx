/** First blood is told once, on every page; what the first snapshot brings is no news. */
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { challenge, open, PATIENT, say, snapshot } from "../../stand-in";

const now = () => Date.now() / 1000;
const rows = [
  ["Ants", "IT", {}, 0],
  ["Bees", "FR", {}, 0],
];

test("told once, for whoever was first, and not for the second", async () => {
  open("/rules");
  await screen.findByRole("link", { name: "Login" }, PATIENT);
  await import("./first-blood");
  snapshot(rows, ["a"]);
  await new Promise((resolve) => setTimeout(resolve, 200)); // the board is published in steps
  say({ event: "solve", seq: 2, challengeId: "a", teamName: "Bees", ts: now() });
  expect(await screen.findByText("First to solve Challenge a", {}, PATIENT)).toBeTruthy();
  expect(screen.getByText("Bees")).toBeTruthy();
  say({ event: "solve", seq: 3, challengeId: "a", teamName: "Ants", ts: now() });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(screen.getAllByText(/First to solve/)).toHaveLength(1);
  expect(screen.queryByText("Ants")).toBeNull();
});

test("the first snapshot is no news", async () => {
  open("/rules");
  await screen.findByRole("link", { name: "Login" }, PATIENT);
  const ts = now();
  snapshot([["Ants", "IT", { "0": [1, ts] }, ts]], [challenge("a", { nsolves: 1, fbTs: ts })]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(screen.queryByText(/First to solve/)).toBeNull();
});

test("on the projector it is large", async () => {
  open("/scoreboard?view=stage");
  await screen.findByRole("status", { name: "Loading the scoreboard" }, PATIENT);
  snapshot(rows, ["a"]);
  await screen.findByRole("table", { name: "The ten first" }, PATIENT);
  say({ event: "solve", seq: 2, challengeId: "a", teamName: "Ants", ts: now() });
  const news = await screen.findByText("First to solve Challenge a", {}, PATIENT);
  await waitFor(() =>
    expect(news.closest("[data-large]")?.getAttribute("data-large")).toBe("true"),
  );
});
