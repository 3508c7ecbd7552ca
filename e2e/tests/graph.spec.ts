// A team's score graph is read by keys and by pointing.

import { enter, expect, newTeam, test } from "../support/test.ts";

test("the graph says the score of any moment", async ({ page, serve }) => {
  const program = await serve({});
  const team = await newTeam(program, "Readers of Graphs");
  await enter(page, program, team);
  await program.solve(team.token, "welcome", "flag{w3lc0me_ab0ard}");
  await page.goto(`${program.url}/team/${encodeURIComponent(team.name)}`);
  const slider = page.getByRole("slider", { name: "Moment" });
  await expect(slider).toHaveAttribute("aria-valuetext", /: 100$/);
  await slider.focus();
  await page.keyboard.press("Home");
  await expect(slider).toHaveAttribute("aria-valuetext", /: 0$/);
  await page.keyboard.press("End");
  await expect(slider).toHaveAttribute("aria-valuetext", /: 100$/);
  const plot = page.getByRole("img", { name: /^Score over time/ }).locator(".u-over");
  await plot.hover({ position: { x: 20, y: 40 } });
  await expect(slider).toHaveAttribute("aria-valuetext", /: 0$/);
  await page.getByRole("heading", { level: 1 }).hover();
  await expect(slider).toHaveAttribute("aria-valuetext", /: 100$/);
});
