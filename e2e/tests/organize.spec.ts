// Organizers: invitation, two-factor authentication, account and cross-site protection.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { code } from "../support/code.mjs";
import { enrol, fillSignIn, invite } from "../support/organizer.ts";
import { expect, test } from "../support/test.ts";

test("an invitation leads to an account, and its link works once", async ({
  page,
  serve,
  complaints,
}) => {
  complaints.allow(/status of 4\d\d/);
  const program = await serve({ edit: (text) => text.replace('"altcha"', '"off"') });
  const { name, link } = await invite(program, "owner");
  const { secret, codes } = await enrol(page, link);
  const account = page.getByRole("link", { name: `Account: ${name}` });
  await account.click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await page.getByText(/^Your permissions/).click();
  await expect(page.getByText("Add organizers")).toBeVisible();
  // Permissions are shown as text, never as an action name.
  await expect(page.getByRole("listitem").filter({ hasText: /^[a-z]+\.[a-z_]+$/ })).toHaveCount(0);
  const cookies = await page.context().cookies();
  const isOurs = { httpOnly: true, secure: true, sameSite: "Strict", path: "/" };
  expect(cookies.find(({ name }) => name === "__Host-organizer")).toMatchObject(isOurs);
  await page.getByRole("button", { name: "Log out" }).click();
  await expect(page).toHaveURL(/\/organize\/sign-in$/);
  // The browser is still recognized after a logout.
  const left = await page.context().cookies();
  expect(left).toMatchObject([{ name: "__Host-organizer-device", ...isOurs }]);

  await page.goto("about:blank");
  await page.goto(link);
  await expect(page.getByText("This invitation has been used")).toBeVisible();
  expect(page.url()).not.toContain("#");

  await page.goto(`${program.url}/organize/sign-in`);
  await fillSignIn(page, name);
  await page.getByLabel("Six-digit code").fill("000000");
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText("The code is incorrect or has already been used.")).toBeVisible();
  // The device's clock can be one step ahead.
  await page.getByLabel("Six-digit code").fill(code(secret, 1));
  await page.getByRole("button", { name: "Confirm" }).click();
  await account.click();
  await expect(page.getByText("10 recovery codes left.")).toBeVisible();
  await page.getByRole("button", { name: "Log out" }).click();
  await fillSignIn(page, name);
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await page.getByLabel("Recovery code").fill((codes[0] ?? "").toUpperCase().replaceAll("-", " "));
  await page.getByRole("button", { name: "Confirm" }).click();
  await account.click();
  await expect(page.getByText("9 recovery codes left.")).toBeVisible();
});

test("a role with fewer permissions sees less", async ({ page, program, complaints }) => {
  complaints.allow(/status of 404/);
  const { link } = await invite(program, "observer");
  await invite(program, "owner");
  await enrol(page, link);
  await page.goto(`${program.url}/organize/account`);
  await expect(page.getByRole("button", { name: "Log out" })).toBeVisible();
  await page.getByText(/^Your permissions/).click();
  await expect(page.getByText("View teams")).toBeVisible();
  await expect(page.getByText("Add organizers")).toHaveCount(0);
  const status = await page.evaluate(async () => {
    return (await fetch("/api/organize/organizers")).status;
  });
  expect(status).toBe(404);
});

