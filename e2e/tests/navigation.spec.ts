// The navigation bar, the page title, and the login cookie.

import type { Locator, Page } from "@playwright/test";
import { expectSound } from "../support/page-checks.ts";
import { logIn } from "../support/player.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

const HOURS_48_S = 48 * 3600;

function bar(page: Page) {
  return page.getByRole("navigation", { name: "Main" });
}

test("a visitor is offered the pages, Login and Signup; the current one is marked", async ({
  page,
}) => {
  await page.goto("/");
  await expect(page).toHaveTitle("Harbour Test CTF");
  const links = bar(page).getByRole("link");
  const names = ["Harbour Test CTF", "Scoreboard", "Challenges", "Rules", "Login", "Signup"];
  await expect(links).toHaveText(names);
  const current = bar(page).locator('a[aria-current="page"]');
  for (const name of ["Scoreboard", "Rules", "Login", "Signup"]) {
    await bar(page).getByRole("link", { name, exact: true }).click();
    await expect(current).toHaveText([name]);
    await expect(page).toHaveURL(new RegExp(`/${name.toLowerCase()}$`));
    // The mark of the current page is also visible.
    const line = (one: Locator) => one.evaluate((link) => getComputedStyle(link).borderBottomColor);
    const others = bar(page).locator('li a:not([aria-current="page"])');
    expect(await line(current)).not.toBe(await line(others.first()));
  }
});

test("a team is offered the pages and Logout only, which logs out and leads to /login", async ({
  page,
  program,
  team,
}) => {
  await page.goto("/challenge");
  await expect(page.getByRole("article")).toHaveCount(4);
  await expect(bar(page).locator('a[aria-current="page"]')).toHaveText(["Challenges"]);
  const names = ["Harbour Test CTF", "Scoreboard", "Challenges", "Rules", "Logout"];
  await expect(bar(page).getByRole("link").filter({ hasNotText: team.name })).toHaveText(names);
  const logout = bar(page).getByRole("link", { name: "Logout" });
  await expect(logout).toHaveAttribute("href", "/login");
  const told = page.waitForResponse("**/api/logout");
  await logout.click();
  await expect(page).toHaveURL(`${program.url}/login`);
  await expect(bar(page).getByRole("link", { name: "Signup" })).toBeVisible();
  expect((await told).status()).toBe(200);
  expect(await page.context().cookies()).toEqual([]);
  expect((await program.call(team.token, "GET", "/challenge")).status).toBe(401);
  // The list is not shown after the logout: another visit asks for a login.
  await bar(page).getByRole("link", { name: "Challenges" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Login" })).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(0);
});

test("the team's name opens the menu: account and settings; it closes on a click outside", async ({
  page,
  program,
  team,
}) => {
  await program.solve(team.token, "welcome", "flag{w3lc0me_ab0ard}");
  await page.goto("/rules");
  const button = bar(page).getByRole("button", { name: team.name });
  await expect(button).toHaveAccessibleName(/\d+\w\w of [\d,]+, 100 points/);
  await button.click();
  const menu = bar(page).getByRole("group", { name: "Preferences" });
  for (const name of ["Language", "Theme", "Time zone"]) {
    await expect(menu.getByRole("combobox", { name })).toBeVisible();
  }
  const publicPage = menu.getByRole("link", { name: "View public team page" });
  await expect(publicPage).toHaveAttribute("href", `/team/${encodeURIComponent(team.name)}`);
  await expectSound(page, "menu");
  await page.mouse.click(20, 700);
  await expect(menu).toBeHidden();
  await button.click();
  await menu.getByRole("link", { name: "Your team" }).click();
  await expect(page).toHaveURL(/\/account$/);
  await expect(menu).toBeHidden();
});

test("without notices, News is in the footer and in the menu of visitors and teams", async ({
  page,
  program,
  team,
}) => {
  await page.context().clearCookies();
  const corner = async (one: Locator) => {
    const { x = 0, width = 0 } = (await one.boundingBox()) ?? {};
    return x + width;
  };
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`${program.url}/rules`);
    await page.getByRole("contentinfo").getByRole("link", { name: "News" }).click();
    await expect(page.getByText(/^No notices yet\./)).toBeVisible();
    await page.goto("/rules");
    const preferences = bar(page).getByRole("button", { name: "Preferences" });
    const edge = await corner(preferences);
    await preferences.click();
    await page
      .getByRole("group", { name: "Preferences" })
      .getByRole("link", { name: "News" })
      .click();
    await expect(page).toHaveURL(/\/news$/);
    // The corner has the menu for teams too, so that nobody logs out by mistake.
    await enter(page, program, team);
    await page.goto("/rules");
    const button = bar(page).getByRole("button", { name: team.name });
    await expect.poll(() => corner(button)).toBeCloseTo(edge, -1);
    const logout = bar(page).getByRole("link", { name: "Logout" });
    await expect(logout).toHaveText("Logout");
    expect(await corner(logout)).toBeLessThan(edge - 60);
    await page.context().clearCookies();
  }
});

