// Every language on a phone: it is spoken, in its direction, and nothing is too wide.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tooWidePx } from "../support/sound.ts";
import { enter, expect, test } from "../support/test.ts";

const ICU = join(import.meta.dirname, "../../web/src/messages/icu");
const LANGUAGES = readdirSync(ICU).map((file) => {
  const texts = JSON.parse(readFileSync(join(ICU, file), "utf8"));
  return { code: file.replace(/\.json$/, ""), texts };
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
