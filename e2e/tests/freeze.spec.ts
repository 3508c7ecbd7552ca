// During the freeze, a team sees only its own later solves; the reveal shows all.

import type { Locator } from "@playwright/test";
import { card, expectLive, submitFlag } from "../support/player.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

test("during the freeze only the team sees its own solve", async ({ page, serve, visitor }) => {
  test.slow();
  const program = await serve({ when: "frozen" });
  const mine = await newTeam(program, "Mine");
  const other = await newTeam(program, "Other");
  const stranger = await visitor(program.url);
  const rival = await visitor(program.url);
  await enter(page, program, mine);
  await enter(rival, program, other);
  await Promise.all([
    page.goto(`${program.url}/challenge`),
    rival.goto("/challenge"),
    stranger.goto("/scoreboard"),
  ]);
  for (const one of [page, rival, stranger]) {
    await expectLive(one);
    await expect(one.getByText("Scoreboard frozen")).toBeVisible();
  }

  await program.solve(mine.token, "welcome", "flag{w3lc0me_ab0ard}");
  await expect(card(page, "Welcome aboard")).toContainText("Solved");
  await expect(card(page, "Welcome aboard")).toContainText("0 solves before the freeze");
  const score = (one: typeof page, name: string) =>
    one
      .getByRole("table", { name: /^Scoreboard/ })
      .getByRole("row")
      .filter({ has: one.getByText(name, { exact: true }) })
      .getByRole("cell")
      .nth(2);
  await expect(score(page, "Mine")).toHaveText("100");

  // The other team has received its own solve, so all earlier messages have arrived.
  await program.solve(other.token, "welcome", "flag{w3lc0me_ab0ard}");
  await expect(card(rival, "Welcome aboard")).toContainText("Solved");
  await expect(card(rival, "Welcome aboard")).toContainText("0 solves before the freeze");
  await expect(score(rival, "Other")).toHaveText("100");
  await expect(score(rival, "Mine")).toHaveText("0");
  await expect(score(page, "Other")).toHaveText("0");
  await expect(score(stranger, "Mine")).toHaveText("0");
  await stranger.reload();
  await expect(score(stranger, "Mine")).toHaveText("0");
  await expect(stranger.getByRole("img", { name: /Welcome aboard/ })).toHaveCount(0);
});

test("after the end the scoreboard stays frozen until a manual reveal", async ({
  page,
  serve,
  visitor,
}) => {
  test.slow();
  const program = await serve({
    when: { start: -60, freeze: -30, end: 15 },
    edit: (text) => text.replace(/^reveal = .*$/m, 'reveal = "manual"'),
  });
  const mine = await newTeam(program, "Mine");
  await program.solve(mine.token, "welcome", "flag{w3lc0me_ab0ard}");
  await enter(page, program, mine);
  const [home, projector] = await Promise.all([visitor(program.url), visitor(program.url)]);
  await Promise.all([
    page.goto(`${program.url}/scoreboard`),
    home.goto("/"),
    projector.goto("/scoreboard?view=stage"),
  ]);
  await expect(home.getByText("The CTF has ended.")).toBeVisible({ timeout: 25_000 });
  for (const one of [page, projector]) {
    await expect(one.getByText("CTF ended").first()).toBeVisible();
  }
  for (const one of [page, projector, home]) {
    await expect(one.getByText(/still frozen/)).toBeVisible();
    await expect(one.getByText(/\bfinal\b/i)).toHaveCount(0);
  }
  await expect(home.getByRole("link", { name: "View the scoreboard" })).toBeVisible();
  const own = page.getByRole("row").filter({ hasText: "Mine" });
  await expect(own.getByRole("cell").first()).toHaveText("1*");
  await page.goto(`${program.url}/team/Mine`);
  await expect(page.getByText(/still frozen/)).toBeVisible();

  await program.command("reveal");
  await expect(home.getByRole("link", { name: "View the final scoreboard" })).toBeVisible();
  for (const one of [page, projector, home]) {
    await expect(one.getByText(/still frozen/)).toHaveCount(0);
  }
});

