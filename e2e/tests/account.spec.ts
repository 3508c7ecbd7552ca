// Signup, confirmation, login, captcha and password reset, from a user's perspective.

import type { Page, Request } from "@playwright/test";
import { type Account, card, logIn, signUp, signUpForm, solveCaptcha } from "../support/player.ts";
import { expect, test } from "../support/test.ts";

const CREATED = "Team created, check your email for a verification link!";
const UNCAPTCHAED = "Invalid captcha";
/** `Node.DOCUMENT_POSITION_PRECEDING`. */
const PRECEDING = 2;

let accounts = 0;

function newAccount(): Account {
  accounts += 1;
  const name = `Sailor ${process.pid}-${accounts}`;
  return { name, email: `sailor-${process.pid}-${accounts}@example.org`, password: "salt & tar 7" };
}

function link(page: Page, name: string) {
  return page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });
}

function alert(page: Page) {
  return page.getByRole("alert");
}

/** The captcha's error, below it. */
function unsolved(page: Page) {
  return alert(page).filter({ hasText: UNCAPTCHAED });
}

/** Collects the bodies of all further requests to a path. */
function bodies(page: Page, path: string): unknown[] {
  const sent: unknown[] = [];
  page.on("request", (request: Request) => {
    if (request.url().endsWith(`/api${path}`)) {
      sent.push(request.postDataJSON());
    }
  });
  return sent;
}

async function fillLogin(page: Page, account: Account): Promise<void> {
  await page.getByRole("textbox", { name: "Team", exact: true }).fill(account.name);
  await page.getByLabel("Password", { exact: true }).fill(account.password);
}

