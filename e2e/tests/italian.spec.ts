// The site for a browser that prefers Italian, whose words are longer: Italian, and not too wide.

import { tooWidePx } from "../support/sound.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

test.use({ locale: "it-IT" });

const PATHS = ["/", "/scoreboard", "/challenge", "/rules", "/confirm", "/reset", "/none"];

test("a browser that prefers Italian is spoken to in Italian, at every width", async ({
  page,
  program,
}) => {
  test.slow();
  const visit = async (path: string) => {
    await page.goto(path);
    await expect(page.getByRole("link", { name: "Classifica", exact: true })).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", "it");
    for (const width of [1440, 390, 360]) {
      await page.setViewportSize({ width, height: 844 });
      expect.soft(await tooWidePx(page), `${path} at ${width}`).toBeLessThanOrEqual(0);
    }
    await page.screenshot({ path: `test-results/pictures/it${path.replace("/", "-")}-360.png` });
  };
  for (const path of ["/login", "/signup"]) await visit(path);
  await expect(page.getByRole("button", { name: "Iscriviti" })).toBeVisible();
  await enter(page, program, await newTeam(program, "Gatti del Porto"));
  for (const path of PATHS) await visit(path);
});
