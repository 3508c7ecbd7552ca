/** The moment of a solve, shown once: gains, unlocked challenges, the next challenge. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { writeToken } from "../../api/token";
import { challenge, open, PATIENT, say, server, snapshot, TOKEN } from "../../fake-server";

const TS = 1_700_000_000;
const LIST = [
  challenge("a"),
  challenge("b", { categories: ["pwn"], nsolves: 5 }),
  challenge("c", { categories: ["pwn"], locked: true, requirements: ["a"] }),
  challenge("d"),
];

beforeEach(() => {
  writeToken(TOKEN);
  server.replies["/challenge"] = [200, { challenges: LIST }];
  server.replies["/solve"] = [200, { correct: true }];
});

async function solveA() {
  const page = open("/challenge?open=a");
  const flag = await screen.findByPlaceholderText("flag", {}, PATIENT);
  snapshot(
    [
      ["Ants", "IT", {}, 0, 70],
      ["Bees", "IT", {}, 0, 30],
      ["Ours", "IT", {}, 0],
    ],
    LIST,
  );
  await screen.findAllByText("Scoreboard: 3rd of 3, 0 points", {}, PATIENT);
  await page.user.type(flag, "yes{enter}");
  await screen.findByRole("link", { name: "Next challenge: Challenge d" }, PATIENT);
  return { ...page, card: screen.getByRole("article", { name: "Challenge a" }) };
}

test("shows points, rank, ranks gained and unlocked challenges; then opens the next", async () => {
  const { user, card } = await solveA();
  expect(within(card).queryByText(/^\+/)).toBeNull();
  say({ event: "solve", seq: 2, challengeId: "a", teamName: "Ours", ts: TS });
  const gain = await within(card).findByText("+100, now 1st (up 2)", {}, PATIENT);
  expect(gain.closest("[role=status]")).toBeTruthy();
  const unlocked = within(card).getByRole("link", { name: "Challenge c" });
  expect(unlocked.getAttribute("href")).toBe("/challenge?open=c");
  // Later solves of others do not change it.
  say({ event: "solve", seq: 3, challengeId: "a", teamName: "Ants", ts: TS + 1 });
  await screen.findAllByText("Scoreboard: 2nd of 3, 100 points", {}, PATIENT);
  expect(gain.textContent).toBe("+100, now 1st (up 2)");

  await user.click(within(card).getByRole("link", { name: "Next challenge: Challenge d" }));
  await waitFor(() => expect(window.location.search).toBe("?open=d"));
  const next = screen.getByRole("article", { name: "Challenge d" });
  await waitFor(() => expect(next.contains(document.activeElement)).toBe(true));
});

test("during the freeze the solve is sealed in the moment, the snapshot and the card", async () => {
  server.times.freezeTime = Date.now() - 1000;
  const { card } = await solveA();
  // A solve without a number is hidden from others.
  say({ event: "solve", challengeId: "a", teamName: "Ours", ts: TS });
  // In the last hour of a day, the date of the reveal stands before the time.
  const gain = await within(card).findByText(/^\+100, sealed until (.+ )?\d\d:\d\d$/, {}, PATIENT);
  expect(gain.closest("[role=status]")).toBeTruthy();
  expect(card.querySelector("[data-kind]")?.getAttribute("data-kind")).toBe("sealed");
  const line = "Scoreboard: 100 points, with your sealed solves";
  expect(await screen.findAllByText(line, {}, PATIENT)).toHaveLength(2);
  expect(screen.queryByText(/\b1st\b|first blood|nobody|▲|points (to|ahead of)/i)).toBeNull();
});

test("the reveal replaces a sealed moment with the true one", async () => {
  server.times.freezeTime = Date.now() - 1000;
  const { card } = await solveA();
  say({ event: "solve", challengeId: "a", teamName: "Ours", ts: TS });
  await within(card).findByText(/sealed until/, { selector: "[role=status] *" }, PATIENT);
  const rows = [
    ["Ants", "IT", { "0": [1, TS - 1] }, TS - 1, 70],
    ["Ours", "IT", { "0": [2, TS] }, TS],
  ];
  const challenges = LIST.map((one) => (one.id === "a" ? { ...one, nsolves: 2 } : one));
  say({ event: "scoreboard", seq: 9, generation: "g", challenges, scoreboard: rows });
  expect(await within(card).findByText("+100, now 2nd", {}, PATIENT)).toBeTruthy();
  expect(card.querySelector("[data-kind]")?.getAttribute("data-kind")).toBe("solved");
});

test("the own first blood is a celebration, and not also a toast", async () => {
  const { card } = await solveA();
  say({ event: "solve", seq: 2, challengeId: "a", teamName: "Ours", ts: Date.now() / 1000 });
  expect(await within(card).findByText("First blood, nobody was faster", {}, PATIENT)).toBeTruthy();
  expect(card.querySelector("[data-kind]")?.getAttribute("data-kind")).toBe("blood");
  // The next first blood, of another team, is not queued behind a toast for the own one.
  say({ event: "solve", seq: 3, challengeId: "d", teamName: "Ants", ts: Date.now() / 1000 });
  const toast = await screen.findByText(/^First to solve/, {}, PATIENT);
  expect(toast.textContent).toBe("First to solve Challenge d");
});

test("the next challenge has the focus, unless the player types elsewhere", async () => {
  const { card } = await solveA();
  const next = within(card).getByRole("link", { name: "Next challenge: Challenge d" });
  await waitFor(() => expect(document.activeElement).toBe(next));
});

test("the rest of the row: the accepted flag, the category and the gap", async () => {
  const { card } = await solveA();
  say({ event: "solve", seq: 2, challengeId: "a", teamName: "Ours", ts: TS });
  await within(card).findByText("+100, now 1st (up 2)", {}, PATIENT);
  expect(within(card).getByText("yes").closest("[aria-hidden]")).toBeTruthy();
  expect(within(card).getByText("1 of 2 solved")).toBeTruthy();
  const gaps = within(card).getAllByText("30 points ahead of \u2068Ants\u2069");
  expect(gaps.map((gap) => gap.closest("[aria-hidden]") !== null)).toEqual([false, true]);
});

test("it is shown once, not again when the card is reopened or after a reload", async () => {
  const { user, card } = await solveA();
  say({ event: "solve", seq: 2, challengeId: "a", teamName: "Ours", ts: TS });
  await within(card).findByText(/^\+100/, {}, PATIENT);
  const toggle = within(card).getByRole("button", { name: /^Challenge a/ });
  await user.click(toggle);
  await user.click(toggle);
  expect(await within(card).findByText(/^Solved by your team at/)).toBeTruthy();
  expect(screen.queryByText(/^\+100/)).toBeNull();
  expect(screen.queryByRole("link", { name: /^Next challenge/ })).toBeNull();
});
