// The home page in every phase of the event.

import type { Page } from "@playwright/test";
import { enter, expect, newTeam, test } from "../support/test.ts";

const DAY_S = 86_400;
const HOUR_S = 3600;

/** Counts of the four rings, and their fill levels from 0 to 1. */
async function rings(page: Page) {
  const timer = page.getByRole("timer", { name: "Time until start" });
  await expect(timer).toBeVisible();
  const counts = (await timer.innerText()).match(/\d+/g)?.map(Number) ?? [];
  const shares = await timer.locator("circle[stroke-dasharray]").evaluateAll((circles) =>
    circles.map((circle) => {
      const dashes = circle.getAttribute("stroke-dasharray")?.split(" ").map(Number) ?? [];
      return (dashes[0] ?? 0) / (dashes[1] ?? 1);
    }),
  );
  return { counts, shares };
}

async function expectSocialLinks(page: Page): Promise<void> {
  const main = page.getByRole("main");
  for (const [name, address] of [
    ["Microblog", "https://example.org/@harbour"],
    ["Chat", "https://example.org/chat/harbour"],
  ] as const) {
    await expect(main.getByRole("link", { name })).toHaveAttribute("href", address);
  }
}

test("before the start four rings of 30 days, a day, an hour and a minute count down", async ({
  page,
  serve,
}) => {
  const start = 2 * DAY_S + 3 * HOUR_S + 4 * 60 + 30;
  const times = { start, freeze: start + HOUR_S, end: start + 2 * HOUR_S };
  const program = await serve({ when: times });
  await page.clock.install();
  await page.goto(program.url);
  await rings(page);
  await page.clock.pauseAt(Date.now() + 5000);
  const first = await rings(page);
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = first.counts;
  expect([days, hours]).toEqual([2, 3]);
  expect(minutes).toBeGreaterThanOrEqual(2);
  const wholes = [30 * DAY_S, DAY_S, HOUR_S, 60];
  const parts = [days * DAY_S, hours * HOUR_S, minutes * 60, seconds];
  wholes.forEach((whole, index) => {
    expect(first.shares[index]).toBeCloseTo((parts[index] ?? 0) / whole, 6);
  });

  await page.clock.runFor(1000);
  await expect(async () => {
    const [, , , next] = (await rings(page)).counts;
    expect(next).toBe((seconds + 59) % 60);
  }).toPass();
  await expect(page.getByText("Press play to compete.")).toHaveCount(0);
  await expectSocialLinks(page);
});

test("more than 30 days before the start the first ring is full", async ({ page, serve }) => {
  const start = 45 * DAY_S;
  const program = await serve({ when: { start, freeze: start + 60, end: start + 120 } });
  await page.goto(program.url);
  const { counts, shares } = await rings(page);
  expect([44, 45]).toContain(counts[0]);
  expect(shares[0]).toBe(1);
});

test("while it runs the page shows the time left and links to the challenges", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Harbour Test CTF");
  await expect(page.getByText(/^There are 0 days, 3 hours and 5\d minutes left\.$/)).toBeVisible();
  const play = page.getByRole("link", { name: "Press play to compete." });
  await expect(play).toHaveAttribute("href", "/challenge");
  await expect(page.getByRole("timer")).toHaveCount(0);
  await expectSocialLinks(page);
});

test("after the end the page links to the final scoreboard", async ({ page, serve }) => {
  const program = await serve({ when: "ended" });
  await page.goto(program.url);
  const main = page.getByRole("main");
  await expect(main).toContainText("The CTF has ended.");
  await main.getByRole("link", { name: /final scoreboard/i }).click();
  await expect(page).toHaveURL(`${program.url}/scoreboard`);
});

test("without event info there are the banner and the social links only", async ({ page }) => {
  await page.route("**/api/ctf", async (route) => {
    const answer = await route.fetch();
    const none = { name: null, startTime: null, endTime: null, freezeTime: null };
    await route.fulfill({ response: answer, json: { ...(await answer.json()), ...none } });
  });
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectSocialLinks(page);
  await expect(page.getByRole("timer")).toHaveCount(0);
  await expect(page.getByText(/minutes left|CTF has ended|Press play/)).toHaveCount(0);
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - main:
      - /children: equal
      - heading "Capture the flag" [level=1]
      - paragraph: /not been set up/
      - navigation "Social":
        - link "Microblog"
        - link "Chat"
  `);
});

test("before and without a response about the event they are shown too", async ({
  page,
  complaints,
}) => {
  complaints.allow(/ERR_FAILED/);
  await page.route("**/api/ctf", () => undefined);
  await page.goto("/");
  await expectSocialLinks(page);
  await page.unroute("**/api/ctf");
  await page.route("**/api/ctf", (route) => route.abort());
  await page.goto("/");
  await expect(page.getByRole("alert")).toContainText("error, API connection failed");
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - main:
      - heading "Capture the flag" [level=1]
      - navigation "Social":
        - link "Microblog"
        - link "Chat"
  `);
  await expect(page.getByRole("main").getByRole("link")).toHaveCount(2);
});

