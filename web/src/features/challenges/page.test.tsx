/** The list of challenges: what is found, in which sections, and what an open one offers. */
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { writeToken } from "../../api/token";
import { challenge, open, PATIENT, server, snapshot, TOKEN } from "../../stand-in";

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

async function openList(path = "/challenge", progress = "1 of 2 solved") {
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

test("after the end a card says so in the place of the form", async () => {
  server.times.endTime = Date.now() - 1;
  open("/challenge?open=a");
  expect(await screen.findByText(/^The CTF has ended: flags/, {}, PATIENT)).toBeTruthy();
  expect(screen.queryByPlaceholderText("flag")).toBeNull();
  expect(screen.queryByRole("button", { name: "Submit" })).toBeNull();
});

test("search, what is shown and the order stand in the address", async () => {
  const { user, titles, names } = await openList("/challenge?open=b");
  await user.type(screen.getByRole("searchbox", { name: "Find a challenge" }), "Challenge C");
  await waitFor(() => expect(names()).toEqual(["c"]));
  expect(new URLSearchParams(window.location.search).get("q")).toBe("Challenge C");
  await user.keyboard("{Escape}");
  await user.click(screen.getByRole("radio", { name: "Unsolved" }));
  await waitFor(() => expect(names()).toEqual(["c", "b"]));
  await user.selectOptions(screen.getByRole("combobox", { name: "Order" }), "Most solved first");
  await waitFor(() => expect(names()).toEqual(["b", "c"]));
  expect(titles()).toEqual(["All challenges"]);
  expect(window.location.search).toBe("?open=b&show=unsolved&order=solves");
  await user.type(screen.getByRole("searchbox"), "nothing like it");
  expect(await screen.findByText("No challenge fits these filters.")).toBeTruthy();
});

test("an address with a view shows it; an unknown one is none", async () => {
  const { names } = await openList("/challenge?order=points&show=all&open=zz", "1 of 3 solved");
  expect(names()).toEqual(["b", "c", "a"]);
  expect(screen.getByRole("radio", { name: "All", checked: true })).toBeTruthy();
});

test("on a narrow screen the team's place is a line, which opens", async () => {
  const { user } = await openList();
  const line = screen.getByRole("button", { name: "Scoreboard: 1st of 1, 300 points" });
  expect(line.getAttribute("aria-expanded")).toBe("false");
  await user.click(line);
  expect(line.getAttribute("aria-expanded")).toBe("true");
});

test("the connection has a box, and each file its size and digest, to be copied", async () => {
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
  // Said once, in its box.
  expect(await within(card).findAllByText("nc a.example 1")).toHaveLength(1);
  expect(within(card).getByText("1.23 MB")).toBeTruthy();
  expect(within(card).getByText(/^0123456789ab…$/).title).toBe(SHA);
  const user = userEvent.setup();
  await user.click(within(card).getByRole("button", { name: "Copy the SHA-256 of a.zip" }));
  expect(await within(card).findByText("Copied")).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe(SHA);
  await user.click(within(card).getByRole("button", { name: "Copy the connection" }));
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe("nc a.example 1"));
});

test("a connection that is an address leads there", async () => {
  const connection = "https://a.example/x";
  server.replies["/challenge"] = [200, { challenges: [challenge("c", { connection })] }];
  open("/challenge?open=c");
  const link = await screen.findByRole("link", { name: connection }, PATIENT);
  expect(link.getAttribute("href")).toBe(connection);
  expect(link.getAttribute("rel")).toContain("noopener");
});
