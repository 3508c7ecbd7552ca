// Every route at the width of a desk and of a hand: nothing complains, nothing is inaccessible.

import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { watch } from "../support/page-watch.ts";
import { expect, test } from "../support/test.ts";

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

const ROUTES = [
  { name: "home", path: "/", lands: "/" },
  { name: "scoreboard", path: "/scoreboard", lands: "/scoreboard" },
  { name: "challenge", path: "/challenge", lands: "/login" },
  { name: "rules", path: "/rules", lands: "/rules" },
  { name: "login", path: "/login", lands: "/login" },
  { name: "signup", path: "/signup", lands: "/signup" },
  { name: "confirm", path: "/confirm", lands: "/confirm" },
  { name: "reset", path: "/reset", lands: "/reset" },
  { name: "unknown", path: "/no/such/page", lands: "/no/such/page" },
];

for (const size of SIZES) {
  for (const route of ROUTES) {
    test(`${route.path} is sound at ${size.width} px`, async ({ page, program }) => {
      await page.setViewportSize(size);
      const complaints = await watch(page);
      await page.goto(route.path);
      await expect(page).toHaveURL(program.url + route.lands);
      await expectSound(page, complaints, `${route.name}-${size.width}`);
    });
  }

  test(`a team's challenges are sound at ${size.width} px`, async ({ page, program }) => {
    const name = `Team of ${size.width}`;
    const email = `team${size.width}@example.org`;
    const tokens = await program.importTeams([{ name, email, country: "UN", password: "" }]);
    const cookie = { name: "apitoken", value: tokens.get(name) ?? "", url: program.url };
    await page.context().addCookies([{ ...cookie, secure: true, sameSite: "Strict" }]);
    await page.setViewportSize(size);
    const complaints = await watch(page);
    await page.goto("/challenge");
    await page.getByRole("button", { name: "Rising tide" }).click();
    await expect(page.getByPlaceholder("flag")).toBeVisible();
    await expect(page.getByText("Nobody sees this")).toHaveCount(0);
    await expectSound(page, complaints, `challenges-${size.width}`);
  });
}

async function expectSound(page: Page, complaints: string[], picture: string): Promise<void> {
  await expect(page.getByRole("main")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  // What still loads (a board, a captcha, fonts) arrives before the picture is taken.
  await page.waitForLoadState("load");
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  const captcha = page.getByRole("group", { name: "Captcha" });
  if ((await captcha.count()) > 0) {
    await expect(captcha.getByRole("checkbox")).toBeVisible();
  }
  await page.evaluate(() => document.fonts.ready.then(() => true));
  const wider = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  await page.screenshot({ path: `test-results/pictures/${picture}.png`, fullPage: true });
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map((violation) => ({
    rule: violation.id,
    where: violation.nodes.map((node) => node.target.join(" ")),
  }));
  expect(found).toEqual([]);
  expect(complaints).toEqual([]);
  // A gutter kept free for the scrollbar makes it negative.
  expect(wider, "the page scrolls sideways").toBeLessThanOrEqual(0);
}
