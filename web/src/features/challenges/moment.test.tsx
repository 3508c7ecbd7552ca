/** The moment of a solve: what it brought and unlocked, what comes next; and only once. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { writeToken } from "../../api/token";
import { challenge, open, PATIENT, say, server, snapshot, TOKEN } from "../../stand-in";

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
  await screen.findByText("Scoreboard: 3rd of 3, 0 points", {}, PATIENT);
  await page.user.type(flag, "yes{enter}");
  await screen.findByRole("link", { name: "Next challenge: Challenge d" }, PATIENT);
  return { ...page, card: screen.getByRole("article", { name: "Challenge a" }) };
}

test("points, rank, places and what is unlocked are said; then the next one opens", async () => {
  const { user, card } = await solveA();
  expect(within(card).queryByText(/^\+/)).toBeNull();
  say({ event: "solve", seq: 2, challengeId: "a", teamName: "Ours", ts: TS });
  const gain = await within(card).findByText("+100, now 1st (up 2)", {}, PATIENT);
  expect(gain.closest("[role=status]")).toBeTruthy();
  const unlocked = within(card).getByRole("link", { name: "Challenge c" });
  expect(unlocked.getAttribute("href")).toBe("/challenge?open=c");
  // Others go on; the moment stays what it was.
  say({ event: "solve", seq: 3, challengeId: "a", teamName: "Ants", ts: TS + 1 });
  await screen.findByText("Scoreboard: 2nd of 3, 100 points", {}, PATIENT);
  expect(gain.textContent).toBe("+100, now 1st (up 2)");

  await user.click(within(card).getByRole("link", { name: "Next challenge: Challenge d" }));
  await waitFor(() => expect(window.location.search).toBe("?open=d"));
  const next = screen.getByRole("article", { name: "Challenge d" });
  await waitFor(() => expect(document.activeElement).toBe(within(next).getAllByRole("button")[0]));
});

test("in the freeze neither the moment, the board nor the card promises a place", async () => {
  server.times.freezeTime = Date.now() - 1000;
  const { card } = await solveA();
  // Without a number: others do not see it.
  say({ event: "solve", challengeId: "a", teamName: "Ours", ts: TS });
  const gain = await within(card).findByText(/^\+100/, {}, PATIENT);
  expect(gain.textContent).toBe("+100, without others' hidden solves");
  const line = "Scoreboard: 100 points, without others' hidden solves";
  expect(await screen.findByText(line, {}, PATIENT)).toBeTruthy();
  expect(screen.queryByText(/\b1st\b|first blood/)).toBeNull();
});

test("it is shown once: not when the card is opened again, nor after a reload", async () => {
  const { user, card } = await solveA();
  say({ event: "solve", seq: 2, challengeId: "a", teamName: "Ours", ts: TS });
  await within(card).findByText(/^\+100/, {}, PATIENT);
  const toggle = within(card).getByRole("button", { name: /^Challenge a/ });
  await user.click(toggle);
  await user.click(toggle);
  expect(await within(card).findByText(/^Your team solved it at/)).toBeTruthy();
  expect(screen.queryByText(/^\+100/)).toBeNull();
  expect(screen.queryByRole("link", { name: /^Next challenge/ })).toBeNull();
});
