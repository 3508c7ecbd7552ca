// The site over plain HTTP on a name other than localhost: broken features are reported.

import config from "../playwright.config.ts";
import { logIn } from "../support/player.ts";
import { expect, test } from "../support/test.ts";

const HOST = "ctf.example";
const launch = config.use?.launchOptions ?? {};

test.use({
  launchOptions: {
    ...launch,
    args: [...(launch.args ?? []), `--host-resolver-rules=MAP ${HOST} 127.0.0.1`],
  },
});

const ACCOUNT = { name: "Plain Sailors", email: "plain@example.org", password: "no lock on it" };

/** The browser's own warning about plain HTTP. */
const UNTRUSTED = /origin was untrustworthy/;

function elsewhere(url: string): string {
  return url.replace("127.0.0.1", HOST);
}

test("a browser that rejects the Secure cookie gets a message, and no login", async ({
  page,
  serve,
  complaints,
}) => {
  complaints.allow(UNTRUSTED);
  const program = await serve({ edit: (text) => text.replace('"altcha"', '"off"') });
  await program.importTeams([{ ...ACCOUNT, country: "FR" }]);
  await page.goto(`${elsewhere(program.url)}/login`);
  await page.getByRole("textbox", { name: "Team", exact: true }).fill(ACCOUNT.name);
  await page.getByLabel("Password", { exact: true }).fill(ACCOUNT.password);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByRole("alert")).toHaveText(
    "Your browser rejected the session cookie. Open the site over https:// and log in again.",
  );
  await expect(page.getByRole("link", { name: "Signup", exact: true })).toBeVisible();
  expect(await page.context().cookies()).toEqual([]);
  // The scoreboard needs no cookie.
  await page.getByRole("link", { name: "Scoreboard", exact: true }).click();
  const row = page.getByRole("table", { name: "Scoreboard", exact: true }).getByRole("row");
  await expect(row.filter({ hasText: ACCOUNT.name })).toBeVisible();
});

test("the embedded captcha reports that it needs HTTPS", async ({ page, program, complaints }) => {
  complaints.allow(UNTRUSTED);
  await page.goto(`${elsewhere(program.url)}/login`);
  await expect(page.getByText("Secure context (HTTPS) required.")).toBeVisible();
});

test("on localhost plain HTTP is enough", async ({ page, program }) => {
  await program.importTeams([{ ...ACCOUNT, country: "FR" }]);
  await page.goto("/");
  await logIn(page, ACCOUNT);
  await expect(page.getByRole("link", { name: "Logout" })).toBeVisible();
});
