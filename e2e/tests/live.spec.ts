// A whole event with two browsers: one user plays, another watches.

import type { Locator } from "@playwright/test";
import { card, logIn, signUp, submitFlag } from "../support/player.ts";
import { expect, test } from "../support/test.ts";

/**
 * Maximum delay of a message of the live channel on a busy machine, below the interval in which
 * pages without the channel poll.
 */
const LIVE_MS_MAX = 4_000;

const PLAYER = {
  name: "Zephyr Sailors",
  email: "zephyr@example.org",
  password: "correct horse battery",
};
const RIVAL = {
  name: "Aardvark Divers",
  email: "aardvark@example.org",
  country: "IT",
  password: "another long password",
};

// The file needs its own program, so that no other team is between the two rows.
test.use({ own: "live" });

test("a correct flag moves the row on every open scoreboard within a second", async ({
  page,
  program,
  visitor: visit,
}) => {
  // Without points, rows are sorted by name, so the rival is above the player.
  await program.importTeams([RIVAL]);

  const visitor = await visit();
  await visitor.goto("/scoreboard");
  const rows = visitor.getByRole("row");
  const rivalRow = rows.filter({ hasText: RIVAL.name });
  const playerRow = rows.filter({ hasText: PLAYER.name });
  await expect(rivalRow).toBeVisible();
  await expect(playerRow).toHaveCount(0);
  await visitor.evaluate(() => Reflect.set(window, "loadedOnce", true));

  await signUp(page, PLAYER, "FR");
  const promise = "Team created, check your email for a verification link!";
  await expect(page.getByText(promise)).toBeVisible();
  await expect(playerRow).toHaveCount(0);

  const link = expect.poll(() => program.mailedLink(PLAYER.email, "confirm"));
  await link.toContain(`${program.url}/confirm#`);
  await page.goto((await program.mailedLink(PLAYER.email, "confirm")) ?? "no mail");
  await page.getByRole("button", { name: /confirm/i }).click();
  await expect(playerRow).toBeVisible();
  await expect(async () => {
    expect(await placeOf(rows, PLAYER.name)).toBe((await placeOf(rows, RIVAL.name)) + 1);
  }).toPass();

  await logIn(page, PLAYER);
  await expect(page).toHaveURL(`${program.url}/`);
  await page.getByRole("link", { name: "Press play to compete." }).click();
  const challenge = card(page, "Welcome aboard");
  await challenge.getByRole("button", { name: "Welcome aboard" }).click();

  await submitFlag(challenge, "flag{not_this_one}");
  await expect(challenge.getByPlaceholder("flag")).toHaveAttribute("aria-invalid", "true");
  await expect(challenge.getByRole("status")).toHaveText(/incorrect/i);

  // The browsers record both times.
  await visitor.evaluate(
    ([player, rival]) => {
      new MutationObserver((_, observer) => {
        const names = [...document.querySelectorAll("tbody th")].map((cell) => cell.textContent);
        if (names.indexOf(player) > names.indexOf(rival)) return;
        Reflect.set(window, "movedAt", Date.now());
        observer.disconnect();
      }).observe(document.body, { childList: true, subtree: true, characterData: true });
    },
    [PLAYER.name, RIVAL.name] as const,
  );
  const answer = page.waitForEvent("requestfinished", (one) => one.url().endsWith("/api/solve"));
  await submitFlag(challenge, "flag{w3lc0me_ab0ard}");
  const request = await answer;
  expect(await (await request.response())?.json()).toMatchObject({ correct: true });
  await visitor.waitForFunction(() => Reflect.has(window, "movedAt"));
  expect(await placeOf(rows, PLAYER.name)).toBe((await placeOf(rows, RIVAL.name)) - 1);
  const { startTime, responseEnd } = request.timing();
  const movedAt: number = await visitor.evaluate(() => Reflect.get(window, "movedAt"));
  const took = Math.round(movedAt - startTime - responseEnd);
  test.info().annotations.push({ type: "seen by the visitor after", description: `${took} ms` });
  console.log(`the visitor saw the row move ${took} ms after the answer`);
  expect(took).toBeLessThanOrEqual(LIVE_MS_MAX);

  await expect(playerRow).toContainText("100");
  await expect(challenge.getByPlaceholder("flag")).toHaveCount(0);
  expect(await visitor.evaluate(() => Reflect.get(window, "loadedOnce"))).toBe(true);
});

/** Index of the row with this name. */
async function placeOf(rows: Locator, name: string): Promise<number> {
  const texts = await rows.allTextContents();
  return texts.findIndex((text) => text.includes(name));
}
