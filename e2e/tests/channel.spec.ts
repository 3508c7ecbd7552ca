// The page's live channel: requests, reconnection, and the state shown during it.

import type { Page } from "@playwright/test";
import { expectLive } from "../support/player.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

/** Step in which the page's clock advances. */
const STEP_MS = 10_000;
const MINUTES_5_MS = 300_000;

interface Ask {
  action?: string;
  token?: string;
}

/** Collects all further messages that the page sends on the live channel. */
function listen(page: Page): Ask[] {
  const sent: Ask[] = [];
  page.on("websocket", (socket) => {
    if (new URL(socket.url()).pathname !== "/api/live") {
      return;
    }
    socket.on("framesent", ({ payload }) => sent.push(JSON.parse(payload.toString())));
  });
  return sent;
}

test("on open a visitor requests the scoreboard, without a token", async ({ page }) => {
  const sent = listen(page);
  await page.goto("/");
  await expect.poll(() => sent.length).toBeGreaterThan(0);
  expect(sent[0]).toEqual({ action: "getscoreboard" });
});

test("the channel and the browser agree on compression", async ({ page }) => {
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  const answers: Record<string, string>[] = [];
  network.on("Network.webSocketHandshakeResponseReceived", ({ response }) => {
    answers.push(response.headers);
  });
  await page.goto("/scoreboard");
  await expectLive(page);
  expect(answers[0]?.["sec-websocket-extensions"]).toContain("permessage-deflate");
});

test("a team sends its token, and none after it has logged out", async ({ page, team }) => {
  const sent = listen(page);
  await page.goto("/scoreboard");
  await expectLive(page);
  expect(sent[0]).toEqual({ action: "getscoreboard", token: team.token });
  // A second request resumes from the first snapshot.
  await expect.poll(() => sent.length).toBe(2);
  expect(sent.every(({ token }) => token === team.token)).toBe(true);
  const before = sent.length;
  await page.getByRole("link", { name: "Logout" }).click();
  await expect.poll(() => sent.length).toBeGreaterThan(before);
  expect(sent[before]).toEqual({ action: "getscoreboard" });
});

test("a foreign eyJ cookie is not sent on the channel", async ({ page, program }) => {
  const sent = listen(page);
  await enter(page, program, { name: "foreign", token: "eyJhbGciOiJub25lIn0.e30." });
  await page.goto("/scoreboard");
  await expectLive(page);
  expect(sent.filter(({ token }) => token !== undefined)).toEqual([]);
  expect(sent[0]).toEqual({ action: "getscoreboard" });
});

test("every five minutes the board and the event info are requested again", async ({ page }) => {
  const sent = listen(page);
  let infos = 0;
  page.on("request", (request) => {
    infos += request.url().endsWith("/api/ctf") ? 1 : 0;
  });
  await page.clock.install();
  await page.goto("/scoreboard");
  await expectLive(page);
  await expect(page.getByText("No teams yet.").or(page.getByRole("table")).first()).toBeVisible();
  // One request on open, and one to resume from the first snapshot.
  await expect.poll(() => sent.length).toBe(2);
  for (const _ of [1, 2]) {
    const before = { sent: sent.length, infos };
    await page.clock.runFor(MINUTES_5_MS / 2);
    expect({ sent: sent.length, infos }).toEqual(before);
    // The clock advances in steps, because the next five minutes start only when the event info has
    // arrived.
    await expect(async () => {
      await page.clock.runFor(STEP_MS);
      expect({ sent: sent.length, infos }).toEqual({
        sent: before.sent + 1,
        infos: before.infos + 1,
      });
    }).toPass({ intervals: [50], timeout: 20_000 });
    expect(sent.at(-1)).toMatchObject({ action: "getscoreboard" });
  }
});

test("after a server restart the page reconnects, and shows missed updates", async ({
  page,
  serve,
  complaints,
}) => {
  complaints.allow(/WebSocket|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/);
  const program = await serve({});
  const team = await newTeam(program, "Old Hands");
  await page.goto(`${program.url}/scoreboard`);
  await expectLive(page);
  const row = (name: string) =>
    page
      .getByRole("table", { name: /^Scoreboard/ })
      .getByRole("row")
      .filter({ hasText: name });
  await expect(row("Old Hands")).toBeVisible();
  await page.evaluate(() => Reflect.set(window, "loadedOnce", true));

  await program.kill();
  const note = page.getByRole("status").filter({ hasText: /^Offline\. Scoreboard as of / });
  await expect(note).toBeVisible();
  await expect(row("Old Hands"), "the last board stays").toBeVisible();

  await program.revive();
  await newTeam(program, "New Hands");
  await program.solve(team.token, "welcome", "flag{w3lc0me_ab0ard}");
  await expectLive(page);
  await expect(row("New Hands")).toBeVisible();
  await expect(row("Old Hands")).toContainText("100");
  expect(await page.evaluate(() => Reflect.get(window, "loadedOnce"))).toBe(true);
});

test("an error event is shown as an error, an unknown event not at all", async ({ page }) => {
  await page.routeWebSocket("**/api/live", (socket) => {
    socket.connectToServer();
    socket.send(JSON.stringify({ event: "party", message: "Hooray." }));
    socket.send(JSON.stringify({ event: "error", message: "Too many requests at once." }));
  });
  await page.goto("/scoreboard");
  await expect(page.getByRole("alert")).toContainText("Too many requests at once.");
  await expect(page.getByText("Hooray.")).toHaveCount(0);
  await expectLive(page);
});

test("a new team appears on an open board, last and without points", async ({ page, program }) => {
  await page.goto("/scoreboard");
  await expectLive(page);
  const { name } = await newTeam(program);
  const row = page
    .getByRole("table", { name: /^Scoreboard/ })
    .getByRole("row")
    .filter({ hasText: name });
  await expect(row.getByRole("cell").nth(2)).toHaveText("0");
});

test("without a socket the same board comes over HTTP", async ({ page, program }) => {
  const { name } = await newTeam(program);
  await page.routeWebSocket("**/api/live", (socket) => socket.close());
  await page.goto("/scoreboard");
  await expect(
    page
      .getByRole("table", { name: /^Scoreboard/ })
      .getByRole("row")
      .filter({ hasText: name }),
  ).toBeVisible();
});
