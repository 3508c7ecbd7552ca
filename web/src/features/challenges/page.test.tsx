/** The challenge list: search, sections, and the content of an open card. */
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { writeToken } from "../../api/token";
import { challenge, open, PATIENT, server, snapshot, TOKEN } from "../../fake-server";

const SHA = "0123456789abcdef".repeat(4);
const SOLVED_TS = 1_700_000_000;

const LIST = [
  challenge("a", { maxValue: 300, nsolves: 1 }),
  challenge("b", { categories: ["pwn"], maxValue: 50, nsolves: 9 }),
  challenge("c", { connection: "nc a.example 1", maxValue: 200 }),
];

beforeEach(() => {
  writeToken(TOKEN);
  server.replies["/challenge"] = [200, { challenges: LIST }];
});

/** The layout of phones, and of large windows. */
const NARROW = 390;
const LARGE = 1440;

async function openList(path = "/challenge", progress = "1 of 2 solved", width = NARROW) {
  vi.stubGlobal("innerWidth", width);
  const page = open(path);
  const list = await screen.findByRole("region", { name: "Challenge list" }, PATIENT);
  snapshot([["Ours", "IT", { "0": [1, SOLVED_TS] }, SOLVED_TS]], LIST);
  await screen.findByText(progress, {}, PATIENT);
  const headings = () => within(list).queryAllByRole("heading", { level: 2 });
  return {
    ...page,
    titles: () => headings().map(({ textContent }) => textContent),
    names: () =>
      within(list)
        .queryAllByRole("article")
        .map((one) => one.id.slice(-1)),
  };
}

test("a section for each category, with its progress", async () => {
  const { titles, names } = await openList();
  expect(titles()).toEqual(["web", "pwn"]);
  expect(names()).toEqual(["a", "c", "b"]);
  expect(screen.getByText("0 of 1 solved")).toBeTruthy();
});

test("after the end a note replaces the form", async () => {
  server.times.endTime = Date.now() - 1;
  open("/challenge?open=a");
  expect(await screen.findByText(/^The CTF has ended\. Flags/, {}, PATIENT)).toBeTruthy();
  expect(screen.queryByPlaceholderText("flag")).toBeNull();
  expect(screen.queryByRole("button", { name: "Submit" })).toBeNull();
});

test("search, filter and sort order are in the address", async () => {
  const { user, titles, names } = await openList("/challenge?open=b");
  await user.type(screen.getByRole("searchbox", { name: "Search challenges" }), "Challenge C");
  await waitFor(() => expect(names()).toEqual(["c"]));
  expect(new URLSearchParams(window.location.search).get("q")).toBe("Challenge C");
  await user.keyboard("{Escape}");
  await user.click(screen.getByRole("radio", { name: "Unsolved" }));
  await waitFor(() => expect(names()).toEqual(["c", "b"]));
  await user.selectOptions(screen.getByRole("combobox", { name: "Sort by" }), "Solves, most first");
  await waitFor(() => expect(names()).toEqual(["b", "c"]));
  expect(titles()).toEqual(["All challenges"]);
  expect(window.location.search).toBe("?open=b&show=unsolved&order=solves");
  await user.type(screen.getByRole("searchbox"), "nothing like it");
  expect(await screen.findByText("No challenges match these filters.")).toBeTruthy();
});

test("the view is read from the address; an unknown one is ignored", async () => {
  const { names } = await openList("/challenge?order=points&show=all&open=zz", "1 of 3 solved");
  expect(names()).toEqual(["b", "c", "a"]);
  expect(screen.getByRole("radio", { name: "All", checked: true })).toBeTruthy();
});

test("on a narrow screen the snapshot is a collapsed line", async () => {
  const { user } = await openList();
  const line = screen.getByRole("button", { name: "Scoreboard: 1st of 1, 300 points" });
  expect(line.getAttribute("aria-expanded")).toBe("false");
  await user.click(line);
  expect(line.getAttribute("aria-expanded")).toBe("true");
});

