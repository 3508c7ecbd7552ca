/** A team's page: reachable by any name, with the board's numbers, updated live. */
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { teamAddress } from "../../addresses";
import { callsTo, challenge, open, PATIENT, say, server, snapshot } from "../../fake-server";
import { plotted } from "../../plot-recorder";
import { drawPennant } from "../../ui/pennant/pennant";

vi.mock("uplot", () => import("../../plot-recorder"));

const START = 1_700_000_000;
const CHALLENGES = [
  challenge("a", { challengeType: "dynamic", maxValue: 500, minValue: 50, nsolves: 2 }),
  challenge("b", { categories: ["pwn", "hard"], nsolves: 1 }),
];
const rowsWith = (name: string) => [
  [name, "IT", { "0": [1, START], "1": [1, START + 60] }, START + 60, 25],
  ["Bees", "FR", { "0": [2, START + 30] }, START + 30],
];

async function openTeam(name: string) {
  server.times.startTime = (START - 60) * 1000;
  const page = open(teamAddress(name));
  await screen.findByRole("status", { name: "Loading team…" }, PATIENT);
  snapshot(rowsWith(name), CHALLENGES);
  return page;
}

describe("names with any character", () => {
  for (const name of [
    "Ants",
    "a/b\\c",
    "50%2F off",
    "%2e",
    ".",
    "..",
    "...",
    "فريق النور",
    "?q=1#x",
    "a&b <c>",
  ]) {
    test(`"${name}"`, async () => {
      await openTeam(name);
      const title = await screen.findByRole("heading", { level: 1, name }, PATIENT);
      expect(title.querySelector("bdi")?.textContent).toBe(name);
    });
  }
});

test("rank, points, award and solves are the board's", async () => {
  await openTeam("Ants");
  await screen.findByRole("heading", { level: 1, name: "Ants" }, PATIENT);
  const fact = (name: string) => screen.getByText(name, { selector: "dt" }).parentElement;
  expect(fact("Rank")?.textContent?.trim()).toBe("Rank1 of 2 teams");
  expect(fact("Points")?.textContent?.trim()).toBe("Points584");
  expect(fact("Award")?.textContent?.trim()).toBe("Award25");
  expect(screen.getByText("Italy")).toBeTruthy();
  const [, first, second] = screen.getAllByRole("row");
  const cells = (row: HTMLElement | undefined) =>
    within(row ?? document.body)
      .getAllByRole("cell")
      .map((cell) => cell.textContent);
  expect(cells(first).slice(0, 4)).toEqual(["web", "1", "459", "525"]);
  expect(cells(first)[4]).toMatch(/^1[45] Nov, /);
  expect(cells(second).slice(0, 4)).toEqual(["pwn, hard", "1", "100", "584"]);
});

test("the page shows the team's pennant, and what it has solved of each category", async () => {
  await openTeam("Ants");
  const title = await screen.findByRole("heading", { level: 1, name: "Ants" }, PATIENT);
  const pennant = title.closest("header")?.querySelector("svg");
  expect(pennant?.innerHTML).toBe(drawPennant("Ants", "large").innerHTML);
  const progress = [...document.querySelectorAll("progress")].map((bar) => {
    return `${bar.closest("header")?.textContent}: ${bar.value}/${bar.max}`;
  });
  expect(progress).toEqual([
    "All challenges2 of 2 solved: 2/2",
    "web1 of 1 solved: 1/1",
    "pwn1 of 1 solved: 1/1",
  ]);
});

test("the team's divisions link to their scoreboards", async () => {
  server.info.divisions = [
    { id: "human", name: "No AI", group: "AI use", join: "open" },
    { id: "school", name: "School", group: "Kind", join: "code" },
  ];
  open(teamAddress("Ants"));
  await screen.findByRole("status", { name: "Loading team…" }, PATIENT);
  const [ants, ...others] = rowsWith("Ants");
  snapshot([[...(ants ?? []), ["human"]], ...others], CHALLENGES);
  const link = await screen.findByRole("link", { name: "No AI" }, PATIENT);
  expect(link.getAttribute("href")).toBe("/scoreboard?division=human");
  expect(screen.queryByRole("link", { name: "School" })).toBeNull();
});

