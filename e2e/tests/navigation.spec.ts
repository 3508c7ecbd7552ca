// The navigation bar, the page's title, and the cookie that says who is looking.

import type { Locator, Page } from "@playwright/test";
import { logIn } from "../support/player.ts";
import { expect, newTeam, test } from "../support/test.ts";

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
    // The mark is seen, too.
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
  // The list went with the login: another visit asks for a login again.
  await bar(page).getByRole("link", { name: "Challenges" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Login" })).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(0);
});

test("without a name from the event the built-in title stands", async ({ page }) => {
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

test("a foreign eyJ cookie is no token: not sent, and no login", async ({ page, program }) => {
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
  // Chromium finds names in .localhost on this machine, and keeps Secure cookies of them.
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
  // First the planted cookie at `/` is older than the site's own one, then it is newer.
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

test("the page before stays while the next one's code comes; going back ends the wait", async ({
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
  // Longer than a page is waited for: nothing else takes this one's place.
  await page.clock.runFor(1500);
  await expect(title("Harbour Test CTF")).toBeVisible();
  await expect(page.getByRole("status", { name: "Loading the page" })).toHaveCount(0);
  await page.goForward();
  await page.clock.runFor(1500);
  await expect(page.getByRole("status", { name: "Loading the page" })).toBeVisible();
  free();
  await expect(title("Rules")).toBeVisible();
});

test("the skip link leads to the page and leaves a mailed token where it is", async ({ page }) => {
  await page.goto("/confirm#a-token");
  await expect(page.getByRole("button", { name: /Confirm/ })).toBeVisible();
  // The page's one button has the focus at first.
  await expect(page.getByRole("button", { name: /Confirm/ })).toBeFocused();
  await page.getByRole("link", { name: "Skip to content" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await expect(page).toHaveURL(/\/confirm#a-token$/);
  await expect(page.getByRole("button", { name: /Confirm/ })).toBeVisible();
});

test("a click on a link to the page that is shown leads to its top", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 300 });
  await page.goto("/rules");
  await expect(page.getByRole("listitem").first()).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  await bar(page).getByRole("link", { name: "Rules" }).click();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  expect(await page.evaluate(() => window.history.length)).toBe(2);
});