test("at the end an open scoreboard unfreezes by itself", async ({ page, serve }) => {
  const program = await serve({ when: { start: -60, freeze: -30, end: 12 } });
  const team = await newTeam(program, "Late Solvers");
  await program.solve(team.token, "welcome", "flag{w3lc0me_ab0ard}");
  await page.goto(`${program.url}/scoreboard`);
  await expect(page.getByText("CTF ended").first()).toBeVisible({ timeout: 25_000 });
  const row = page
    .getByRole("table", { name: /^Scoreboard/ })
    .getByRole("row")
    .filter({ hasText: "Late Solvers" });
  await expect(row.getByRole("cell").nth(2)).toHaveText("100");
});

/** Text that says more about a sealed solve than is true after the reveal. */
const UNTRUE = /\b1st\b|\bnow\b|first blood|position 1\b|\b1 solve\b|nobody was faster/i;

/** Asserts that no text and no label of a part of the page says too much. */
async function expectSealed(part: Locator): Promise<void> {
  await expect(part).not.toContainText(UNTRUE);
  await expect(part.getByRole("img", { name: UNTRUE })).toHaveCount(0);
}

test("a second solver's own solve is sealed on every page until the end", async ({
  page,
  serve,
}) => {
  test.slow();
  const program = await serve({ when: "running" });
  await newTeam(program, "Alpha");
  const bravo = await newTeam(program, "Bravo");
  const delta = await newTeam(program, "Delta");
  await program.reschedule({ freeze: -1 });
  await program.solve(delta.token, "tide", "flag{t1de}");
  await enter(page, program, bravo);
  await page.goto(`${program.url}/challenge?open=tide`);
  await expectLive(page);
  await expect(page.getByText("Scoreboard frozen")).toBeVisible();

  const challenge = card(page, "Rising tide");
  await submitFlag(challenge, "flag{t1de}");
  const moment = page.getByRole("status").filter({ hasText: "+ up to 500" });
  await expect(moment).toHaveText(/^\+ up to 500, sealed until (\d+ \w+, )?\d\d:\d\d/);
  await expect(challenge).toContainText("up to 500 points");
  await expect(challenge).toContainText("0 solves before the freeze");
  const snapshot = page.getByRole("table", { name: "Scoreboard snapshot" });
  const own = snapshot.getByRole("row").filter({ hasText: "Bravo" });
  await expect(own).toContainText("with your sealed solves");
  await expectSealed(page.getByRole("main"));
  await page.reload();
  await expect(challenge).toContainText(/sealed until (\d+ \w+, )?\d\d:\d\d/);
  await challenge.getByText("Solvers (1)").click();
  await expect(challenge.getByRole("list", { name: /^Solvers of/ })).toContainText("sealed until");
  await expectSealed(page.getByRole("main"));

  await page.goto(`${program.url}/team/Bravo`);
  const solve = page.getByRole("row").filter({ hasText: "Rising tide" });
  await expect(
    solve.getByRole("img", { name: /sealed until (\d+ \w+, )?\d\d:\d\d/ }),
  ).toBeVisible();
  await expect(solve).toContainText("up to 500");
  await expectSealed(page.getByRole("main"));

  await page.goto(`${program.url}/scoreboard`);
  const rows = page.getByRole("table", { name: "Scoreboard", exact: true }).getByRole("row");
  const row = rows.filter({ hasText: "Bravo" });
  const mark = row.getByRole("img", { name: /^Rising tide: solved/ });
  await expect(mark).toHaveAccessibleName(/: solved, sealed until (\d+ \w+, )?\d\d:\d\d, .* UTC$/);
  await expect(mark).toHaveAttribute("title", /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
  await expect(row.getByRole("cell").first()).toHaveText("1*");
  await expectSealed(row);

  await program.reschedule({ end: 1 });
  await expect(page.getByText("CTF ended").first()).toBeVisible();
  await expect(mark).toHaveAccessibleName(/^Rising tide: solved, [^,]* UTC$/);
  await expect(row.getByRole("cell").first()).toHaveText("2");
  const first = rows.filter({ hasText: "Delta" });
  await expect(first.getByRole("img", { name: /^Rising tide: first blood/ })).toBeVisible();
});
