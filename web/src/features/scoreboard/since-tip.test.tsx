/** The popover of a score that changed since the last look. */
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { lookOf } from "../../domain/since";
import { challenge, open, PATIENT, snapshot } from "../../fake-server";

const START = 1_700_000_000;
const dynamic = (nsolves: number) =>
  challenge("a", { challengeType: "dynamic", maxValue: 500, minValue: 50, nsolves });

beforeEach(() => {
  const { id, challengeName, categories, nsolves, fbTs } = dynamic(1);
  const valued = { challengeType: "dynamic" as const, maxValue: 500, minValue: 50 };
  const solves = new Map([["a", { position: 1, ts: START }]]);
  const team = (teamName: string, of: typeof solves) => {
    return { teamName, country: "IT", solves: of, lastSolveTs: 0, award: 0 };
  };
  const seen = lookOf(
    {
      ...{ seq: 1, generation: "g" },
      challenges: [{ id, challengeName, categories, nsolves, fbTs, speedrunValues: [], ...valued }],
      teams: [team("Ants", solves), team("Bees", new Map()), team("Crabs", new Map())],
    },
    null,
    START * 1000,
  );
  localStorage.setItem("last look", JSON.stringify(seen));
});

test("a changed score says why, on hover and on focus; an unchanged one says nothing", async () => {
  open("/scoreboard");
  await screen.findByRole("status", { name: "Loading scoreboard…" }, PATIENT);
  const rows = [
    ["Ants", "IT", { "0": [1, START] }, START],
    ["Bees", "FR", { "0": [2, START + 60] }, START + 60],
    ["Crabs", "FR", {}, 0],
  ];
  snapshot(rows, [dynamic(2)]);
  await screen.findAllByRole("table", {}, PATIENT);
  const link = (name: string) => {
    const [found] = screen.getAllByRole("link", { name }).filter((one) => one.closest("tr"));
    if (!found) throw new Error("there is a row");
    return found;
  };
  const scoreOf = (name: string) => link(name).closest("tr")?.querySelector("[data-score]");
  const over = (name: string) => fireEvent.pointerOver(scoreOf(name) ?? document.body);
  // The popover is fetched when the viewer first uses the page.
  await waitFor(() => {
    over("Ants");
    expect(link("Ants").getAttribute("aria-describedby")).not.toBeNull();
  }, PATIENT);
  const tip = document.getElementById(link("Ants").getAttribute("aria-describedby") ?? "");
  await waitFor(() => expect(tip?.textContent).toContain("−41Challenge a Solved by Bees"));
  over("Bees");
  await waitFor(() => expect(tip?.textContent).toContain("+459Challenge a Solved"));
  expect(link("Ants").getAttribute("aria-describedby")).toBeNull();
  over("Crabs");
  expect(link("Bees").getAttribute("aria-describedby")).toBeNull();
  expect(link("Crabs").getAttribute("aria-describedby")).toBeNull();
});