test("a URL of the event is written into the page as text", async ({ page, serve }) => {
  const chat = 'https://example.org/chat?a="b"&c=<script>';
  const edit = (text: string) => text.replace(/^chat = .*$/m, `chat = '${chat}'`);
  const program = await serve({ edit });
  await page.route("**/api/ctf", () => undefined);
  await page.goto(program.url);
  const link = page.getByRole("main").getByRole("link", { name: "Chat" });
  await expect(link).toHaveAttribute("href", chat);
});

test("a clock that is five hours ahead is corrected by the server's", async ({ page }) => {
  await page.clock.install({ time: Date.now() + 5 * HOUR_S * 1000 });
  await page.goto("/");
  await expect(page.getByText(/^There are 0 days, 3 hours/)).toBeVisible();
});

/** The riddle of the test event, and its flag. */
const RIDDLE = { cipher: "synt{frg_f4vy}", flag: "flag{set_s4il}" };

/** Everything that the page sends, as text. */
function sentBy(page: Page): string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    sent.push(`${request.method()} ${request.url()} ${request.postData() ?? ""}`);
  });
  page.on("websocket", (socket) => {
    socket.on("framesent", ({ payload }) => sent.push(`frame ${payload}`));
  });
  return sent;
}

test("a visitor solves a riddle before the signup, and nothing is sent", async ({ page }) => {
  const sent = sentBy(page);
  await page.goto("/");
  const riddle = page.getByRole("region", { name: "Try it now" });
  await expect(riddle).toContainText(RIDDLE.cipher);
  const field = riddle.getByRole("textbox", { name: "Flag of the riddle" });
  await field.fill("flag{not_it}");
  await riddle.getByRole("button", { name: "Submit" }).click();
  await expect(riddle.getByRole("status")).toHaveText("Incorrect flag.");
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await field.fill("set_s4il");
  await expect(riddle.getByRole("status")).toHaveText("");
  await field.press("Enter");
  await expect(riddle.getByRole("status")).toHaveText(
    "Incorrect flag: the wrapper is missing. Flags look like flag{…}",
  );
  await field.fill(` ${RIDDLE.flag} `);
  await field.press("Enter");
  await expect(riddle.getByRole("status")).toContainText("That was your first. Sign up");
  await expect(field).toHaveCount(0);
  const signUp = riddle.getByRole("link", { name: "Sign up" });
  await expect(signUp).toBeFocused();
  expect(sent.length).toBeGreaterThan(5);
  expect(sent.filter((one) => /POST|set_s4il|not_it/.test(one))).toEqual([]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/signup$/);
});

test("there is no riddle for a team, after the end, or without a signup", async ({
  page,
  program,
  team,
  serve,
}) => {
  await page.goto("/");
  await expect(page.getByRole("region", { name: "Your team" })).toContainText(team.name);
  await expect(page.getByText(RIDDLE.cipher)).toHaveCount(0);
  await page.context().clearCookies();
  await page.goto(program.url);
  await expect(page.getByText(RIDDLE.cipher)).toBeVisible();
  const edit = (text: string) => text.replace("open = true", "open = false");
  for (const other of [await serve({ when: "ended" }), await serve({ edit })]) {
    await page.goto(other.url);
    await expect(page.getByRole("list", { name: "The event in numbers" })).toBeVisible();
    await expect(page.getByText(RIDDLE.cipher)).toHaveCount(0);
  }
});

test("an unusual flag format gives a riddle without it", async ({ page, serve }) => {
  const format = 'flag_format = "Flags are $100 bills: [0-9a-f]{32}"';
  const edit = (text: string) => text.replace(/^flag_format = .*$/m, format);
  await page.goto((await serve({ edit })).url);
  const riddle = page.getByRole("region", { name: "Try it now" });
  await expect(riddle.getByText("frg_f4vy", { exact: true })).toBeVisible();
  await riddle.getByRole("textbox").fill("set_s4il");
  await riddle.getByRole("textbox").press("Enter");
  await expect(riddle).toContainText("That was your first.");
});

test("before the start the page counts teams and countries", async ({ page, serve }) => {
  const program = await serve({ when: "not started" });
  await newTeam(program, "Ants", "IT");
  await newTeam(program, "Bees", "FR");
  await newTeam(program, "Cats", "FR");
  await newTeam(program, "Dogs", "UN");
  await page.goto(program.url);
  await expect(page.getByText("4 teams from 2 countries are in")).toBeVisible();
  await expect(page.getByRole("list", { name: "The event in numbers" })).toHaveCount(0);
});

