/** The scoreboard's search, graph, solvers and projector view. */
import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { writeToken } from "../../api/token";
import { plotted } from "../../plot-recorder";
import { challenge, HOUR_MS, open, PATIENT, say, server, snapshot, TOKEN } from "../../stand-in";

vi.mock("uplot", () => import("../../plot-recorder"));

const START = 1_700_000_000;
const ROWS = Array.from({ length: 60 }, (_, index) => [
  index === 59 ? "Café Olé" : `Team ${String(index).padStart(3, "0")}`,
  "IT",
  index < 3 ? { "0": [index + 1, START + index] } : {},
  index < 3 ? START + index : 0,
  1000 - index,
]);
const CHALLENGES = [challenge("a", { nsolves: 3, fbTs: START }), challenge("b")];

async function openBoard(search = "") {
  const page = open(`/scoreboard${search}`);
  await screen.findByRole("status", { name: "Loading the scoreboard" }, PATIENT);
  snapshot(ROWS, CHALLENGES);
  await screen.findAllByRole("table", {}, PATIENT);
  return page;
}
const names = () => screen.getAllByRole("rowheader").map((cell) => cell.textContent);

test("a team's name leads to its page", async () => {
  const { user } = await openBoard();
  await user.click(screen.getByRole("link", { name: "Team 007" }));
  await waitFor(() => expect(window.location.pathname).toBe("/team/Team%20007"));
  expect(await screen.findByRole("heading", { name: "Team 007" }, PATIENT)).toBeTruthy();
});

describe("search", () => {
  test("finds by part of the name, with the real rank; the address holds it", async () => {
    const { user } = await openBoard();
    await user.keyboard("/");
    const box = screen.getByRole("searchbox", { name: "Find a team" });
    expect(document.activeElement).toBe(box);
    await user.keyboard("OLÉ");
    await waitFor(() => expect(names()).toEqual(["Café Olé"]));
    expect(screen.getByRole("cell", { name: "60" })).toBeTruthy();
    expect(screen.getByText("1 team found")).toBeTruthy();
    expect(window.location.search).toBe("?q=OL%C3%89");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(names()).toHaveLength(50));
    expect(window.location.search).toBe("");
  });
  test("an address with a search shows it; nothing found is said", async () => {
    const { user } = await openBoard("?q=team+01");
    expect(names()).toHaveLength(10);
    await user.type(screen.getByRole("searchbox"), "zzz");
    expect(await screen.findByText("No team has this in its name.")).toBeTruthy();
  });
});

test("a flag is named by its country, a column's button begins with what it shows", async () => {
  const speedrun = challenge("s", { challengeType: "speedrun", speedrunValues: [50] });
  open("/scoreboard");
  await screen.findByRole("status", { name: "Loading the scoreboard" }, PATIENT);
  snapshot(ROWS, [...CHALLENGES, speedrun]);
  expect(await screen.findAllByRole("img", { name: "Italy" }, PATIENT)).toHaveLength(50);
  const buttons = screen.getAllByRole("button", { name: /solvers of/ });
  expect(buttons.map((button) => button.getAttribute("aria-label"))).toEqual([
    "100 points, solvers of Challenge a",
    "100 points, solvers of Challenge b",
    "– speedrun, solvers of Challenge s",
  ]);
  for (const button of buttons) {
    expect(button.getAttribute("aria-label")).toMatch(new RegExp(`^${button.textContent}`));
  }
});

