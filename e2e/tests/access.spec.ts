// The site with only the keyboard, with reduced motion, at every width, and with right-to-left
// names.

import type { Locator, Page } from "@playwright/test";
import { tooWidePx } from "../support/page-checks.ts";
import { card, expectLive, submitFlag } from "../support/player.ts";
import type { Program } from "../support/program.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

const TABS_MAX = 60;

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, role: "link" | "button" | "textbox" | "checkbox", name: string) {
  const wanted = page.getByRole(role, { name, exact: true });
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    await page.keyboard.press("Tab");
    if (await wanted.evaluate((element) => element === document.activeElement)) {
      return wanted;
    }
  }
  throw new Error(`${TABS_MAX} presses of Tab do not lead to the ${role} ${name}`);
}

test("from login to a solve and logout with the keyboard only", async ({ page, program }) => {
  const account = { name: "No Mice", email: "mice@example.org", password: "keys and nothing" };
  await program.importTeams([{ ...account, country: "FR" }]);
  await page.goto("/");
  await expect(page.getByRole("link", { name: "Login", exact: true })).toBeVisible();
  await tabTo(page, "link", "Login");
  await page.keyboard.press("Enter");
  await expect(page.locator("altcha-widget").getByRole("checkbox")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Team", exact: true })).toBeFocused();
  await page.keyboard.type(account.name);
  await page.keyboard.press("Tab");
  await page.keyboard.type(account.password);
  const box = page.locator("altcha-widget").getByRole("checkbox");
  await expect(async () => {
    await page.keyboard.press("Tab");
    await expect(box).toBeFocused({ timeout: 50 });
  }).toPass();
  await page.keyboard.press("Space");
  await expect(page.locator("altcha-widget").getByText("Verified")).toBeVisible();
  await tabTo(page, "button", "Login");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${program.url}/`);
  await expect(page.getByRole("link", { name: "Press play to compete." })).toBeVisible();
  await tabTo(page, "link", "Press play to compete.");
  await page.keyboard.press("Enter");
  const challenge = card(page, "Welcome aboard");
  const toggle = challenge.getByRole("button", { name: "Welcome aboard" });
  await expect(toggle).toBeVisible();
  await expect(async () => {
    await page.keyboard.press("Tab");
    await expect(toggle).toBeFocused({ timeout: 50 });
  }).toPass();
  await page.keyboard.press("Enter");
  await expect(challenge.getByPlaceholder("flag")).toBeFocused();
  await page.keyboard.type("flag{w3lc0me_ab0ard}");
  await page.keyboard.press("Enter");
  await expect(challenge.getByPlaceholder("flag")).toHaveCount(0);
  await expect(challenge).toContainText("Solved");
  // The focused form is gone, but the next link is still reachable by Tab.
  await tabTo(page, "link", "Logout");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${program.url}/login`);
  await expect(page.getByRole("link", { name: "Signup", exact: true })).toBeVisible();
  expect(await page.context().cookies()).toEqual([]);
});

/** Input method of a beginner. Typed text does not count. */
interface Hand {
  /** Moves to an element, and activates it unless it is a field. */
  use(target: Locator): Promise<void>;
  /** Submits the form after its captcha. */
  send(button: Locator): Promise<void>;
}

/** Plays from the first visit to the first solve, as a new team would. */
async function playFirst(page: Page, program: Program, name: string, hand: Hand): Promise<void> {
  const email = `${name.replace(" ", ".").toLowerCase()}@example.org`;
  const account = { name, email, password: "first steps" };
  const field = (label: string) => page.getByLabel(label, { exact: true });
  const solveCaptcha = async () => {
    const widget = page.locator("altcha-widget");
    await hand.use(widget.getByRole("checkbox"));
    await expect(widget.getByText("Verified")).toBeVisible();
  };
  await page.goto("/");
  await hand.use(page.getByRole("link", { name: "Sign up your team" }));
  await expect(field("Team name")).toBeFocused();
  await page.keyboard.type(account.name);
  await hand.use(field("Email"));
  await page.keyboard.type(account.email);
  await hand.use(field("Password"));
  await page.keyboard.type(account.password);
  await solveCaptcha();
  await hand.send(page.getByRole("button", { name: "Signup" }));
  await expect(page.getByText("check your email for a verification link")).toBeVisible();
  const link = () => program.mailedLink(account.email, "confirm");
  await expect.poll(link).toContain(program.url);
  await page.goto((await link()) ?? "no mail");
  await hand.use(page.getByRole("button", { name: "Confirm email" }));
  await expect(field("Team")).toHaveValue(account.name);
  await expect(field("Password")).toBeFocused();
  await page.keyboard.type(account.password);
  await solveCaptcha();
  await hand.send(page.getByRole("main").getByRole("button", { name: "Login" }));
  await expect(page).toHaveURL(`${program.url}/challenge`);
  const challenge = card(page, "Welcome aboard");
  await hand.use(challenge.getByRole("button", { name: "Welcome aboard" }));
  await hand.use(challenge.getByPlaceholder("flag"));
  await page.keyboard.type("flag{w3lc0me_ab0ard}");
  await hand.send(challenge.getByRole("button", { name: "Submit" }));
  await expect(challenge.getByText("Solved", { exact: true })).toBeVisible();
  await expect(challenge.getByText(/^\+100, now \d+\w\w/)).toBeVisible();
}

