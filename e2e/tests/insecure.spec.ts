// The site over plain http on a name that is not this machine's own: what cannot work is said.

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

/** The browser's own word about plain http. */
const UNTRUSTED = /origin was untrustworthy/;

function elsewhere(url: string): string {
  return url.replace("127.0.0.1", HOST);
}

test("a browser that refuses the Secure cookie is told about, and nobody is logged in", async ({
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
    "This browser did not keep the login: open the site over https and log in again.",
  );
  await expect(page.getByRole("link", { name: "Signup", exact: true })).toBeVisible();
  expect(await page.context().cookies()).toEqual([]);
  // The scoreboard needs no cookie.
  await page.getByRole("link", { name: "Scoreboard", exact: true }).click();
  const row = page.getByRole("table", { name: "Scoreboard", exact: true }).getByRole("row");
  await expect(row.filter({ hasText: ACCOUNT.name })).toBeVisible();
});

test("the embedded captcha says that it needs https", async ({ page, program, complaints }) => {
  complaints.allow(UNTRUSTED);
  await page.goto(`${elsewhere(program.url)}/login`);
  await expect(page.getByText("Secure context (HTTPS) required.")).toBeVisible();
});

test("on this machine's own name plain http is enough", async ({ page, program }) => {
  await program.importTeams([{ ...ACCOUNT, country: "FR" }]);
  await page.goto("/");
  await logIn(page, ACCOUNT);
  await expect(page.getByRole("link", { name: "Logout" })).toBeVisible();
});