/** Serves a page of another site or port that tries all kinds of requests. */
async function attacker(): Promise<{ port: number; close: () => void }> {
  const server = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html").end("<!doctype html><title>evil</title>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

test("no other site can act through an organizer's browser", async ({
  page,
  program,
  complaints,
}) => {
  complaints.allow(/CORS policy|Failed to load resource|frame-ancestors/);
  const { link } = await invite(program, "owner");
  const victim = await invite(program, "owner");
  await enrol(page, link);
  const evil = await attacker();
  // Another site, and another port of the same site, to which the cookie is sent.
  for (const host of ["localhost", "127.0.0.1"]) {
    await page.goto(`http://${host}:${evil.port}/`);
    const statuses: number[] = [];
    page.on("response", (response) => {
      if (response.url().endsWith("/remove")) statuses.push(response.status());
    });
    await page.evaluate(
      async ({ url, name }) => {
        const body = JSON.stringify({ name });
        const remove = `${url}/api/organize/organizers/remove`;
        const credentials = "include";
        const attempts: RequestInit[] = [
          { method: "POST", mode: "no-cors", credentials, body },
          { method: "POST", credentials, body, headers: { "Content-Type": "application/json" } },
          { method: "POST", credentials, body, headers: { "X-Organize": "1" } },
        ];
        for (const attempt of attempts) await fetch(remove, attempt).catch(() => undefined);
        navigator.sendBeacon(remove, body);
        const frame = Object.assign(document.createElement("iframe"), { name: "hidden" });
        const form = document.createElement("form");
        Object.assign(form, { action: remove, method: "post", target: "hidden" });
        Object.assign(form, { enctype: "text/plain" });
        const field = Object.assign(document.createElement("input"), { name: body });
        form.append(field);
        document.body.append(frame, form);
        form.submit();
        await new Promise((resolve) => setTimeout(resolve, 500));
      },
      { url: program.url, name: victim.name },
    );
    const read = await page.evaluate(async (url) => {
      const me = await fetch(url, { credentials: "include" }).catch(() => null);
      return me === null ? "refused" : me.text();
    }, `${program.url}/api/organize/me`);
    expect(read).toBe("refused");
    // Requests without preflight arrive, and are rejected.
    expect([...new Set(statuses)]).toEqual([403]);
  }
  evil.close();
  expect(await program.command("organizer", "list")).toContain(victim.name);
});

/** Runs an action as the logged-in organizer; returns the response. */
async function action(page: Page, body: Record<string, string>): Promise<Record<string, unknown>> {
  return page.evaluate(async (body) => {
    const headers = { "Content-Type": "application/json", "X-Organize": "1" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await fetch("/api/organize/actions", init);
    return { status: answer.status, ...(await answer.json()) };
  }, body);
}

test("the previous address cancels a change, and a reset code sets a password", async ({
  page,
  browser,
  program,
}) => {
  const email = `desk${process.pid}@example.org`;
  const account = { name: `Desk ${process.pid}`, email, password: "low water at noon" };
  await program.importTeams([{ ...account, country: "FR" }]);
  const { link } = await invite(program, "organizer");
  await enrol(page, link);
  const about = { team: account.name, reason: "asked at the desk" };
  const change = { ...about, action: "team.address", email: "new@example.org" };
  const changed = await action(page, change);
  expect(changed).toMatchObject({ status: 200, undo: { possible: false } });

  const context = await browser.newContext();
  const player = await context.newPage();
  await expect.poll(() => program.mailedLink(account.email, "stop")).toContain("/stop#");
  await player.goto((await program.mailedLink(account.email, "stop")) ?? "no mail");
  await player.getByRole("button", { name: "Cancel the change" }).click();
  await expect(
    player.getByRole("status").filter({ hasText: "The change was canceled" }),
  ).toBeVisible();
  await player.getByRole("link", { name: "New password" }).click();
  await expect(player).toHaveURL(`${program.url}/reset`);

  const { code } = await action(page, { ...about, action: "team.code" });
  await player.getByRole("link", { name: "I have a reset code from the organizers" }).click();
  await player.getByLabel("Reset code").fill(String(code).toUpperCase());
  await player.getByLabel("New password").fill("a new tide comes in");
  await player.getByRole("button", { name: "Set password" }).click();
  await expect(player.getByRole("status").filter({ hasText: "Password changed" })).toBeVisible();
  await context.close();
});

test("over plain HTTP the page explains that it needs HTTPS", async ({ page, program }) => {
  await page.addInitScript(() =>
    Object.defineProperty(window, "isSecureContext", { value: false }),
  );
  await page.goto(`${program.url}/organize/sign-in`);
  await expect(page.getByText("Organizer sessions require HTTPS")).toBeVisible();
  await expect(page.getByRole("button", { name: "Log in" })).toHaveCount(0);
});