test("from the first visit to the first solve with at most 25 keys", async ({ page, program }) => {
  const pressed: string[] = [];
  const press = async (key: string) => {
    pressed.push(key);
    await page.keyboard.press(key);
  };
  await playFirst(page, program, "First Keys", {
    async use(target) {
      await expect(target).toBeVisible();
      const isFocused = () => target.evaluate((it) => it === document.activeElement);
      const isFirst = pressed.length === 0;
      while (!(await isFocused()) && pressed.length < TABS_MAX) {
        await press("Tab");
        if (isFirst && pressed.length === 1) await press("Enter"); // Skip to content
      }
      await expect(target).toBeFocused();
      const isBox = await target.evaluate((it) => it.matches("[type=checkbox]"));
      if (isBox) await press("Space");
      else if (!(await target.evaluate((it) => it.matches("input")))) await press("Enter");
    },
    send: () => press("Enter"),
  });
  // The total includes one action for opening the emailed link.
  expect(pressed.length + 1, pressed.join(" ")).toBeLessThanOrEqual(25);
});

test("from the first visit to the first solve on a phone with at most 14 taps", async ({
  browser,
  program,
}) => {
  const context = await browser.newContext({
    baseURL: program.url,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  let taps = 0;
  const tap = async (target: Locator) => {
    taps += 1;
    // The captcha's check mark covers its box; the widget accepts a tap on either.
    await target.tap({ force: await target.evaluate((it) => it.matches("[type=checkbox]")) });
  };
  await playFirst(await context.newPage(), program, "First Taps", { use: tap, send: tap });
  await context.close();
  // The total includes one tap for opening the emailed link.
  expect(taps + 1).toBeLessThanOrEqual(14);
});

test("a solved form passes the focus to the next challenge, not to the top of the page", async ({
  page,
  team,
}) => {
  await page.goto("/challenge?open=welcome");
  await expect(page.getByText(team.name).first()).toBeVisible();
  const challenge = card(page, "Welcome aboard");
  await challenge.getByPlaceholder("flag").fill("flag{w3lc0me_ab0ard}");
  await page.keyboard.press("Enter");
  await expect(challenge.getByPlaceholder("flag")).toHaveCount(0);
  const name = challenge.getByRole("button", { name: "Welcome aboard" });
  await expect(name).toHaveAccessibleName(/Solved/);
  await expect(challenge.getByRole("link", { name: /^Next challenge/ })).toBeFocused();
});

test("an incorrect flag submitted by the button returns the focus to the field", async ({
  page,
  team,
}) => {
  await page.goto("/challenge?open=welcome");
  await expect(page.getByText(team.name).first()).toBeVisible();
  const challenge = card(page, "Welcome aboard");
  await submitFlag(challenge, "flag{no}");
  await expect(challenge.getByRole("status")).toHaveText(/incorrect/i);
  await expect(challenge.getByPlaceholder("flag")).toBeFocused();
});

test("the first Tab offers to skip the navigation, and every focus is visible", async ({
  page,
}) => {
  await page.goto("/rules");
  await expect(page.getByRole("listitem").first()).toBeVisible();
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  for (const name of ["Scoreboard", "Challenges", "Rules"]) {
    await page.getByRole("link", { name, exact: true }).focus();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    const outline = await page.evaluate(() => {
      const { outlineStyle, boxShadow } = getComputedStyle(document.activeElement ?? document.body);
      return `${outlineStyle} ${boxShadow}`;
    });
    expect(outline).not.toBe("none none");
  }
});

for (const { motion, moves } of [
  { motion: "no-preference", moves: true },
  { motion: "reduce", moves: false },
] as const) {
  test(`an incorrect flag ${moves ? "shakes" : "does not shake"} with motion: ${motion}`, async ({
    page,
    team,
  }) => {
    await page.emulateMedia({ reducedMotion: motion });
    await page.goto("/challenge");
    await expect(page.getByText(team.name).first()).toBeVisible();
    const challenge = card(page, "Welcome aboard");
    await challenge.getByRole("button", { name: "Welcome aboard" }).click();
    // Animations are recorded from the moment the mark appears, even on a busy machine.
    await challenge.evaluate((article) => {
      const input = article.querySelector("input");
      new MutationObserver(() => {
        const durations = article
          .getAnimations()
          .map((animation) => Number(animation.effect?.getTiming().duration));
        Reflect.set(window, "moving", durations);
      }).observe(input ?? article, { attributeFilter: ["aria-invalid"] });
    });
    await submitFlag(challenge, "flag{no}");
    await page.waitForFunction(() => Reflect.has(window, "moving"));
    const durations: number[] = await page.evaluate(() => Reflect.get(window, "moving"));
    expect(durations.some((duration) => duration > 1)).toBe(moves);
    await expect(challenge.getByRole("status")).toHaveText(/incorrect/i);
  });

  test(`a row that moves up ${moves ? "glides" : "is there at once"}: ${motion}`, async ({
    page,
    serve,
  }) => {
    const program = await serve({});
    await newTeam(program, "Above");
    const below = await newTeam(program, "Below");
    await page.emulateMedia({ reducedMotion: motion });
    await page.addInitScript(() => {
      const animate = Element.prototype.animate;
      const glides: string[] = [];
      Reflect.set(window, "glides", glides);
      Element.prototype.animate = function (...args) {
        glides.push(this.tagName);
        return animate.apply(this, args);
      };
    });
    await page.goto(`${program.url}/scoreboard`);
    await expectLive(page);
    const names = page
      .getByRole("table", { name: "Scoreboard", exact: true })
      .getByRole("rowheader");
    await expect(names).toHaveText(["Above", "Below"]);
    await program.solve(below.token, "welcome", "flag{w3lc0me_ab0ard}");
    await expect(names).toHaveText(["Below", "Above"]);
    const glides: string[] = await page.evaluate(() => Reflect.get(window, "glides"));
    expect(glides.includes("TR")).toBe(moves);
  });
}

/** Expects that the loaded page is not wider than the window. */
async function expectNarrow(page: Page, what: string): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("status", { name: /^Loading/ })).toHaveCount(0);
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  // 640 px equals a 1280 px window at 200 % zoom.
  for (const width of [360, 390, 640, 768, 1024, 1440, 1920, 2560]) {
    await page.setViewportSize({ width, height: 800 });
    expect.soft(await tooWidePx(page), `${what} at ${width} px`).toBeLessThanOrEqual(0);
  }
}