describe("solvers", () => {
  test("a column's header lists its solvers in order; Esc closes", async () => {
    const { user } = await openBoard();
    await user.click(screen.getByRole("button", { name: /solvers of Challenge a$/ }));
    const dialog = await screen.findByRole("dialog", { name: "Solvers of Challenge a" });
    const solvers = within(dialog).getAllByRole("listitem");
    expect(solvers.map((one) => within(one).getByRole("link").textContent)).toEqual([
      "Team 000",
      "Team 001",
      "Team 002",
    ]);
    expect(within(dialog).getByTitle("2023-11-14 22:13:20 UTC")).toBeTruthy();
    expect(window.location.search).toBe("?solvers=a");
    await user.click(within(dialog).getByRole("button", { name: "Close" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(window.location.search).toBe("");
  });
  test("they come live, and nobody is said to be nobody", async () => {
    await openBoard("?solvers=b");
    const dialog = await screen.findByRole("dialog", { name: "Solvers of Challenge b" }, PATIENT);
    expect(within(dialog).getByText("Nobody has solved it yet.")).toBeTruthy();
    say({ event: "solve", seq: 2, challengeId: "b", teamName: "Team 030", ts: START + 9 });
    expect(await within(dialog).findByRole("link", { name: "Team 030" })).toBeTruthy();
  });
});

describe("score graph", () => {
  test("a button shows it, the address holds it, a table has its numbers", async () => {
    const { user } = await openBoard();
    const button = screen.getByRole("button", { name: "Score graph", expanded: false });
    await user.click(button);
    const region = await screen.findByRole("region", { name: "The top ten over time" }, PATIENT);
    expect(window.location.search).toBe("?graph=true");
    const table = within(region).getByRole("table");
    expect(within(table).getAllByRole("rowheader")).toHaveLength(10);
    const [, first] = within(table).getAllByRole("row");
    expect(first?.textContent).toContain("Team 000");
    expect(first?.lastElementChild?.textContent).toBe("1100");
    await within(region).findByRole("img", { name: /table below has the same numbers/ }, PATIENT);
    await waitFor(() => expect(plotted.length).toBeGreaterThan(0), PATIENT);
    const { data } = plotted.at(-1) ?? {};
    expect(data).toHaveProperty("length", 11);
    await user.click(button);
    await waitFor(() => expect(screen.queryByRole("region", { name: /top ten/ })).toBeNull());
  });
  test("no two lines share their dashes", async () => {
    const { SERIES_DASHES } = await import("../../ui/series/series");
    expect(new Set(SERIES_DASHES.map((dashes) => dashes.join())).size).toBe(10);
  });
});

describe("between the end and a manual reveal", () => {
  const late = { event: "solve", challengeId: "b", teamName: "Ours", ts: START + 50 };
  const rows = [...ROWS.slice(0, 5), ["Ours", "IT", {}, 0, 995.5]];
  function waitForReveal() {
    const nowMs = Date.now();
    Object.assign(server.times, { freezeTime: nowMs - HOUR_MS, endTime: nowMs - 1 });
    server.info.revealAtEnd = false;
  }
  async function openOwnBoard(search = "") {
    writeToken(TOKEN);
    open(`/scoreboard${search}`);
    await screen.findByRole("status", { name: "Loading the scoreboard" }, PATIENT);
    snapshot(rows, CHALLENGES);
    await screen.findAllByRole("table", {}, PATIENT);
  }
  for (const search of ["", "?view=stage"]) {
    test(`the board says that it is still frozen ${search}`, async () => {
      waitForReveal();
      await openBoard(search);
      expect(await screen.findByText("CTF ended", {}, PATIENT)).toBeTruthy();
      expect(await screen.findByText(/still frozen/)).toBeTruthy();
      expect(document.body.textContent).not.toMatch(/final/i);
    });
    test(`a rank with own hidden solves is marked, and why ${search}`, async () => {
      waitForReveal();
      await openOwnBoard(search);
      expect(screen.getByRole("cell", { name: "6" })).toBeTruthy();
      say(late);
      expect(await screen.findByRole("cell", { name: "4*" }, PATIENT)).toBeTruthy();
      expect(await screen.findByText(/^\* .*without others' hidden solves/)).toBeTruthy();
      // The reveal: a snapshot with everything.
      server.info.revealed = true;
      snapshot(rows, CHALLENGES);
      expect(await screen.findByRole("cell", { name: "6" }, PATIENT)).toBeTruthy();
      await waitFor(() => expect(screen.queryByText(/hidden solves/)).toBeNull(), PATIENT);
    });
  }
});

describe("projector's view", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test("no navigation, the ten first, the others in pages, the time left; Esc leaves", async () => {
    server.times.endTime = Date.now() + HOUR_MS;
    const { user } = await openBoard("?view=stage");
    expect(screen.queryByRole("navigation", { name: "Main" })).toBeNull();
    expect(await screen.findByRole("heading", { name: "Harbour CTF" }, PATIENT)).toBeTruthy();
    const top = screen.getByRole("table", { name: "The ten first" });
    expect(within(top).getAllByRole("rowheader")).toHaveLength(10);
    const others = screen.getByRole("table", { name: "The others" });
    expect(within(others).getAllByRole("rowheader")[0]?.textContent).toBe("Team 010");
    expect(screen.getByRole("timer").textContent).toMatch(/Time left (1:00:00|0:59:\d\d)/);
    await user.click(screen.getByRole("button", { name: "Next" }));
    expect(screen.getByText("Page 2 of 5")).toBeTruthy();
    expect(within(others).getAllByRole("rowheader")[0]?.textContent).toBe("Team 020");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(window.location.search).toBe(""));
    expect(await screen.findByRole("navigation", { name: "Main" })).toBeTruthy();
  });
  test("the status stands there too", async () => {
    server.times.freezeTime = Date.now() - 1;
    await openBoard("?view=stage");
    expect(await screen.findByText("Scoreboard frozen", {}, PATIENT)).toBeTruthy();
  });
});
