/** The scoreboard's search, graph, solvers and projector view. */
import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { writeToken } from "../../api/token";
import { challenge, HOUR_MS, open, PATIENT, say, server, snapshot, TOKEN } from "../../fake-server";
import { plotted } from "../../plot-recorder";

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
  await screen.findByRole("status", { name: "Loading scoreboard…" }, PATIENT);
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
  test("finds by part of the name, with the real rank; the search is in the address", async () => {
    const { user } = await openBoard();
    await user.keyboard("/");
    const box = screen.getByRole("searchbox", { name: "Search teams" });
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
  test("a search in the address is applied; an empty result is reported", async () => {
    const { user } = await openBoard("?q=team+01");
    expect(names()).toHaveLength(10);
    await user.type(screen.getByRole("searchbox"), "zzz");
    expect(await screen.findByText("No matching teams.")).toBeTruthy();
  });
});

test("a flag is named by its country, a column's button starts with its visible text", async () => {
  const speedrun = challenge("s", { challengeType: "speedrun", speedrunValues: [50] });
  open("/scoreboard");
  await screen.findByRole("status", { name: "Loading scoreboard…" }, PATIENT);
  snapshot(ROWS, [...CHALLENGES, speedrun]);
  const table = await screen.findByRole("table", { name: "Scoreboard" }, PATIENT);
  expect(within(table).getAllByRole("img", { name: "Italy" })).toHaveLength(50);
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

describe("the podium", () => {
  const podium = () => screen.getByRole("list", { name: "Top three" });
  const places = () => within(podium()).getAllByRole("listitem");

  test("has the first three with their distances, and reports a new leader", async () => {
    await openBoard();
    expect(places()).toHaveLength(3);
    expect(places()[0]?.textContent).toBe("1Team 00011001 point ahead");
    expect(places()[2]?.textContent).toBe("3Team 00210981 point behind");
    say({ event: "solve", seq: 2, challengeId: "b", teamName: "Team 001", ts: START + 9 });
    expect(await screen.findByText("Team 001 takes the lead.", {}, PATIENT)).toBeTruthy();
    expect(places()[0]?.textContent).toContain("Team 001");
    expect(within(podium()).getByText("99 points ahead")).toBeTruthy();
  });
  test("is not above search results, other pages, or two teams", async () => {
    const { user } = await openBoard();
    await user.type(screen.getByRole("searchbox"), "team 01");
    await waitFor(() => expect(screen.queryByRole("list", { name: "Top three" })).toBeNull());
    await user.clear(screen.getByRole("searchbox"));
    await waitFor(() => expect(places()).toHaveLength(3));
    snapshot(ROWS.slice(0, 2), CHALLENGES);
    await waitFor(() => expect(screen.queryByRole("list", { name: "Top three" })).toBeNull());
  });
  test("a place without points is open", async () => {
    open("/scoreboard");
    await screen.findByRole("status", { name: "Loading scoreboard…" }, PATIENT);
    snapshot(
      ["A", "B", "C"].map((name) => [name, "IT", {}, 0]),
      CHALLENGES,
    );
    await screen.findByRole("table", { name: "Scoreboard" }, PATIENT);
    expect(places().map((place) => place.textContent)).toEqual([
      "1Still open",
      "2Still open",
      "3Still open",
    ]);
  });
});

test("a row shows the ranks gained in the last 15 minutes", async () => {
  const nowS = Date.now() / 1000;
  const old = nowS - 1000;
  const rows = [
    ["Fast", "IT", { "0": [3, old], "1": [1, nowS - 60] }, nowS - 60],
    ["Steady", "IT", { "0": [1, old - 20] }, old - 20],
    ["Slow", "IT", { "0": [2, old - 10] }, old - 10],
    ["New", "IT", { "1": [2, nowS - 30] }, nowS - 30],
  ];
  open("/scoreboard");
  await screen.findByRole("status", { name: "Loading scoreboard…" }, PATIENT);
  snapshot(rows, [challenge("a", { nsolves: 3 }), challenge("b", { nsolves: 2 })]);
  const table = await screen.findByRole("table", { name: "Scoreboard" }, PATIENT);
  const row = (name: string) =>
    within(table).getByRole("rowheader", { name }).closest("tr")?.textContent;
  await waitFor(() => expect(row("Fast")).toContain("up 2"), PATIENT);
  expect(row("Steady")).toContain("down 1");
  expect(row("Slow")).toContain("down 1");
  expect(row("New")).not.toMatch(/up|down/);
});

test("without teams, visitors can sign up", async () => {
  open("/scoreboard");
  await screen.findByRole("status", { name: "Loading scoreboard…" }, PATIENT);
  snapshot([], CHALLENGES);
  const title = "The pier is empty. Be the first.";
  expect(await screen.findByRole("heading", { name: title }, PATIENT)).toBeTruthy();
  const link = screen.getByRole("link", { name: "Sign up your team" });
  expect(link.getAttribute("href")).toBe("/signup?to=%2Fscoreboard");
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
  test("solvers update live, and an empty list is reported", async () => {
    await openBoard("?solvers=b");
    const dialog = await screen.findByRole("dialog", { name: "Solvers of Challenge b" }, PATIENT);
    expect(within(dialog).getByText("No solves yet.")).toBeTruthy();
    say({ event: "solve", seq: 2, challengeId: "b", teamName: "Team 030", ts: START + 9 });
    expect(await within(dialog).findByRole("link", { name: "Team 030" })).toBeTruthy();
  });
});

describe("score graph", () => {
  test("a button shows it, the address stores it, a table has its numbers", async () => {
    const { user } = await openBoard();
    const button = screen.getByRole("button", { name: "Score graph", expanded: false });
    await user.click(button);
    const region = await screen.findByRole("region", { name: "Top 10 over time" }, PATIENT);
    expect(window.location.search).toBe("?graph=true");
    await user.click(within(region).getByText("Scores as a table"));
    const table = await within(region).findByRole("table");
    expect(within(table).getAllByRole("rowheader")).toHaveLength(10);
    const [, first] = within(table).getAllByRole("row");
    expect(first?.textContent).toContain("Team 000");
    expect(first?.lastElementChild?.textContent).toBe("1100");
    await within(region).findByRole("img", { name: /table below has the same data/ }, PATIENT);
    await waitFor(() => expect(plotted.length).toBeGreaterThan(0), PATIENT);
    const { data } = plotted.at(-1) ?? {};
    expect(data).toHaveProperty("length", 11);
    await user.click(button);
    await waitFor(() => expect(screen.queryByRole("region", { name: /top ten/ })).toBeNull());
  });
  test("all lines have different dashes", async () => {
    const { SERIES_DASHES } = await import("../../ui/series/series");
    expect(new Set(SERIES_DASHES.map((dashes) => dashes.join())).size).toBe(11);
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
    await screen.findByRole("status", { name: "Loading scoreboard…" }, PATIENT);
    snapshot(rows, CHALLENGES);
    await screen.findAllByRole("table", {}, PATIENT);
  }
  for (const search of ["", "?view=stage"]) {
    test(`the board is reported as still frozen ${search}`, async () => {
      waitForReveal();
      await openBoard(search);
      expect(await screen.findByText("CTF ended", {}, PATIENT)).toBeTruthy();
      expect(await screen.findByText(/still frozen/)).toBeTruthy();
      expect(document.body.textContent).not.toMatch(/final/i);
    });
  }

  test("a rank with own hidden solves is marked and explained", async () => {
    waitForReveal();
    await openOwnBoard();
    expect(screen.getByRole("cell", { name: "6" })).toBeTruthy();
    say(late);
    expect(await screen.findByRole("cell", { name: "4*" }, PATIENT)).toBeTruthy();
    expect(await screen.findByText(/^\* .*not others' hidden solves/)).toBeTruthy();
    // The reveal: a complete snapshot.
    server.info.revealed = true;
    snapshot(rows, CHALLENGES);
    expect(await screen.findByRole("cell", { name: "6" }, PATIENT)).toBeTruthy();
    await waitFor(() => expect(screen.queryByText(/hidden solves/)).toBeNull(), PATIENT);
  });
  test("the projector shows only what the public sees", async () => {
    waitForReveal();
    await openOwnBoard("?view=stage");
    expect(screen.getByRole("cell", { name: "6" })).toBeTruthy();
    say(late);
    say({ event: "newteam", seq: 2, teamName: "Newcomers", country: "FR" });
    expect(await screen.findByRole("rowheader", { name: "Newcomers" }, PATIENT)).toBeTruthy();
    expect(screen.getByRole("cell", { name: "6" })).toBeTruthy();
    expect(screen.queryByText(/hidden solves/)).toBeNull();
  });
  test("the podium and the leader ignore own hidden solves", async () => {
    waitForReveal();
    writeToken(TOKEN);
    open("/scoreboard");
    await screen.findByRole("status", { name: "Loading scoreboard…" }, PATIENT);
    snapshot([...ROWS.slice(0, 5), ["Ours", "IT", {}, 0, 1050]], CHALLENGES);
    const table = await screen.findByRole("table", { name: "Scoreboard" }, PATIENT);
    say(late);
    expect(await within(table).findByRole("cell", { name: "1*" }, PATIENT)).toBeTruthy();
    const podium = screen.getByRole("list", { name: "Top three" });
    const [first] = within(podium).getAllByRole("listitem");
    expect(first?.textContent).toBe("1Team 00011001 point ahead");
    expect(within(podium).queryByText("Ours")).toBeNull();
    expect(screen.queryByText(/takes the lead/)).toBeNull();
  });
});

describe("projector view", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test("no navigation, the top 10, other teams in pages, the time left; Esc exits", async () => {
    server.times.endTime = Date.now() + HOUR_MS;
    const { user } = await openBoard("?view=stage");
    expect(screen.queryByRole("navigation", { name: "Main" })).toBeNull();
    expect(await screen.findByRole("heading", { name: "Harbour CTF" }, PATIENT)).toBeTruthy();
    const top = screen.getByRole("table", { name: "Top 10" });
    expect(within(top).getAllByRole("rowheader")).toHaveLength(10);
    const others = screen.getByRole("table", { name: "Other teams" });
    expect(within(others).getAllByRole("rowheader")[0]?.textContent).toBe("Team 010");
    expect(screen.getByRole("timer").textContent).toMatch(/Time left (1:00:00|0:59:\d\d)/);
    await user.click(screen.getByRole("button", { name: "Next" }));
    expect(screen.getByText("Page 2 of 5")).toBeTruthy();
    expect(within(others).getAllByRole("rowheader")[0]?.textContent).toBe("Team 020");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(window.location.search).toBe(""));
    expect(await screen.findByRole("navigation", { name: "Main" })).toBeTruthy();
  });
  test("the status is shown there too", async () => {
    server.times.freezeTime = Date.now() - 1;
    await openBoard("?view=stage");
    expect(await screen.findByText("Scoreboard frozen", {}, PATIENT)).toBeTruthy();
  });
});

describe("divisions", () => {
  const DIVISIONS = [
    { id: "human", name: "No AI", group: "AI use", join: "open" },
    { id: "school", name: "School", group: "Kind", join: "code" },
  ];
  const DIVIDED = ROWS.slice(0, 8).map((row, index) =>
    index % 2 === 1 ? [...row, ["human"]] : row,
  );

  const HUMANS = ["Team 001", "Team 003", "Team 005", "Team 007"];
  const shownIn = (table: string) =>
    within(screen.getByRole("table", { name: table }))
      .getAllByRole("rowheader")
      .map((cell) => cell.textContent);

  async function openDivided(search: string) {
    server.info.divisions = DIVISIONS;
    const page = open(`/scoreboard${search}`);
    await screen.findByRole("status", { name: "Loading scoreboard…" }, PATIENT);
    snapshot(DIVIDED, CHALLENGES);
    return page;
  }

  test("each has its board, with ranks and the points of the event", async () => {
    const { user } = await openDivided("");
    const links = await screen.findByRole("navigation", { name: "Divisions" }, PATIENT);
    expect(within(links).queryByText("First solves")).toBeNull();
    await user.click(within(links).getByRole("link", { name: "No AI" }));
    await waitFor(() => expect(window.location.search).toBe("?division=human"));
    await waitFor(() => expect(shownIn("Scoreboard")).toEqual(HUMANS));
    expect(screen.queryByText(/takes the lead/)).toBeNull();
    const table = screen.getByRole("table", { name: "Scoreboard" });
    const row = within(table).getByRole("rowheader", { name: "Team 001" }).closest("tr");
    // The solve is the second of the event and keeps its position.
    expect(row?.textContent).toMatch(/^1Team 0011099/);
    expect(screen.getByRole("link", { name: "Projector view" }).getAttribute("href")).toBe(
      "/scoreboard?view=stage&division=human",
    );
    const current = within(links).getByRole("link", { current: "page" });
    expect(current.textContent).toBe("No AI");
  });
  test("the first solver of the division is beside the first blood", async () => {
    const { user } = await openDivided("?division=human");
    await user.click(await screen.findByText("First solves", {}, PATIENT));
    const [, row] = screen.getAllByRole("row").filter((one) => one.closest("details"));
    expect(row?.textContent).toBe("Challenge aTeam 000Team 001");
  });
  test("an unknown division is named as such", async () => {
    await openDivided("?division=nothing");
    expect(await screen.findByText("There is no such division.", {}, PATIENT)).toBeTruthy();
  });
  test("the projector shows the division and its name", async () => {
    await openDivided("?division=human&view=stage");
    const title = { name: "Harbour CTF – No AI" };
    expect(await screen.findByRole("heading", title, PATIENT)).toBeTruthy();
    await waitFor(() => expect(shownIn("Top 10")).toEqual(HUMANS));
  });
  test("an event without divisions has no links to them", async () => {
    await openBoard();
    expect(screen.queryByRole("navigation", { name: "Divisions" })).toBeNull();
  });
  test("a new team arrives with its divisions", async () => {
    await openDivided("?division=school");
    say({ event: "newteam", seq: 2, teamName: "Pupils", country: "IT", divisions: ["school"] });
    await waitFor(() => expect(shownIn("Scoreboard")).toEqual(["Pupils"]), PATIENT);
  });
});
