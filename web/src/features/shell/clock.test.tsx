/** The clock in the navigation bar, and the explanation in the freeze banner. */
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { writeToken } from "../../api/token";
import { HOUR_MS, open, PATIENT, server, TOKEN } from "../../fake-server";

const DAY_MS = 24 * HOUR_MS;
const bar = async () => within(await screen.findByRole("navigation", { name: "Main" }, PATIENT));

test("every page shows the time left and the time to the freeze", async () => {
  server.times.endTime = Date.now() + 3 * HOUR_MS + 500;
  server.times.freezeTime = Date.now() + 2 * HOUR_MS + 500;
  open("/rules");
  expect(await (await bar()).findByText(/^(3:00:00|2:59:5\d) left$/, {}, PATIENT)).toBeTruthy();
  expect((await bar()).getByText(/^Freezes in (2:00:00|1:59:5\d)$/)).toBeTruthy();
  expect(screen.queryByRole("timer")).toBeNull();
});

test("before the start it counts down to the start, with days", async () => {
  server.times.startTime = Date.now() + 2 * DAY_MS + HOUR_MS + 500;
  server.times.endTime = server.times.startTime + HOUR_MS;
  open("/rules");
  expect(
    await (await bar()).findByText(/^Starts in 2 d (1:00:00|59:5\d)$/, {}, PATIENT),
  ).toBeTruthy();
});

test("there is no clock after the end or without times", async () => {
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

test("during the freeze the banner explains what is hidden until when", async () => {
  server.times.freezeTime = Date.now() - HOUR_MS;
  server.times.endTime = Date.now() + HOUR_MS;
  open("/scoreboard");
  expect(await screen.findByText("Scoreboard frozen", {}, PATIENT)).toBeTruthy();
  const visitor = /^New solves are hidden until \d\d:\d\d \S+\. They still count\.$/;
  expect(screen.getByText(visitor)).toBeTruthy();
});

test("an event that runs again after the reveal hides nothing and shows no note", async () => {
  server.times.freezeTime = Date.now() - HOUR_MS;
  server.times.endTime = Date.now() + HOUR_MS;
  server.info.revealed = true;
  open("/scoreboard");
  expect(await (await bar()).findByText(/left$/, {}, PATIENT)).toBeTruthy();
  expect((await bar()).queryByText(/freeze/)).toBeNull();
  await screen.findByRole("heading", { level: 1, name: "Scoreboard" }, PATIENT);
  expect(screen.queryByText("Scoreboard frozen")).toBeNull();
  expect(screen.queryByText(/are hidden/)).toBeNull();
});

test("a team learns that it sees its own solves; organizers may decide on the reveal", async () => {
  writeToken(TOKEN);
  server.info.revealAtEnd = false;
  server.times.freezeTime = Date.now() - HOUR_MS;
  open("/scoreboard");
  const words =
    "Other teams' solves are hidden until the organizers reveal it. " +
    "Your own solves still count and stay visible to you.";
  expect(await screen.findByText(words, {}, PATIENT)).toBeTruthy();
});