test("signup has its fields, with their types, and the captcha", async ({ page }) => {
  await page.goto("/signup");
  await expect(page.getByRole("textbox", { name: "Team name" })).toHaveAttribute("required");
  await expect(page.getByRole("textbox", { name: "Email" })).toHaveAttribute("type", "email");
  await expect(page.getByRole("combobox", { name: "Country" })).toBeVisible();
  const password = page.getByLabel("Password", { exact: true });
  await expect(password).toHaveAttribute("type", "password");
  const student = page.getByRole("checkbox", {
    name: "My team is fully composed of students. (optional)",
  });
  await expect(student).not.toBeChecked();
  await expect(page.getByRole("group", { name: "Captcha" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Signup" })).toBeEnabled();
});

test("a signup shows the next step, and does not log in", async ({ page, program }) => {
  const account = newAccount();
  const sent = bodies(page, "/signup");
  await page.goto("/signup");
  await signUpForm(page, account, "XK");
  await page.getByRole("checkbox", { name: /fully composed/ }).check();
  await solveCaptcha(page);
  await page.getByRole("button", { name: "Signup" }).click();
  await expect(page.getByRole("status").filter({ hasText: CREATED })).toBeVisible();
  await expect(alert(page).filter({ hasText: CREATED })).toHaveCount(0);
  const { name: teamName, email, password } = account;
  expect(sent).toMatchObject([{ teamName, email, password, country: "XK", studentTeam: true }]);
  await expect(link(page, "Login")).toBeVisible();
  expect(await page.context().cookies()).toEqual([]);
  await expect.poll(() => program.mailedLink(account.email, "confirm")).toContain(program.url);
});

test("without confirmation a signup says so, and the team logs in at once", async ({
  serve,
  visitor,
}) => {
  const program = await serve({
    edit: (text) => text.replace("confirm_email = true", "confirm_email = false"),
  });
  const page = await visitor(program.url);
  const account = newAccount();
  await signUp(page, account, "XK");
  const created = page.getByRole("status").filter({ hasText: "Team created" });
  await expect(created).toHaveText("Team created, you can log in now!");
  await expect(page.locator("body")).not.toContainText(/link|confirm/i);
  await expect(page.getByLabel("Password", { exact: true })).toBeFocused();
  await page.getByLabel("Password", { exact: true }).fill(account.password);
  await solveCaptcha(page);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(link(page, "Logout")).toBeVisible();
});

test("a short or long name and a short password are rejected before anything is sent", async ({
  page,
}) => {
  const sent = bodies(page, "/signup");
  await page.goto("/signup");
  await solveCaptcha(page);
  for (const name of ["ab", "x".repeat(26)]) {
    await signUpForm(page, { ...newAccount(), name }, "FR");
    await page.getByRole("button", { name: "Signup" }).click();
    const box = page.getByRole("textbox", { name: "Team name" });
    await expect(box).toHaveAttribute("aria-invalid", "true");
    await expect(box).toHaveAccessibleDescription(/3 to 25 characters/);
  }
  await signUpForm(page, { ...newAccount(), password: "12345" }, "FR");
  await page.getByRole("button", { name: "Signup" }).click();
  const password = page.getByLabel("Password", { exact: true });
  await expect(password).toHaveAttribute("aria-invalid", "true");
  await expect(password).toHaveAccessibleDescription(/at least 6 characters/i);
  await signUpForm(page, { ...newAccount(), email: "not an address" }, "FR");
  await page.getByRole("button", { name: "Signup" }).click();
  await expect(page.getByRole("textbox", { name: "Email" })).toBeFocused();
  expect(sent).toEqual([]);
});

test("without a captcha token neither form is sent: Invalid captcha", async ({
  page,
  complaints,
}) => {
  complaints.allow(/ERR_FAILED/);
  await page.route("**/api/captcha", (route) => route.abort());
  const logins = bodies(page, "/login");
  const signups = bodies(page, "/signup");
  await page.goto("/login");
  await fillLogin(page, newAccount());
  await page.getByRole("button", { name: "Login" }).click();
  await expect(unsolved(page)).toBeVisible();
  await link(page, "Signup").click();
  await expect(unsolved(page)).toHaveCount(0);
  await signUpForm(page, newAccount(), "FR");
  await page.getByRole("button", { name: "Signup" }).click();
  await expect(unsolved(page)).toBeVisible();
  expect([...logins, ...signups]).toEqual([]);
});

test("an invalid name and a missing captcha are reported at once, with the focus", async ({
  page,
}) => {
  const sent = bodies(page, "/signup");
  await page.goto("/signup");
  await expect(page.locator("altcha-widget").getByRole("checkbox")).toBeVisible();
  await signUpForm(page, { ...newAccount(), name: "ab" }, "FR");
  await page.getByRole("button", { name: "Signup" }).click();
  const name = page.getByRole("textbox", { name: "Team name" });
  await expect(name).toHaveAccessibleDescription(/3 to 25 characters/);
  await expect(name).toHaveAttribute("aria-invalid", "true");
  await expect(name).toBeFocused();
  await expect(unsolved(page)).toBeVisible();
  await name.fill("abc");
  await page.getByRole("button", { name: "Signup" }).click();
  await expect(name).not.toHaveAttribute("aria-invalid");
  await expect(unsolved(page)).toBeVisible();
  expect(sent).toEqual([]);
});

test("each error is below its field, in the page's words, until the next input", async ({
  page,
}) => {
  await page.goto("/signup");
  await expect(page.locator("altcha-widget").getByRole("checkbox")).toBeVisible();
  await page.getByRole("button", { name: "Signup" }).click();
  const name = page.getByRole("textbox", { name: "Team name" });
  const email = page.getByRole("textbox", { name: "Email" });
  const password = page.getByLabel("Password", { exact: true });
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription("Use 3 to 25 characters.");
  await expect(email).toHaveAccessibleDescription("Fill in this field.");
  await expect(password).toHaveAccessibleDescription("Use at least 6 characters.");
  // The captcha's error is the last one, and none is in a toast.
  await expect(unsolved(page)).toBeVisible();
  const order = await unsolved(page).evaluate((fault) =>
    fault.compareDocumentPosition(document.getElementsByName("password")[0] ?? fault),
  );
  expect(order & PRECEDING).toBe(PRECEDING);
  await expect(page.getByRole("button", { name: "Dismiss" })).toHaveCount(0);
  for (const [field, text] of [
    [name, "ab"],
    [email, "not an address"],
    [password, "short"],
  ] as const) {
    await field.fill(text);
    await expect(field).not.toHaveAttribute("aria-invalid");
  }
  await solveCaptcha(page);
  await expect(unsolved(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Signup" }).click();
  await expect(email).toHaveAccessibleDescription(/^Enter an email address/);
  await expect(name).toBeFocused();
  await name.fill("abc");
  await page.getByRole("button", { name: "Signup" }).click();
  await expect(name).not.toHaveAttribute("aria-invalid");
  await expect(email).toBeFocused();
});

test("a rejection by the server is gone with the next input", async ({ page, complaints }) => {
  complaints.allow(/status of 401/);
  await page.goto("/login");
  await fillLogin(page, newAccount());
  await solveCaptcha(page);
  await page.getByRole("button", { name: "Login" }).click();
  const toast = alert(page).filter({ has: page.getByRole("button", { name: "Dismiss" }) });
  await expect(toast).toBeVisible();
  await page.getByLabel("Password", { exact: true }).press("x");
  await expect(toast).toHaveCount(0);
});

test("a name rejected by the server shows the server's message", async ({ page, complaints }) => {
  complaints.allow(/status of 4\d\d/);
  // A reserved name, and one with an invisible space: the page checks only the length.
  for (const name of ["Organizer", "in\u200bvisible"]) {
    await page.goto("/signup");
    await signUpForm(page, { ...newAccount(), name }, "FR");
    await solveCaptcha(page);
    const answer = page.waitForResponse("**/api/signup");
    await page.getByRole("button", { name: "Signup" }).click();
    const { message } = await (await answer).json();
    expect((await answer).status()).toBeGreaterThanOrEqual(400);
    await expect(alert(page).filter({ hasText: message })).toHaveText(message);
    await expect(page.getByRole("textbox", { name: "Email" })).not.toHaveValue("");
  }
});

test("a rejected login shows the reason, stays logged out and needs another captcha", async ({
  page,
  program,
  complaints,
}) => {
  complaints.allow(/status of 401/);
  const account = newAccount();
  await program.importTeams([{ ...account, country: "UN" }]);
  const sent = bodies(page, "/login");
  await logIn(page, { ...account, password: "not this one" });
  await expect(alert(page).first()).not.toBeEmpty();
  await expect(link(page, "Login")).toBeVisible();
  expect(await page.context().cookies()).toEqual([]);
  await expect(page.locator("altcha-widget").getByText("Verified")).toHaveCount(0);
  expect(sent).toMatchObject([{ team: account.name, password: "not this one" }]);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(unsolved(page)).toBeVisible();
  expect(sent).toHaveLength(1);
  await page.getByLabel("Password", { exact: true }).fill(account.password);
  await solveCaptcha(page);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page).toHaveURL(`${program.url}/`);
  await expect(link(page, "Logout")).toBeVisible();
});

test("a login leads to the link's challenge, also after a logout in another tab", async ({
  page,
  program,
}) => {
  const account = newAccount();
  await program.importTeams([{ ...account, country: "UN" }]);
  const logInHere = async () => {
    await expect(page).toHaveURL(`${program.url}/login?to=%2Fchallenge%3Fopen%3Dwelcome`);
    await fillLogin(page, account);
    await solveCaptcha(page);
    await page.getByRole("button", { name: "Login" }).click();
    await expect(page).toHaveURL(`${program.url}/challenge?open=welcome`);
  };
  const word = page.getByRole("status").filter({ hasText: /session has ended/ });
  await page.goto("/challenge?open=welcome");
  await logInHere();
  await expect(word).toHaveCount(0);
  const flag = card(page, "Welcome aboard").getByPlaceholder("flag");
  await flag.fill("flag{w3lc0me_ab0ard");

  const other = await page.context().newPage();
  await other.goto("/rules");
  await link(other, "Logout").click();
  await expect(word).toContainText("in another tab");
  await logInHere();
  await expect(word).toHaveCount(0);
  await expect(flag).toHaveValue("flag{w3lc0me_ab0ard");
  await flag.press("End");
  await flag.pressSequentially("}");
  await flag.press("Enter");
  await expect(card(page, "Welcome aboard")).toContainText("Solved");
  // URLs of other sites are ignored.
  await page.goto("/login?to=//example.org/");
  await expect(page).toHaveURL(`${program.url}/`);
});

test("a duplicate name is rejected by the server and stays logged out", async ({
  page,
  program,
  complaints,
}) => {
  complaints.allow(/status of 409/);
  const account = newAccount();
  await program.importTeams([{ ...account, country: "UN" }]);
  await signUp(page, { ...account, email: `other-${account.email}` }, "FR");
  await expect(alert(page)).toContainText(/taken|name/i);
  await expect(link(page, "Login")).toBeVisible();
  await expect(page.locator("altcha-widget").getByText("Verified")).toHaveCount(0);
});

test("a logged-in team is redirected home from login and signup", async ({
  page,
  program,
  team,
}) => {
  for (const path of ["/login", "/signup"]) {
    await page.goto(path);
    await expect(page).toHaveURL(`${program.url}/`);
    await expect(page.getByText(team.name).first()).toBeVisible();
  }
});

test("an unconfirmed team can request another email, whose link logs in", async ({
  page,
  program,
  complaints,
}) => {
  complaints.allow(/status of 403/);
  const account = newAccount();
  const typo = `typo-${account.email}`;
  await page.goto("/challenge?open=welcome");
  await page.getByRole("link", { name: /No team yet/ }).click();
  await signUpForm(page, { ...account, email: typo }, "FR");
  await solveCaptcha(page);
  await page.getByRole("button", { name: "Signup" }).click();
  await expect(page.getByText(CREATED)).toBeVisible();
  const main = page.getByRole("main");
  await expect(main).toContainText(`We sent a link to ${typo}.`);
  await main.getByRole("button", { name: "Use a different email address" }).click();
  await main.getByRole("textbox", { name: "Email" }).fill(account.email);
  await solveCaptcha(page);
  await main.getByRole("button", { name: "Send link" }).click();
  await expect(main).toContainText(`We sent a link to ${account.email}.`);
  await expect.poll(() => program.mailedLink(account.email, "confirm")).toContain(program.url);
  await logIn(page, account);
  await expect(alert(page)).toContainText(/confirm/i);
  await page.getByRole("link", { name: /confirmation email/i }).click();
  await expect(alert(page).filter({ hasText: /./ })).toHaveCount(0);
  await page.getByRole("textbox", { name: "Email" }).fill(account.email);
  await page.getByRole("button", { name: /resend email/i }).click();
  await expect(page.getByRole("status").filter({ hasText: /link/i })).toBeVisible();
  const mails = () => program.mailedLinks(account.email, "confirm");
  await expect.poll(async () => (await mails()).length).toBe(2);
  await page.goto((await mails()).at(-1) ?? "no mail");
  // Opening the link does not confirm the address, because mail scanners open links.
  await expect(page.getByRole("link", { name: "Login", exact: true })).toHaveCount(1);
  await page.getByRole("button", { name: /confirm/i }).click();
  const password = page.getByLabel("Password", { exact: true });
  await expect(password).toBeFocused();
  await expect(page.getByRole("textbox", { name: "Team", exact: true })).toHaveValue(account.name);
  await password.fill(account.password);
  await solveCaptcha(page);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page).toHaveURL(`${program.url}/challenge?open=welcome`);
});

test("an emailed link sets a new password and ends the old sessions", async ({
  page,
  program,
  complaints,
}) => {
  const account = newAccount();
  const tokens = await program.importTeams([{ ...account, country: "FR" }]);
  await page.goto("/login");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.getByRole("textbox", { name: "Email" }).fill(account.email);
  await page.getByRole("button", { name: /reset link/i }).click();
  await expect.poll(() => program.mailedLink(account.email, "reset")).toContain("/reset#");
  await page.goto((await program.mailedLink(account.email, "reset")) ?? "no mail");
  await page.getByLabel("New password").fill("12345");
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByLabel("New password")).toHaveAttribute("aria-invalid", "true");
  const password = "a new tide comes in";
  await page.getByLabel("New password").fill(password);
  const answer = page.waitForResponse("**/api/reset");
  await page.getByRole("button", { name: "Set password" }).click();
  const { message } = await (await answer).json();
  await expect(page.getByRole("status").filter({ hasText: message })).toBeVisible();
  const old = tokens.get(account.name) ?? "";
  expect((await program.call(old, "GET", "/challenge")).status).toBe(401);
  await logIn(page, { ...account, password });
  await expect(link(page, "Logout")).toBeVisible();
  complaints.allow(/status of 4\d\d/);
  await page.goto("/rules");
  await page.goto((await program.mailedLink(account.email, "reset")) ?? "no mail");
  await page.getByLabel("New password").fill("once more with it");
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(alert(page).filter({ hasText: /link|token|expired|used/i })).toBeVisible();
});
