// Practice after the end, and the reasons of changed scores since the last look.

import { expectSound } from "../support/page-checks.ts";
import { card, expectLive, submitFlag } from "../support/player.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

const withPractice = (text: string) => text.replace(/^\[event\]$/m, "[event]\npractice = true");

/** An event that ends soon after its team has signed up. */
const ENDING = { start: -60, freeze: -30, end: 10 };
const AFTER_END = { timeout: 20_000 };

test("a flag after the end is checked and changes no row", async ({ page, serve, visitor }) => {
  test.slow();
  const program = await serve({ edit: withPractice, when: ENDING });
  const team = await newTeam(program);
  await enter(page, program, team);
  await page.goto(`${program.url}/challenge?open=welcome`);
  const stranger = await visitor(program.url);
  await stranger.goto("/scoreboard");
  await expectLive(stranger);
  const welcome = card(page, "Welcome aboard");
  await expect(welcome.getByText("You can practice: flags no longer count.")).toBeVisible(
    AFTER_END,
  );
  await expectSound(page, "practice-offer");
  await submitFlag(welcome, "flag{wrong}");
  await expect(welcome.getByText(/Incorrect flag/)).toBeVisible();
  await submitFlag(welcome, "flag{w3lc0me_ab0ard}");
  await expect(welcome.getByText(/Solved after the end, at/)).toBeVisible();
  await expectSound(page, "practice-solve");
  await page.reload();
  await expect(welcome.getByRole("button", { name: /After the end/ })).toBeVisible();
  await expect(welcome.getByText("0 solves").first()).toBeVisible();
  for (const one of [page, stranger]) {
    const row = one.getByRole("row").filter({ hasText: team.name });
    await expect(row.getByRole("cell").nth(2)).toHaveText("0");
  }
});

test("without practice, flags are refused after the end", async ({ page, serve }) => {
  const program = await serve({ when: ENDING });
  const team = await newTeam(program);
  await enter(page, program, team);
  await page.goto(`${program.url}/challenge?open=welcome`);
  const welcome = card(page, "Welcome aboard");
  await expect(welcome.getByText("Flags are no longer accepted.")).toBeVisible(AFTER_END);
  await expect(welcome.getByPlaceholder("flag")).toHaveCount(0);
});

test("a changed score says what changed since the last look", async ({ page, serve }) => {
  const program = await serve({});
  const team = await newTeam(program);
  await enter(page, program, team);
  await page.goto(`${program.url}/scoreboard`);
  await expectLive(page);
  const score = page.getByRole("row").filter({ hasText: team.name }).getByRole("cell").nth(2);
  await expect(score).toHaveText("0");
  // The part that stores the view is fetched when the viewer first uses the page.
  await score.hover();
  await page.waitForLoadState("networkidle");
  await page.goto("about:blank");
  await program.solve(team.token, "welcome", "flag{w3lc0me_ab0ard}");
  await page.goto(`${program.url}/scoreboard`);
  await expect(score).toHaveText("100");
  await score.hover();
  const tip = page.getByRole("tooltip").filter({ hasText: "Since you last looked" });
  await expect(tip).toBeVisible();
  await expect(tip).toContainText("+100");
  await expectSound(page, "since-tip");
  await page.getByRole("row").getByRole("link", { name: team.name }).click();
  const section = page.getByRole("region", { name: /^Since you last looked/ });
  await expect(section.getByRole("listitem")).toHaveText("+100Welcome aboard Solved");
  await expectSound(page, "since-team");
});