const LONG_NAME =
  "The Annual Harbour Night Watch Capture the Flag Championship of All Seven Seas 2027";

test("the bar has one row at every width, and stays in view; phones have tabs below", async ({
  page,
  serve,
}) => {
  const program = await serve({
    edit: (text) => text.replace("Harbour Test CTF", LONG_NAME),
  });
  await enter(page, program, await newTeam(program, "W".repeat(25)));
  await page.goto(`${program.url}/rules`);
  await expect(page.getByRole("listitem").first()).toBeVisible();
  const boxOf = async (one: Locator) => {
    const box = await one.boundingBox();
    return box ?? { x: 0, y: 0, width: 0, height: 0 };
  };
  for (const width of [320, 390, 768, 1024, 1440, 2560]) {
    await page.setViewportSize({ width, height: 640 });
    const header = page.getByRole("banner");
    expect((await boxOf(header)).height, `${width} px`).toBeLessThanOrEqual(53);
    expect((await boxOf(bar(page))).width).toBeLessThanOrEqual(2400);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expect.poll(async () => (await boxOf(header)).y).toBe(0);
    for (const name of ["Scoreboard", "Challenges", "Rules", "Logout"]) {
      await expect(bar(page).getByRole("link", { name })).toBeInViewport({ ratio: 1 });
    }
  }
  await page.setViewportSize({ width: 390, height: 844 });
  const tab = await boxOf(bar(page).getByRole("link", { name: "Scoreboard" }));
  expect(tab.y + tab.height).toBeGreaterThan(844 - 12);
  expect(tab.height).toBeGreaterThanOrEqual(44);
  // The end of the page is above the tabs.
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  const footer = await boxOf(page.getByRole("contentinfo"));
  expect(footer.y + footer.height).toBeLessThanOrEqual(tab.y);
  await bar(page).getByRole("button", { name: "More" }).click();
  await expect(page.getByRole("combobox", { name: "Language" })).toBeInViewport({ ratio: 1 });
  await page.getByRole("link", { name: "Your team" }).click();
  await expect(page).toHaveURL(/\/account$/);
});

test("without an event name the built-in title is used", async ({ page }) => {
  await page.route("**/api/ctf", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), name: null } });
  });
  await page.goto("/rules");
  await expect(page.getByRole("listitem").first()).toBeVisible();
  await expect(page).toHaveTitle("Rules · Flagship CTF");
  await expect(bar(page).getByRole("link").first()).toHaveText("Flagship CTF");
});

test("a login keeps the cookie apitoken for 48 hours, strict and secure", async ({
  page,
  program,
}) => {
  const account = { name: "Cookie Bakers", email: "bakers@example.org", password: "flour water" };
  await program.importTeams([{ ...account, country: "FR" }]);
  const before = Date.now() / 1000;
  await logIn(page, account);
  await expect(page).toHaveURL(`${program.url}/`);
  await expect(bar(page).getByRole("link", { name: "Logout" })).toBeVisible();
  const cookies = await page.context().cookies();
  expect(cookies).toMatchObject([{ name: "apitoken", sameSite: "Strict", secure: true }]);
  expect(cookies[0]?.value).toMatch(/^fsp_[\w-]{43}$/);
  const lives = (cookies[0]?.expires ?? 0) - before;
  expect(lives).toBeGreaterThan(HOURS_48_S - 60);
  expect(lives).toBeLessThan(HOURS_48_S + 60);
  await page.reload();
  await expect(bar(page).getByRole("link", { name: "Logout" })).toBeVisible();
});

test("a foreign eyJ cookie is not a token: not sent, and no login", async ({ page, program }) => {
  const cookie = { name: "apitoken", value: "eyJhbGciOiJIUzI1NiJ9.e30.x", url: program.url };
  await page.context().addCookies([{ ...cookie, secure: true, sameSite: "Strict" }]);
  const asked = page.waitForRequest("**/api/ctf");
  await page.goto("/challenge");
  await expect(page).toHaveURL(`${program.url}/login?to=%2Fchallenge`);
  expect((await asked).headers()["x-api-key"]).toBe("");
  await expect(bar(page).getByRole("link", { name: "Login" })).toBeVisible();
});

