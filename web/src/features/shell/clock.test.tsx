/** The clock in the bar, and what the freeze's banner explains. */
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { writeToken } from "../../api/token";
import { HOUR_MS, open, PATIENT, server, TOKEN } from "../../stand-in";

const DAY_MS = 24 * HOUR_MS;
const bar = async () => within(await screen.findByRole("navigation", { name: "Main" }, PATIENT));

test("every page has the time left, and to the freeze", async () => {
  server.times.endTime = Date.now() + 3 * HOUR_MS + 500;
  server.times.freezeTime = Date.now() + 2 * HOUR_MS + 500;
  open("/rules");
  expect(await (await bar()).findByText(/^(3:00:00|2:59:5\d) left$/, {}, PATIENT)).toBeTruthy();
  expect((await bar()).getByText(/^freeze in (2:00:00|1:59:5\d)$/)).toBeTruthy();
  expect(screen.queryByRole("timer")).toBeNull();
});

test("before the start it counts down to it, with days", async () => {
  server.times.startTime = Date.now() + 2 * DAY_MS + HOUR_MS + 500;
  server.times.endTime = server.times.startTime + HOUR_MS;
  open("/rules");
  expect(
    await (await bar()).findByText(/^Starts in 2 d (1:00:00|59:5\d)$/, {}, PATIENT),
  ).toBeTruthy();
});

test("after the end, and without times, there is none", async () => {
  for (const times of [
    { startTime: 1, endTime: 2, freezeTime: null },
    { startTime: null, endTime: null, freezeTime: null },
  ]) {
    server.times = times;
    const { unmount } = open("/login");
    await screen.findByRole("button", { name: "Login" }, PATIENT);
    expect((await bar()).queryByText(/left|Starts|freeze/)).toBeNull();
    unmount();
  }
});

test("in the freeze the banner says what is hidden until when, and that solves count", async () => {
  server.times.freezeTime = Date.now() - HOUR_MS;
  server.times.endTime = Date.now() + HOUR_MS;
  open("/scoreboard");
  expect(await screen.findByText("Scoreboard frozen", {}, PATIENT)).toBeTruthy();
  const visitor = /^What teams solve now is hidden until \d\d:\d\d \S+\. It still counts\.$/;
  expect(screen.getByText(visitor)).toBeTruthy();
});

test("an event that runs again after the reveal hides nothing, and says so nowhere", async () => {
  server.times.freezeTime = Date.now() - HOUR_MS;
  server.times.endTime = Date.now() + HOUR_MS;
  server.info.revealed = true;
  open("/scoreboard");
  expect(await (await bar()).findByText(/left$/, {}, PATIENT)).toBeTruthy();
  expect((await bar()).queryByText(/freeze/)).toBeNull();
  await screen.findByRole("heading", { level: 1, name: "Scoreboard" }, PATIENT);
  expect(screen.queryByText("Scoreboard frozen")).toBeNull();
  expect(screen.queryByText(/is hidden/)).toBeNull();
});

test("a team reads that it sees its own; organizers may decide when all is shown", async () => {
  writeToken(TOKEN);
  server.info.revealAtEnd = false;
  server.times.freezeTime = Date.now() - HOUR_MS;
  open("/scoreboard");
  const words =
    "What other teams solve is hidden until the organizers show it. " +
    "Your own solves still count, and you see them.";
  expect(await screen.findByText(words, {}, PATIENT)).toBeTruthy();
});
