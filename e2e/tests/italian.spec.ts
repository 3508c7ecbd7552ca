// The site in Italian, which has longer words: translated, and not too wide.

import type { Page } from "@playwright/test";
import { en } from "../../web/src/messages/en.ts";
import { it } from "../../web/src/messages/it.ts";
import { tooWidePx } from "../support/page-checks.ts";
import { logIn } from "../support/player.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

const PATHS = [
  "/",
  "/scoreboard?graph=true",
  "/scoreboard?solvers=welcome",
  "/scoreboard?view=stage",
  "/challenge?open=welcome&open=hold",
  "/rules",
  "/news",
  "/account",
  "/confirm",
  "/reset",
  "/join",
  "/none",
  "/team/nobody",
];

/** Texts of a language file by key, without those that contain numbers. */
function texts(words: object, place = ""): [string, string][] {
  return Object.entries(words).flatMap(([key, value]): [string, string][] => {
    if (typeof value === "string") return [[`${place}.${key}`, value]];
    return typeof value === "object" && value !== null ? texts(value, `${place}.${key}`) : [];
  });
}

const italian = new Map(texts(it));
const ENGLISH = new Set(
  texts(en)
    .filter(([place, text]) => italian.get(place) !== text)
    .map(([, text]) => text),
);

/** English texts of the site that are visible or in accessible names. */
async function english(page: Page): Promise<string[]> {
  const names = (await page.locator("body").ariaSnapshot()).matchAll(/"([^"]+)"|: (.+)$/gm);
  const shown = [...names].map(([, name, text]) => name ?? text ?? "");
  const { lines, titles } = await page.evaluate(() => ({
    lines: document.body.innerText.split("\n"),
    titles: [...document.querySelectorAll("[title], [placeholder], [aria-label]")].flatMap((one) =>
      ["title", "placeholder", "aria-label"].map((name) => one.getAttribute(name) ?? ""),
    ),
  }));
  return [...new Set([...shown, ...lines, ...titles])].filter((text) => ENGLISH.has(text.trim()));
}

test.describe("a browser that prefers Italian", () => {
  test.use({ locale: "it-IT" });

  test("gets Italian on every page, at every width", async ({ page, program }) => {
    test.slow();
    const visit = async (path: string) => {
      await page.goto(path);
      const isStage = path.includes("stage");
      const known = isStage ? "Esci" : "Classifica";
      await expect(page.getByRole("link", { name: known, exact: true })).toBeVisible();
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByRole("status", { name: /^Caric/ })).toHaveCount(0);
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      await expect(page.locator("html")).toHaveAttribute("lang", "it");
      // The rules are event content, in the event's own language.
      const own = path === "/rules" ? ["Rules"] : [];
      expect.soft(await english(page), path).toEqual(own);
      for (const width of [1440, 390, 360]) {
        await page.setViewportSize({ width, height: 844 });
        expect.soft(await tooWidePx(page), `${path} at ${width}`).toBeLessThanOrEqual(0);
      }
    };
    for (const path of ["/login", "/signup"]) await visit(path);
    await expect(page.getByRole("button", { name: "Iscriviti" })).toBeVisible();
    await expect(page.getByRole("combobox", { name: "Paese" })).toHaveValue("Nazioni Unite");
    await enter(page, program, await newTeam(program, "Gatti del Porto"));
    for (const path of [...PATHS, "/team/Gatti%20del%20Porto"]) await visit(path);
  });

  test("gets server messages in Italian too", async ({ page, complaints }) => {
    complaints.allow(/status of 401/);
    await page.goto("/login");
    await page.getByRole("textbox", { name: "Squadra", exact: true }).fill("Nessuno");
    await page.getByLabel("Password", { exact: true }).fill("sbagliata");
    const widget = page.locator("altcha-widget");
    await widget.getByRole("checkbox").click({ force: true });
    await expect(widget.getByText("Verificato")).toBeVisible({ timeout: 20_000 });
    const sent = page.waitForRequest("**/api/login");
    await page.getByRole("button", { name: "Accedi" }).click();
    await expect(page.getByRole("alert")).toHaveText("Nome della squadra o password sbagliati.");
    // The header contains the site's language, which emails use, instead of the browser's list.
    expect((await (await sent).allHeaders())["accept-language"]).toBe("it");
  });
});

test("a choice changes the language at once; the next visit keeps it", async ({
  page,
  complaints,
}) => {
  complaints.allow(/status of 401/);
  await logIn(page, { name: "Nobody Here", email: "", password: "no password" });
  await expect(page.getByRole("alert")).toHaveText("Incorrect team name or password.");
  await page.getByRole("button", { name: "Preferences" }).click();
  const languages = page.getByRole("combobox", { name: "Language" });
  await expect(languages).toHaveValue("en");
  await languages.selectOption("Italiano");
  await expect(page.getByRole("heading", { level: 1, name: "Accedi" })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveText("Nome della squadra o password sbagliati.");
  await expect(page.locator("html")).toHaveAttribute("lang", "it");
  await page.goto("/rules");
  await expect(page.getByRole("link", { name: "Classifica", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Preferenze" }).click();
  await page.getByRole("combobox", { name: "Lingua" }).selectOption("English");
  await expect(page.getByRole("link", { name: "Scoreboard", exact: true })).toBeVisible();
});

test("missing translations leave the page in English, with a message", async ({
  page,
  complaints,
}) => {
  complaints.allow(/ERR_FAILED|dynamically imported module/);
  await page.goto("/rules");
  await expect(page.getByRole("heading", { level: 1, name: "Rules" })).toBeVisible();
  await page.route("**/static/js/it-*", (route) => route.abort());
  await page.getByRole("button", { name: "Preferences" }).click();
  await page.getByRole("combobox", { name: "Language" }).selectOption("Italiano");
  await expect(page.getByRole("alert")).toContainText("Loading chunk it failed");
  await expect(page.getByRole("link", { name: "Scoreboard", exact: true })).toBeVisible();
});