/** Durations of running or pending animations on the page, in milliseconds. */
function moving(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState }) => playState === "running")
      .map(({ effect }) => Number(effect?.getComputedTiming().endTime))
      .filter((endMs) => endMs > 1),
  );
}

for (const { motion, moves } of [
  { motion: "no-preference", moves: true },
  { motion: "reduce", moves: false },
] as const) {
  test(`pages that load, news and menus ${moves ? "move" : "stand still"}: ${motion}`, async ({
    page,
    serve,
  }) => {
    const program = await serve({});
    const team = await newTeam(program, "Still Waters");
    await page.emulateMedia({ reducedMotion: motion });
    let isHeld = true;
    await page.routeWebSocket("**/api/live", (socket) => {
      if (!isHeld) socket.connectToServer();
    });
    await page.goto(`${program.url}/scoreboard`);
    await expect(page.getByRole("status", { name: "Loading scoreboard…" })).toBeVisible();
    expect((await moving(page)).length > 0).toBe(moves);
    isHeld = false;
    await page.reload();
    await expect(page.getByRole("rowheader", { name: team.name })).toBeVisible();
    await expect(page.locator("[data-large]")).toBeAttached();
    // The announcement is inspected when it is inserted.
    await page.evaluate(() => {
      new MutationObserver((_, observer) => {
        if (!document.querySelector("[data-large]")?.textContent) return;
        observer.disconnect();
        const ends = document
          .getAnimations()
          .map(({ effect }) => Number(effect?.getComputedTiming().endTime));
        Reflect.set(
          window,
          "newsMove",
          ends.some((endMs) => endMs > 1),
        );
      }).observe(document.body, { childList: true, subtree: true });
    });
    await program.solve(team.token, "welcome", "flag{w3lc0me_ab0ard}");
    await page.waitForFunction(() => Reflect.has(window, "newsMove"));
    expect(await page.evaluate(() => Reflect.get(window, "newsMove"))).toBe(moves);
    for (const path of ["/", "/signup", "/rules", "/scoreboard?graph=true"]) {
      await page.goto(program.url + path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      if (!moves) expect(await moving(page), path).toEqual([]);
    }
  });
}

test("no page scrolls sideways from 320 to 2560 px, 200 % zoom and right to left included", async ({
  page,
  serve,
}) => {
  test.slow();
  const program = await serve({});
  const team = await newTeam(program, "فريق البحر الأبيض المتوسط", "EG");
  await newTeam(program, "W".repeat(25), "JP");
  await program.solve(team.token, "welcome", "flag{w3lc0me_ab0ard}");
  for (const path of ["/login", "/signup", "/confirm", "/reset#token", "/join"]) {
    await page.goto(program.url + path);
    await expectNarrow(page, path);
  }
  await enter(page, program, team);
  for (const path of [
    "/",
    "/scoreboard?graph=true",
    "/scoreboard?solvers=welcome",
    "/scoreboard?view=stage",
    "/challenge?open=tide&open=hold&open=welcome",
    `/team/${encodeURIComponent(team.name)}`,
    `/team/${"W".repeat(25)}`,
    "/account",
    "/rules",
    "/no/such/page",
  ]) {
    await page.goto(program.url + path);
    await expectNarrow(page, path);
  }
});

test("at 200 % every page is usable, by zoom and by larger text", async ({
  browser,
  page,
  program,
  team,
}) => {
  const paths = ["/", "/scoreboard", "/challenge?open=welcome", `/team/${team.name}`, "/rules"];
  // A 1280 × 800 px window at 200 % zoom equals 640 × 400 px with a device pixel ratio of 2.
  const context = await browser.newContext({
    baseURL: program.url,
    viewport: { width: 640, height: 400 },
    deviceScaleFactor: 2,
  });
  const zoomed = await context.newPage();
  await enter(zoomed, program, team);
  for (const path of paths) {
    await zoomed.goto(path);
    await expect(zoomed.getByRole("heading", { level: 1 })).toBeVisible();
    // A page opened at a challenge first scrolls to it.
    await expect(async () => {
      await zoomed.evaluate(() => window.scrollTo(0, 0));
      await expect(zoomed.getByRole("link", { name: "Logout" })).toBeInViewport({ timeout: 500 });
    }).toPass();
    expect.soft(await tooWidePx(zoomed), `${path} zoomed`).toBeLessThanOrEqual(0);
  }
  await zoomed.goto("/challenge?open=welcome");
  const flag = card(zoomed, "Welcome aboard").getByPlaceholder("flag");
  await flag.scrollIntoViewIfNeeded();
  await expect(
    card(zoomed, "Welcome aboard").getByRole("button", { name: "Submit" }),
  ).toBeInViewport({ ratio: 1 });
  await zoomed.goto("/scoreboard?solvers=welcome");
  const close = zoomed.getByRole("dialog").getByRole("button", { name: "Close" });
  await expect(close).toBeInViewport({ ratio: 1 });
  await context.close();

  await page.setViewportSize({ width: 1280, height: 800 });
  for (const path of [...paths, "/scoreboard?graph=true"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
    expect.soft(await tooWidePx(page), `${path} in large letters`).toBeLessThanOrEqual(0);
  }
});

test("an RTL name stays in its cell and affects nothing else", async ({ page, serve }) => {
  const program = await serve({});
  const team = await newTeam(program, "צוות הים 42!", "IL");
  await newTeam(program, "Sea Team", "IT");
  await enter(page, program, team);
  await page.goto(`${program.url}/scoreboard`);
  const row = page
    .getByRole("table", { name: /^Scoreboard/ })
    .getByRole("row")
    .filter({ hasText: team.name });
  const name = row.getByText(team.name, { exact: true });
  await expect(name).toHaveCSS("direction", "rtl");
  await expect(row).toHaveCSS("direction", "ltr");
  const left = async (text: string) =>
    (await row.getByText(text, { exact: true }).first().boundingBox())?.x ?? 0;
  const score = (await row.getByRole("cell").nth(2).boundingBox())?.x ?? 0;
  expect(await left(team.name)).toBeLessThan(score);
  await expect(row.getByRole("cell").nth(2)).toHaveText("0");
});