test("connection info has a box, and each file its size and digest, for copying", async () => {
  const file = { name: "a.zip", link: "/api/files/a", bytes: 1_234_567, sha256: SHA };
  const description = "<p>Talk.</p><p><code>nc a.example 1</code></p>";
  server.replies["/challenge"] = [
    200,
    {
      challenges: [
        challenge("c", { description, connection: "nc a.example 1", attachments: [file] }),
      ],
    },
  ];
  open("/challenge?open=c");
  const card = await screen.findByRole("article", { name: "Challenge c" }, PATIENT);
  // Only once, in its box.
  expect(await within(card).findAllByText("nc a.example 1")).toHaveLength(1);
  expect(within(card).getByText("1.23 MB")).toBeTruthy();
  expect(within(card).getByText(/^0123456789ab…$/).title).toBe(SHA);
  const user = userEvent.setup();
  await user.click(within(card).getByRole("button", { name: "Copy SHA-256 of a.zip" }));
  expect(await within(card).findByText("Copied")).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe(SHA);
  await user.click(within(card).getByRole("button", { name: "Copy connection info" }));
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe("nc a.example 1"));
});

test("connection info that is a web address is a link", async () => {
  const connection = "https://a.example/x";
  server.replies["/challenge"] = [200, { challenges: [challenge("c", { connection })] }];
  open("/challenge?open=c");
  const link = await screen.findByRole("link", { name: connection }, PATIENT);
  expect(link.getAttribute("href")).toBe(connection);
  expect(link.getAttribute("rel")).toContain("noopener");
});

test("a large window shows the challenge opened last; a second click closes it", async () => {
  const { user } = await openList("/challenge?open=a&open=b", "1 of 2 solved", LARGE);
  const button = (id: string) =>
    screen.getByRole("button", { name: new RegExp(`^Challenge ${id}`) });
  const isOpen = (id: string) => button(id).getAttribute("aria-expanded") === "true";
  expect(["a", "b", "c"].filter(isOpen)).toEqual(["b"]);
  await user.click(button("c"));
  await waitFor(() => expect(["a", "b", "c"].filter(isOpen)).toEqual(["c"]));
  expect(window.location.search).toBe("?open=a&open=c");
  await user.click(button("c"));
  await waitFor(() => expect(["a", "b", "c"].filter(isOpen)).toEqual(["a"]));
  await user.click(screen.getByRole("button", { name: "Close" }));
  const start = await screen.findByRole("region", { name: "Start here" });
  expect(
    within(start)
      .getAllByRole("link")
      .map(({ textContent }) => textContent),
  ).toEqual([expect.stringMatching(/^webChallenge c/), expect.stringMatching(/^pwnChallenge b/)]);
  const latest = screen.getByRole("region", { name: "Latest solves" });
  expect(within(latest).getByRole("link", { name: "Ours" })).toBeTruthy();
});

test("the search keeps the open challenge; Enter opens the first match", async () => {
  const { user, titles } = await openList("/challenge?open=b", "1 of 2 solved", LARGE);
  const search = screen.getByRole("searchbox", { name: "Search challenges" });
  await user.type(search, "Challenge C");
  await waitFor(() => expect(titles()).toEqual(["web"]));
  expect(screen.getByLabelText("Flag for Challenge b")).toBeTruthy();
  await user.type(search, "{enter}");
  const field = await screen.findByLabelText("Flag for Challenge c");
  expect(document.activeElement).toBe(field);
  expect(screen.queryByLabelText("Flag for Challenge b")).toBeNull();
});

test("only one category, and all of them again", async () => {
  const { user, names } = await openList();
  expect(screen.queryByRole("button", { name: "Show all" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Only pwn" }));
  await waitFor(() => expect(names()).toEqual(["b"]));
  expect(window.location.search).toBe("?hide=web");
  await user.click(screen.getByRole("button", { name: "Show all" }));
  await waitFor(() => expect(names()).toEqual(["a", "c", "b"]));
});

test("keys search, move in the list and open; a speedrun without points is named", async () => {
  const run = { challengeType: "speedrun", speedrunValues: [5], nsolves: 2 };
  server.replies["/challenge"] = [200, { challenges: [challenge("a"), challenge("r", run)] }];
  const { user } = open("/challenge");
  const name = await screen.findByRole("button", { name: /^Challenge r 0 points left/ }, PATIENT);
  await user.keyboard("j");
  expect(document.activeElement?.textContent).toMatch(/^Challenge a/);
  await user.keyboard("jj");
  expect(document.activeElement).toBe(name);
  await user.keyboard("k{enter}");
  const field = await screen.findByLabelText("Flag for Challenge a");
  expect(document.activeElement).toBe(field);
  await user.keyboard("jk/o");
  expect(field).toHaveProperty("value", "jk/o");
  await user.clear(field);
  await user.keyboard("{Escape}");
  await user.keyboard("/");
  expect(document.activeElement).toBe(screen.getByRole("searchbox"));
});