test("a token that the server does not know is dropped", async ({ page, program }) => {
  const cookie = { name: "apitoken", value: `fsp_${"x".repeat(43)}`, url: program.url };
  await page.context().addCookies([{ ...cookie, secure: true, sameSite: "Strict" }]);
  await page.goto("/challenge");
  await expect(page).toHaveURL(`${program.url}/login?to=%2Fchallenge`);
  expect(await page.context().cookies()).toEqual([]);
});

test("cookies that another host of the domain planted neither log in nor hide a login", async ({
  program,
  visitor,
}) => {
  // Chromium resolves .localhost names locally, and accepts their Secure cookies.
  const site = program.url.replace("127.0.0.1", "ctf.ev.localhost");
  const page = await visitor(site);
  const { token: value } = await newTeam(program);
  const cookie = { name: "apitoken", value, domain: ".ev.localhost", secure: true };
  const plant = (path: string) =>
    page.context().addCookies([{ ...cookie, path, sameSite: "Strict" }]);
  const sentTokenAt = async (path: string) => {
    const asked = page.waitForRequest("**/api/ctf");
    await page.goto(path);
    return (await asked).headers()["x-api-key"];
  };
  await plant("/");
  await plant("/challenge");
  expect(await page.context().cookies(`${site}/challenge`)).toHaveLength(2);
  expect(await sentTokenAt("/challenge")).toBe("");
  await expect(page).toHaveURL(`${site}/login?to=%2Fchallenge`);
  await expect(bar(page).getByRole("link", { name: "Signup" })).toBeVisible();

  const account = { name: "Hosts Alone", email: "alone@example.org", password: "no siblings" };
  await program.importTeams([{ ...account, country: "FR" }]);
  await logIn(page, account);
  await expect(page).toHaveURL(`${site}/`);
  const ownName = bar(page).getByText(account.name, { exact: true });
  await expect(ownName).toBeVisible();
  // The planted cookie at `/` is first older than the site's own, then newer.
  for (const path of ["/challenge", "/rules", "/challenge"]) {
    const sent = await sentTokenAt(path);
    expect(sent).toMatch(/^fsp_[\w-]{43}$/);
    expect(sent).not.toBe(value);
    await expect(ownName).toBeVisible();
    await page.context().clearCookies({ domain: ".ev.localhost", path: "/" });
    await plant("/");
  }
  await bar(page).getByRole("link", { name: "Logout" }).click();
  await expect(page).toHaveURL(`${site}/login`);
  await expect(bar(page).getByRole("link", { name: "Signup" })).toBeVisible();
  expect(await sentTokenAt("/challenge")).toBe("");
});

test("the previous page stays while the next one's code loads; going back cancels it", async ({
  page,
}) => {
  const title = (name: string) => page.getByRole("heading", { level: 1, name, exact: true });
  await page.clock.install();
  await page.goto("/");
  await expect(title("Harbour Test CTF")).toBeVisible();
  let free = () => {};
  const held = new Promise<void>((resolve) => {
    free = resolve;
  });
  await page.route("**/static/js/**", async (route) => {
    await held;
    await route.continue();
  });
  await bar(page).getByRole("link", { name: "Rules" }).click();
  await expect(page).toHaveURL(/\/rules$/);
  await expect(title("Harbour Test CTF")).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/$/);
  // The time exceeds the loading delay: nothing else replaces this page.
  await page.clock.runFor(1500);
  await expect(title("Harbour Test CTF")).toBeVisible();
  await expect(page.getByRole("status", { name: "Loading page…" })).toHaveCount(0);
  await page.goForward();
  await page.clock.runFor(1500);
  await expect(page.getByRole("status", { name: "Loading page…" })).toBeVisible();
  free();
  await expect(title("Rules")).toBeVisible();
});

test("the skip link leads to the page and keeps an emailed token in the URL", async ({ page }) => {
  await page.goto("/confirm#a-token");
  await expect(page.getByRole("button", { name: /Confirm/ })).toBeVisible();
  // The page's only button has the initial focus.
  await expect(page.getByRole("button", { name: /Confirm/ })).toBeFocused();
  await page.getByRole("link", { name: "Skip to content" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await expect(page).toHaveURL(/\/confirm#a-token$/);
  await expect(page.getByRole("button", { name: /Confirm/ })).toBeVisible();
});

test("a click on a link to the current page scrolls to its top", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 300 });
  await page.goto("/rules");
  await expect(page.getByRole("listitem").first()).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  await bar(page).getByRole("link", { name: "Rules" }).click();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  expect(await page.evaluate(() => window.history.length)).toBe(2);
});