test("the latest solves are shown until the freeze, which then hides every later one", async ({
  page,
  serve,
  visitor,
}) => {
  const program = await serve({});
  const ants = await newTeam(program, "Ants");
  const bees = await newTeam(program, "Bees");
  await program.solve(ants.token, "welcome", "flag{w3lc0me_ab0ard}");
  await page.setViewportSize({ width: 1440, height: 1200 });
  await page.goto(program.url);
  const figures = page.getByRole("list", { name: "The event in numbers" });
  const latest = page.getByRole("list", { name: "Latest solves" });
  await expect(figures).toHaveText(/^2 teams.*4 challenges.*1 first blood\s*$/);
  await expect(latest.getByRole("listitem")).toHaveText([/Ants.*first blood.*Welcome aboard/]);
  await program.solve(bees.token, "welcome", "flag{w3lc0me_ab0ard}");
  await expect(latest.getByRole("listitem").first()).toHaveText(/Bees.*Welcome aboard/);
  await expect(page.getByRole("region", { name: /^Podium/ })).toContainText("Ants");

  await program.reschedule({ freeze: -1 });
  await expect(latest).toHaveCount(0);
  await expect(figures).toContainText("frozen");
  await program.solve(bees.token, "tide", "flag{t1de}");
  const own = await visitor(program.url);
  await own.setViewportSize({ width: 1440, height: 1200 });
  await enter(own, program, bees);
  await own.goto("/");
  await expect(own.getByRole("region", { name: "Your team" })).toContainText("sealed");
  for (const one of [page, own]) {
    await expect(one.getByRole("region", { name: /^Podium.*frozen$/ })).toContainText("Ants");
    await expect(one.getByRole("list", { name: "The event in numbers" })).toContainText(
      "1 first blood",
    );
    await expect(one.getByText("Rising tide")).toHaveCount(0);
  }
});

test("after the end the page has the result of the event and of the team", async ({
  page,
  serve,
}) => {
  const program = await serve({});
  const ants = await newTeam(program, "Ants");
  const bees = await newTeam(program, "Bees");
  await newTeam(program, "Cats");
  await program.solve(ants.token, "welcome", "flag{w3lc0me_ab0ard}");
  await program.solve(ants.token, "tide", "flag{t1de}");
  await program.solve(bees.token, "welcome", "flag{w3lc0me_ab0ard}");
  await enter(page, program, bees);
  await page.goto(program.url);
  await expect(page.getByRole("region", { name: "Your team" })).toContainText("2nd of 3 teams");
  await program.reschedule({ freeze: 1, end: 2 });
  await expect(page.getByText("The CTF has ended.")).toBeVisible();
  const result = page.getByRole("region", { name: "Podium" });
  await expect(result.getByRole("listitem")).toHaveText([/^1Ants/, /^2Bees/]);
  await expect(result).toContainText("2nd of 3, 1 solve");
  await expect(page.getByRole("list", { name: "The event in numbers" })).toHaveText(
    /^3 teams.*4 challenges.*3 solves\s*$/,
  );
});

test("the team's rank is shown at once", async ({ page, team }) => {
  // The interval between two updates never ends.
  await page.addInitScript(() => {
    const wait = window.setTimeout;
    Reflect.set(window, "setTimeout", (run: () => void, ms = 0) =>
      ms > 1000 && ms <= 2000 ? 0 : wait(run, ms),
    );
  });
  await page.goto("/");
  const own = page.getByRole("region", { name: "Your team" });
  await expect(own).toContainText(/\d+(st|nd|rd|th) of \d+ teams?/);
  await expect(own).toContainText(team.name);
});

test("a picture of the event fills the width of the page, behind the title", async ({
  page,
  serve,
}) => {
  const program = await serve({ event: "e2e/brands/harbour" });
  await page.goto(program.url);
  const picture = page.locator('main img[src^="/brand/"][alt=""]');
  await expect
    .poll(() => picture.evaluate((one: HTMLImageElement) => one.naturalWidth))
    .toBeGreaterThan(0);
  const { width = 0 } = page.viewportSize() ?? {};
  const [box, title] = await Promise.all([
    picture.boundingBox(),
    page.getByRole("heading", { level: 1 }).boundingBox(),
  ]);
  expect(box?.width).toBeGreaterThan(width - 20);
  expect(title?.y ?? 0).toBeGreaterThan(box?.y ?? 0);
  expect(title?.y ?? 0).toBeLessThan((box?.y ?? 0) + (box?.height ?? 0));
});

test("on a phone the riddle is on the first screen, above the menu", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  const submit = page.getByRole("region", { name: "Try it now" }).getByRole("button");
  await expect(submit).toBeInViewport({ ratio: 1 });
  for (const name of ["Press play to compete.", "Sign up your team"]) {
    await expect(page.getByRole("main").getByRole("link", { name })).toBeInViewport({ ratio: 1 });
  }
});

test("social links have the icon of their network", async ({ page }) => {
  await page.goto("/");
  for (const [name, icon] of [
    ["Microblog", "mastodon"],
    ["Chat", "chat"],
  ] as const) {
    const use = page.getByRole("main").getByRole("link", { name }).locator("use");
    await expect(use).toHaveAttribute("href", new RegExp(`/${icon}-.*\\.svg#icon$`));
    const box = await use.boundingBox();
    expect(box?.width, `${name} is drawn`).toBeGreaterThan(8);
  }
});
