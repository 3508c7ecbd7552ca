// In the freeze a team sees its own later solves and nobody else's; the reveal shows them all.

import { card, expectLive } from "../support/player.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

test("after the freeze the own solve is seen by its team alone", async ({
  page,
  serve,
  visitor,
}) => {
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
  await expect(card(page, "Welcome aboard")).toContainText("1 solve");
  const score = (one: typeof page, name: string) =>
    one
      .getByRole("table", { name: /^Scoreboard/ })
      .getByRole("row")
      .filter({ has: one.getByText(name, { exact: true }) })
      .getByRole("cell")
      .nth(2);
  await expect(score(page, "Mine")).toHaveText("100");

  // The other's own solve has come back to it: what was sent before has arrived too, or never will.
  await program.solve(other.token, "welcome", "flag{w3lc0me_ab0ard}");
  await expect(card(rival, "Welcome aboard")).toContainText("Solved");
  await expect(card(rival, "Welcome aboard")).toContainText("1 solve");
  await expect(score(rival, "Other")).toHaveText("100");
  await expect(score(rival, "Mine")).toHaveText("0");
  await expect(score(page, "Other")).toHaveText("0");
  await expect(score(stranger, "Mine")).toHaveText("0");
  await stranger.reload();
  await expect(score(stranger, "Mine")).toHaveText("0");
  await expect(stranger.getByRole("img", { name: /Welcome aboard/ })).toHaveCount(0);
});

test("after the end nothing is final before a manual reveal; then everything shows", async ({
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
    await expect(one.getByText("CTF ended")).toBeVisible();
  }
  for (const one of [page, projector, home]) {
    await expect(one.getByText(/still frozen/)).toBeVisible();
    await expect(one.getByText(/\bfinal\b/i)).toHaveCount(0);
  }
  await expect(home.getByRole("link", { name: "See the scoreboard" })).toBeVisible();
  const own = page.getByRole("row").filter({ hasText: "Mine" });
  await expect(own.getByRole("cell").first()).toHaveText("1*");
  await page.goto(`${program.url}/team/Mine`);
  await expect(page.getByText(/still frozen/)).toBeVisible();

  await program.command("reveal");
  await expect(home.getByRole("link", { name: "See the final scoreboard" })).toBeVisible();
  for (const one of [page, projector, home]) {
    await expect(one.getByText(/still frozen/)).toHaveCount(0);
  }
});

test("at the end an open board shows by itself what the freeze hid", async ({ page, serve }) => {
  const program = await serve({ when: { start: -60, freeze: -30, end: 12 } });
  const team = await newTeam(program, "Late Solvers");
  await program.solve(team.token, "welcome", "flag{w3lc0me_ab0ard}");
  await page.goto(`${program.url}/scoreboard`);
  await expect(page.getByText("CTF ended")).toBeVisible({ timeout: 25_000 });
  const row = page
    .getByRole("table", { name: /^Scoreboard/ })
    .getByRole("row")
    .filter({ hasText: "Late Solvers" });
  await expect(row.getByRole("cell").nth(2)).toHaveText("100");
});
