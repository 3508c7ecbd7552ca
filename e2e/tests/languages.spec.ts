// Every language on a phone: translated, in its text direction, and not too wide.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tooWidePx } from "../support/page-checks.ts";
import { enter, expect, test } from "../support/test.ts";

const ICU = join(import.meta.dirname, "../../web/src/messages/icu");
const LANGUAGES = readdirSync(ICU).map((file) => {
  const texts = JSON.parse(readFileSync(join(ICU, file), "utf8"));
  return { code: file.replace(/\.json$/, ""), texts };
});

test("in Arabic, each date is isolated from the digits beside it", async ({ page, serve }) => {
  const program = await serve({});
  await program.command("action", "notice.post", "--title", "Lunch", "--text", "Now.");
  await page.goto(`${program.url}/rules`);
  await page.evaluate(() => localStorage.setItem("language", "ar"));
  await page.goto(`${program.url}/news`);
  const notice = page.getByRole("article", { name: "Lunch" });
  await expect(notice.locator("bdi > time")).toHaveText(/^\u2068.*\d.*\u2069$/);
  await page.goto(`${program.url}/`);
  await expect(page.getByRole("main").locator("p > bdi").first()).toBeVisible();
});

test("each language renders its pages on a phone, from its own side", async ({
  page,
  program,
  team,
}) => {
  test.slow();
  await enter(page, program, team);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/rules");
  const html = page.locator("html");
  for (const { code, texts } of LANGUAGES) {
    await page.evaluate((language) => localStorage.setItem("language", language), code);
    const pages = [
      ["/", texts.home.play],
      ["/scoreboard", texts.stage.open],
      ["/challenge?open=welcome", texts.challenges.submit],
    ];
    for (const [path, known] of pages) {
      await page.goto(path);
      await expect(page.getByText(known, { exact: true })).toBeVisible();
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      await expect(html).toHaveAttribute("lang", code);
      await expect(html).toHaveAttribute("dir", code === "ar" ? "rtl" : "ltr");
      expect.soft(await tooWidePx(page), `${code} ${path}`).toBeLessThanOrEqual(0);
    }
  }
});
