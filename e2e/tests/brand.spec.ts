// Two branded events: everything in `[site]` is shown, without console errors.

import type { Page } from "@playwright/test";
import { expectSound } from "../support/page-checks.ts";
import { card } from "../support/player.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

/** Expects that the image is loaded and rendered. */
async function isDrawn(page: Page, name: string): Promise<void> {
  const picture = page.getByRole("img", { name, exact: true });
  await expect(picture.first()).toBeVisible();
  await expect
    .poll(() => picture.first().evaluate((one: HTMLImageElement) => one.naturalWidth))
    .toBeGreaterThan(0);
}

const headingFont = (page: Page) =>
  page
    .getByRole("heading", { level: 1 })
    .first()
    .evaluate((heading) => getComputedStyle(heading).fontFamily);

test("two branded events show their colors, images, pages and sponsors", async ({
  serve,
  visitor,
}) => {
  const harbour = await serve({ event: "e2e/brands/harbour" });
  const page = await visitor(harbour.url);
  await page.goto("/");
  await isDrawn(page, "Harbour Nights CTF");
  await isDrawn(page, "Ropes and Sons");
  expect(await headingFont(page)).toMatch(/^"JetBrains Mono"/);
  await expect(page.getByText("The Bakery at the Pier")).toBeVisible();
  await expectSound(page, "brand-harbour-home");
  await page.getByRole("link", { name: "Prizes", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Prizes" })).toBeVisible();
  await expect(page.getByRole("main")).toContainText("Flags look like flag{...}");
  await expect(page).toHaveTitle("Prizes · Harbour Nights CTF");
  const footer = page.getByRole("navigation", { name: "More about the event" });
  await footer.getByRole("link", { name: "Code of conduct" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Code of conduct" })).toBeVisible();
  const statuses = ["/pages/prizes", "/pages/none", "/team/Nobody", "/robots.txt", "/favicon.ico"];
  const answers = statuses.map(async (path) => (await fetch(harbour.url + path)).status);
  expect(await Promise.all(answers)).toEqual([200, 404, 404, 200, 200]);

  await enter(page, harbour, await newTeam(harbour));
  await page.goto("/challenge");
  await card(page, "The torn chart").getByRole("button", { name: "The torn chart" }).click();
  await isDrawn(page, "A lighthouse with two red bands, its beam to the left");
  await expectSound(page, "brand-harbour-challenges");
  await page.goto("/scoreboard");
  await page.screenshot({ path: "test-results/pictures/brand-harbour-scoreboard.png" });

  const orchid = await serve({ event: "e2e/brands/orchid" });
  const other = await visitor(orchid.url);
  await other.goto("/");
  await expect(other.getByRole("link", { name: "How to find us" })).toBeVisible();
  expect(await headingFont(other)).toContain("Event's own");
  const hasFont = () => other.evaluate(() => document.fonts.check('700 1em "Event\'s own"'));
  await expect.poll(hasFont, "the event's font is loaded").toBe(true);
  await expectSound(other, "brand-orchid-home");
});
