// Large screens are used: pages of an event with 24 teams are at most 40 % empty.

import { EVENT, enter, open, openChallenges, play } from "../screenshots/event.ts";
import { emptyGround } from "../support/empty-ground.ts";
import { enrol, invite } from "../support/organizer.ts";
import { Program } from "../support/program.ts";
import { expect, test } from "../support/test.ts";

const EMPTY_MAX = 0.4;
const WINDOWS = [
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
] as const;

test("large windows are at most 40 % empty", async ({ page }) => {
  test.setTimeout(120_000);
  const program = await Program.start({ event: EVENT, when: "running" });
  const { ours } = await play(program, { isMixed: true });
  const [first] = openChallenges();
  const paths = {
    anonymous: ["/", "/scoreboard", "/scoreboard?view=stage"],
    team: ["/", "/challenge", `/challenge?open=${first?.id}`, "/scoreboard"],
  };
  const shares: Record<string, number> = {};
  for (const [viewer, list] of Object.entries(paths)) {
    if (viewer === "team") await enter(page, program, ours);
    for (const path of list) {
      await open(page, program, path);
      await expect(page.getByRole("status", { name: /^Loading/ })).toHaveCount(0);
      for (const size of WINDOWS) {
        await page.setViewportSize(size);
        await page.evaluate(() => new Promise(requestAnimationFrame));
        const share = await emptyGround(page);
        shares[`${viewer} ${path} ${size.width}`] = Math.round(share * 100);
        expect.soft(share, `${viewer} ${path} at ${size.width}`).toBeLessThanOrEqual(EMPTY_MAX);
      }
    }
  }
  await page.evaluate(() => document.body.replaceChildren());
  expect(await emptyGround(page), "a page without content").toBeGreaterThan(0.99);
  console.log(
    Object.entries(shares)
      .map(([page, share]) => `${page}: ${share} %`)
      .join("\n"),
  );
  await program.stop();
});

for (const when of ["not started", "running", "ended"] as const) {
  test(`the Overview of an event that is ${when} is at most 40 % empty`, async ({ page }) => {
    const program = await Program.start({ event: EVENT, when });
    const password = "salt & tar 7";
    await program.importTeams([
      { name: "Otters", email: "otters@example.org", country: "IT", password },
      { name: "Rooks", email: "rooks@example.org", country: "DE", password },
    ]);
    const { link } = await invite(program, "owner");
    await enrol(page, link);
    await expect(page.getByRole("heading", { name: "Needs attention" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Recent activity" })).toBeVisible();
    for (const size of WINDOWS) {
      await page.setViewportSize(size);
      await page.evaluate(() => new Promise(requestAnimationFrame));
      const share = await emptyGround(page);
      console.log(`Overview, ${when}, ${size.width}: ${Math.round(share * 100)} %`);
      expect.soft(share, `${when} at ${size.width}`).toBeLessThanOrEqual(EMPTY_MAX);
    }
    await program.stop();
  });
}