test("the graph gets the score over time, and a table has the same numbers", async () => {
  await openTeam("Ants");
  expect(await screen.findByRole("img", { name: /Score over time/ }, PATIENT)).toBeTruthy();
  await waitFor(() => expect(plotted.length).toBeGreaterThan(0), PATIENT);
  expect(plotted.at(-1)?.data).toEqual([
    [START - 60, START, START + 30, START + 60],
    [25, 525, 484, 584],
  ]);
});

test("individual times of the graph are read by keyboard and pointer", async () => {
  await openTeam("Ants");
  const slider = await screen.findByRole("slider", { name: "Time" }, PATIENT);
  const valueText = () => slider.getAttribute("aria-valuetext");
  expect(valueText()).toMatch(/: 584$/);
  // Steps of 0.6 seconds from a minute before the start.
  fireEvent.change(slider, { target: { value: "167" } });
  expect(valueText()).toMatch(/: 484$/);
  fireEvent.change(slider, { target: { value: "0" } });
  expect(valueText()).toMatch(/: 25$/);
});

test("a solve hidden from others has no position and no rank", async () => {
  await openTeam("Ants");
  await screen.findByRole("heading", { level: 1, name: "Ants" }, PATIENT);
  snapshot(rowsWith("Ants"), [...CHALLENGES, challenge("c")]);
  say({ event: "solve", challengeId: "c", teamName: "Ants", ts: START + 90 });
  const row = (await screen.findByRole("rowheader", { name: "Challenge c" }, PATIENT))
    .parentElement;
  expect(row?.children[2]?.textContent).toBe("–");
  expect(row?.querySelector("[role=img]")?.getAttribute("aria-label")).toMatch(/: solved,/);
  const rank = screen.getByText("Rank", { selector: "dt" }).parentElement;
  expect(rank?.textContent?.trim()).toBe("Rank1*");
});

test("updates live: a solve of another team lowers the points", async () => {
  await openTeam("Ants");
  await screen.findByRole("heading", { level: 1, name: "Ants" }, PATIENT);
  say({ event: "newteam", seq: 2, teamName: "Cats", country: "DE" });
  say({ event: "solve", seq: 3, challengeId: "a", teamName: "Cats", ts: START + 90 });
  await waitFor(() => expect(screen.getByText("549")).toBeTruthy(), PATIENT);
  expect(screen.getByText("of 3 teams")).toBeTruthy();
});

describe("a reveal between the event's info and the first snapshot", () => {
  async function openBeforeReveal() {
    server.times = { startTime: 1, freezeTime: 2, endTime: 3 };
    server.info.revealAtEnd = false;
    open(teamAddress("Ants"));
    await screen.findByRole("status", { name: "Loading team…" }, PATIENT);
    expect(await screen.findByText(/still frozen/, {}, PATIENT)).toBeTruthy();
    expect(callsTo("/ctf")).toHaveLength(1);
  }
  function first(seq: number) {
    const board = { challenges: [], scoreboard: rowsWith("Ants") };
    say({ event: "scoreboard", seq, generation: "g", ...board });
  }

  test("is detected: the info is older than the board", async () => {
    await openBeforeReveal();
    Object.assign(server.info, { revealed: true, seq: 2 });
    first(2);
    await waitFor(() => expect(screen.queryByText(/still frozen/)).toBeNull(), PATIENT);
    expect(callsTo("/ctf")).toHaveLength(2);
  });

  test("is not requested if the board has nothing newer", async () => {
    await openBeforeReveal();
    first(1);
    await screen.findByRole("heading", { level: 1, name: "Ants" }, PATIENT);
    expect(callsTo("/ctf")).toHaveLength(1);
    expect(screen.getByText(/still frozen/)).toBeTruthy();
  });
});

test("an unknown team, and the way back", async () => {
  open("/team/Nobody");
  await screen.findByRole("status", { name: "Loading team…" }, PATIENT);
  snapshot(rowsWith("Ants"), CHALLENGES);
  expect(await screen.findByRole("heading", { name: "Team not found" }, PATIENT)).toBeTruthy();
  const back = screen.getByRole("link", { name: "Go to the scoreboard" });
  expect(back.getAttribute("href")).toBe("/scoreboard");
});

test("without a solve there is no graph", async () => {
  open("/team/Ants");
  await screen.findByRole("status", { name: "Loading team…" }, PATIENT);
  snapshot([["Ants", "IT", {}, 0]], CHALLENGES);
  expect(await screen.findByText("No solves yet.", {}, PATIENT)).toBeTruthy();
  expect(screen.queryByRole("img", { name: /Score over time/ })).toBeNull();
});
