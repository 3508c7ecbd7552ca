// Valid HTML: the DOM of every route, and index.html.

import { htmlFaults, pageFaults } from "../support/html.ts";
import { card } from "../support/player.ts";
import { expect, test } from "../support/test.ts";

// The file needs its own program: the projector view shows the team on its first page.
test.use({ own: "html" });

const ROUTES = ["/", "/scoreboard", "/rules", "/login", "/signup", "/confirm", "/reset", "/none"];

test("index.html is valid", async ({ request }) => {
  const answer = await request.get("/");
  expect(await htmlFaults(await answer.text())).toEqual([]);
});

for (const path of ROUTES) {
  test(`${path} is valid HTML`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    await page.waitForLoadState("load");
    expect(await pageFaults(page)).toEqual([]);
  });
}

test("boards and challenges of a team are valid HTML", async ({ page, program }) => {
  const name = "Plain Markup";
  const team = { name, email: "markup@example.org", country: "UN", password: "" };
  const tokens = await program.importTeams([team]);
  const cookie = { name: "apitoken", value: tokens.get(name) ?? "", url: program.url };
  await page.context().addCookies([{ ...cookie, secure: true, sameSite: "Strict" }]);
  await page.goto("/challenge");
  await card(page, "Rising tide").getByRole("button", { name: "Rising tide" }).click();
  await expect(page.getByPlaceholder("flag")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: name })).toBeVisible();
  expect(await pageFaults(page)).toEqual([]);
  for (const path of ["/scoreboard", "/scoreboard?view=stage", `/team/${name}`]) {
    await page.goto(path);
    await expect(page.getByText(name).first()).toBeVisible();
    expect(await pageFaults(page), path).toEqual([]);
  }
});
