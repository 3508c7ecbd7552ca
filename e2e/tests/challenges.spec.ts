// A team's challenges: cards, flags, locks, categories, and the top rows of the scoreboard.

import type { Locator, Page, Route } from "@playwright/test";
import { card, expectLive, submitFlag } from "../support/player.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

const WELCOME = "Welcome aboard";
const TIDE = "Rising tide";
const OARS = "First at the oars";
const HOLD = "Below the hold";
const WELCOME_FLAG = "flag{w3lc0me_ab0ard}";

async function open(page: Page, name: string) {
  const challenge = card(page, name);
  await challenge.getByRole("button", { name }).click();
  return challenge;
}

/** Counts fetches of the challenge list. */
function countFetches(page: Page): { readonly count: number } {
  const counted = { count: 0 };
  page.on("request", (request) => {
    counted.count += request.url().endsWith("/api/challenge") ? 1 : 0;
  });
  return counted;
}

test("a visitor is led to /login, and back home after", async ({ page, program }) => {
  const fetches = countFetches(page);
  await page.goto("/challenge");
  await expect(page).toHaveURL(`${program.url}/login?to=%2Fchallenge`);
  await page.goto("/rules");
  await page.getByRole("link", { name: "Challenges" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Login" })).toBeVisible();
  expect(fetches.count).toBe(0);
});

test("a card shows name, solves, points and categories; a click toggles it", async ({
  page,
  team,
}) => {
  await page.goto("/challenge");
  await expect(page.getByRole("row").filter({ hasText: team.name })).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(4);
  await expect(page.getByText("Nobody sees this")).toHaveCount(0);
  const challenge = card(page, TIDE);
  await expect(challenge).toContainText(/\d+ points/);
  await expect(challenge).toContainText(/\d+ solves?/);
  await expect(challenge).toContainText("Crypto");
  const toggle = challenge.getByRole("button", { name: TIDE });
  await expect(toggle).toHaveAttribute("aria-expanded", "false");
  await expect(challenge.getByPlaceholder("flag")).toHaveCount(0);
  await toggle.click();
  await expect(toggle).toHaveAttribute("aria-expanded", "true");
  await expect(challenge.getByText("What the note says, said backwards.")).toBeVisible();
  await expect(challenge.getByPlaceholder("flag")).toBeVisible();
  await expect(challenge.getByRole("button", { name: "Submit" })).toBeEnabled();
  await page.reload();
  await expect(challenge.getByPlaceholder("flag")).toBeVisible();
  await toggle.click();
  await expect(challenge.getByPlaceholder("flag")).toHaveCount(0);
});

test("the description is HTML, and an attachment downloads under its name", async ({
  page,
  team,
}) => {
  await page.goto("/challenge");
  await expect(page.getByText(team.name).first()).toBeVisible();
  await expect((await open(page, WELCOME)).locator("strong")).toHaveText("one");
  const challenge = await open(page, TIDE);
  const coming = page.waitForEvent("download");
  await challenge.getByRole("link", { name: "note.txt" }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toBe("note.txt");
  const stream = await download.createReadStream();
  const parts: Buffer[] = [];
  for await (const part of stream) {
    parts.push(Buffer.from(part));
  }
  expect(Buffer.concat(parts).toString().trim()).toBe("}ed1t{galf");
});

test("an empty flag is flag missing, and nothing is sent", async ({ page, team }) => {
  const sent: string[] = [];
  page.on("request", (request) => sent.push(new URL(request.url()).pathname));
  await page.goto("/challenge");
  await expect(page.getByText(team.name).first()).toBeVisible();
  const challenge = await open(page, WELCOME);
  for (const flag of ["", "   "]) {
    await submitFlag(challenge, flag);
    await expect(page.getByRole("alert")).toContainText("flag missing");
    await page.getByRole("button", { name: "Dismiss" }).click();
  }
  expect(sent).not.toContain("/api/solve");
  await expect(page).toHaveURL(/\/challenge\?/);
});

test("an incorrect flag shakes its card for one second, announced politely", async ({
  page,
  team,
}) => {
  await page.goto("/challenge");
  await expect(page.getByText(team.name).first()).toBeVisible();
  const challenge = await open(page, WELCOME);
  const flag = challenge.getByPlaceholder("flag");
  // Every state change is recorded with its time, so that none is missed.
  await flag.evaluate((input) => {
    const log: { wrong: boolean; animations: number; border: string; at: number }[] = [];
    Reflect.set(window, "shakes", log);
    new MutationObserver(() => {
      const wrong = input.getAttribute("aria-invalid") === "true";
      const article = input.closest("article");
      const animations = article?.getAnimations().length ?? 0;
      const border = getComputedStyle(input).borderTopColor;
      log.push({ wrong, animations, border, at: performance.now() });
    }).observe(input, { attributeFilter: ["aria-invalid"] });
  });
  const answer = page.waitForResponse("**/api/solve");
  await submitFlag(challenge, "flag{not this}");
  const response = await answer;
  expect(await response.json()).toEqual({ correct: false });
  expect(response.request().postDataJSON()).toEqual({
    flag: "flag{not this}",
    challengeId: "welcome",
  });
  await expect(challenge.getByRole("status")).toHaveText(/incorrect/i);
  await expect(challenge.getByRole("status")).toHaveCSS("position", "absolute");
  await expect(page.getByRole("button", { name: "Dismiss" })).toHaveCount(0);
  const shakes = () => page.evaluate(() => Reflect.get(window, "shakes"));
  await expect.poll(async () => (await shakes()).length).toBe(2);
  const [begun, ended] = await shakes();
  expect(begun).toMatchObject({ wrong: true, animations: 1 });
  expect(ended).toMatchObject({ wrong: false });
  expect(begun.border).not.toBe(ended.border);
  expect(ended.at - begun.at).toBeGreaterThanOrEqual(990);
  expect(ended.at - begun.at).toBeLessThan(1900);
  // The line below the field then shows the result until the next keystroke.
  const line = challenge.getByRole("status");
  await expect(line).toHaveCSS("position", "static");
  await expect(line).toHaveText("Incorrect flag.");
  await expect(flag).toHaveAttribute("placeholder", "flag");
  await flag.press("x");
  await expect(line).toBeEmpty();
});

test("a request that is rejected or lost shakes too; then a line explains it", async ({
  page,
  team,
  complaints,
}) => {
  complaints.allow(/status of (403|503)|ERR_CONNECTION/);
  const fail = (status: number, code: string) => (route: Route) =>
    route.fulfill({ status, json: { code, message: "No." } });
  const failures: [RegExp, (route: Route) => Promise<void>][] = [
    [/^The CTF has ended, .*not checked.*still count/, fail(403, "event_ended")],
    [/^The server is busy, .*not checked.*stays here/, fail(503, "overloaded")],
    [/^No response from the server\. .*stays here/, (route) => route.abort("connectionreset")],
  ];
  await page.goto("/challenge");
  await expect(page.getByText(team.name).first()).toBeVisible();
  const challenge = await open(page, WELCOME);
  const flag = challenge.getByPlaceholder("flag");
  const line = challenge.getByRole("status");
  for (const [text, failed] of failures) {
    await page.route("**/api/solve", failed, { times: 1 });
    await submitFlag(challenge, WELCOME_FLAG);
    await expect(flag).toHaveAttribute("aria-invalid", "true");
    await expect(line).toHaveCSS("position", "static");
    await expect(line).toHaveText(text);
    const colors = await line.evaluate((element) => {
      const root = getComputedStyle(document.documentElement);
      const { color } = getComputedStyle(element);
      const probe = (name: string) => {
        element.style.color = root.getPropertyValue(name);
        return getComputedStyle(element).color;
      };
      return { color, warning: probe("--warning"), danger: probe("--danger") };
    });
    expect(colors.color).toBe(colors.warning);
    expect(colors.color).not.toBe(colors.danger);
    await line.evaluate((element) => element.removeAttribute("style"));
  }
  await expect(page.getByRole("button", { name: "Dismiss" })).toHaveCount(0);
  await submitFlag(challenge, WELCOME_FLAG);
  await expect(challenge).toContainText("Solved");
});

test("too many incorrect flags count down on the button until the next attempt", async ({
  page,
  team,
  complaints,
}) => {
  complaints.allow(/status of 429/);
  await page.goto("/challenge");
  await expect(page.getByText(team.name).first()).toBeVisible();
  const challenge = await open(page, WELCOME);
  const submit = challenge.getByRole("button", { name: "Submit" });
  for (const flag of ["flag{1}", "flag{2}", "flag{3}", "flag{4}"]) {
    await expect(submit).toBeEnabled();
    const answer = page.waitForResponse("**/api/solve");
    await submitFlag(challenge, flag);
    await answer;
  }
  const wait = challenge.getByRole("button", { name: /^Wait \d+ s$/ });
  await expect(wait).toBeDisabled();
  const seconds = Number((await wait.textContent())?.match(/\d+/)?.[0]);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(10);
  await expect(page.getByRole("button", { name: "Dismiss" })).toHaveCount(0);
  await expect(submit).toBeEnabled({ timeout: (seconds + 5) * 1000 });
  await submitFlag(challenge, WELCOME_FLAG);
  await expect(challenge.getByPlaceholder("flag")).toHaveCount(0);
});

test("a correct flag hides the form and unlocks challenges, with one fetch each", async ({
  page,
  team,
}) => {
  const fetches = countFetches(page);
  await page.goto("/challenge");
  await expectLive(page);
  const hold = await open(page, HOLD);
  await expect(hold).toContainText("Locked");
  await expect(hold).toContainText(`Requires: ${WELCOME}`);
  await expect(hold.getByPlaceholder("flag")).toHaveCount(0);
  expect(fetches.count).toBe(1);
  const welcome = await open(page, WELCOME);
  await submitFlag(welcome, ` ${WELCOME_FLAG} `);
  await expect(welcome.getByPlaceholder("flag")).toHaveCount(0);
  await expect(welcome).toContainText("Solved");
  await open(page, HOLD);
  await expect(hold.getByPlaceholder("flag")).toBeVisible();
  await expect(hold).not.toContainText("Locked");
  const row = page.getByRole("row").filter({ hasText: team.name });
  await expect(row).toContainText("100");
  expect(fetches.count).toBe(2);
  // Another solve unlocks nothing, so the list is not fetched.
  await submitFlag(await open(page, OARS), "flag{r0w}");
  await expect(card(page, OARS).getByPlaceholder("flag")).toHaveCount(0);
  await expect(row).not.toContainText(/\b100\b/);
  await page.reload();
  await expect(card(page, WELCOME)).toContainText("Solved");
  await open(page, WELCOME);
  await expect(welcome.getByText("The flag is")).toBeVisible();
  await expect(welcome.getByPlaceholder("flag")).toHaveCount(0);
  expect(fetches.count).toBe(3);
});

test("a challenge hidden and unhidden updates by itself, without a loop", async ({
  page,
  serve,
}) => {
  const program = await serve({});
  const team = await newTeam(program);
  await enter(page, program, team);
  const fetches = countFetches(page);
  await page.goto(`${program.url}/challenge`);
  await expectLive(page);
  await expect(page.getByRole("article")).toHaveCount(4);
  await program.command("challenge", "hide", "oars");
  await expect(card(page, OARS)).toHaveCount(0);
  await program.command("challenge", "release", "oars");
  await expect(card(page, OARS)).toBeVisible();
  await program.solve(team.token, "oars", "flag{r0w}");
  await expect(card(page, OARS)).toContainText("Solved");
  expect(fetches.count).toBeLessThanOrEqual(4);
});

test("a server whose list and board never agree is queried once, not forever", async ({
  page,
  team,
}) => {
  const fetches = countFetches(page);
  let answered = 0;
  await page.clock.install();
  await page.route("**/api/challenge", async (route) => {
    const answer = await route.fetch();
    const { challenges } = await answer.json();
    await route.fulfill({ response: answer, json: { challenges: challenges.slice(1) } });
    answered += 1;
  });
  await page.goto("/challenge");
  await expectLive(page);
  await expect(page.getByRole("row").filter({ hasText: team.name })).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(3);
  await page.clock.fastForward(5000);
  // The test waits for the second list: it must not end while the route handles it.
  await expect.poll(() => answered).toBe(2);
  await page.clock.runFor(60_000);
  await expect(page.getByRole("article")).toHaveCount(3);
  expect(fetches.count).toBe(2);
});

test("the link to a challenge opens it, scrolled to, in the browser of a team", async ({
  page,
  team,
  program,
  visitor,
}) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/challenge");
  await expect(page.getByRole("row").filter({ hasText: team.name })).toBeVisible();
  const challenge = await open(page, HOLD);
  await challenge.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Link copied." })).toBeVisible();
  const address = await page.evaluate(() => navigator.clipboard.readText());
  expect(address).toBe(`${program.url}/challenge?open=hold`);

  const other = await visitor();
  await other.setViewportSize({ width: 390, height: 500 });
  await enter(other, program, await newTeam(program));
  await other.goto(address);
  await expect(card(other, HOLD)).toContainText("Requires");
  await expect(card(other, HOLD).getByRole("button", { name: HOLD })).toBeInViewport();
  await expect(card(other, WELCOME).getByPlaceholder("flag")).toHaveCount(0);
});

test("on a phone the challenges come first; on a wide screen one opens beside the list", async ({
  page,
  serve,
}) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const code = "print(1)\nprint(2)";
  const fenced = ["```python", ...code.split("\n"), "```"].map((line) => `  ${line}\n`).join("");
  const text = "name: Blocks\nvalue: 5\ncategory: Misc\nposition: 0\nflags: [x]\ndescription: |\n";
  const program = await serve({ files: { "challenges/code/challenge.yml": text + fenced } });
  await enter(page, program, await newTeam(program));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${program.url}/challenge`);
  await expect(page.getByRole("article")).toHaveCount(5);
  const top = async (one: Locator) => (await one.boundingBox())?.y ?? 0;
  const line = page.getByRole("button", { name: /^Scoreboard: \d+\w\w of \d+, 0 points$/ });
  expect(await top(page.getByRole("article").last())).toBeLessThan(await top(line));
  await expect(page.getByRole("table")).toBeHidden();
  await line.click();
  await expect(page.getByRole("table")).toBeVisible();
  await expect(page.getByRole("region", { name: "Hide Categories" })).toBeHidden();
  await page.getByRole("button", { name: "Filter and sort" }).click();
  await expect(page.getByRole("region", { name: "Hide Categories" })).toBeVisible();

  await page.setViewportSize({ width: 1440, height: 900 });
  const challenge = await open(page, "Blocks");
  const color = (of: Locator) => of.evaluate((one) => getComputedStyle(one).color);
  const called = challenge.locator(".hl-function").first();
  expect(await color(called)).not.toBe(await color(challenge.locator("pre")));
  await challenge.getByRole("button", { name: "Copy code" }).click();
  await expect(challenge.getByText("Copied")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
  // The names of the challenges stay close together. To their right is the open one.
  const boxOf = async (one: Locator) => {
    const { x = 0, y = 0, width = 0, height = 0 } = (await one.boundingBox()) ?? {};
    return { x, y, right: x + width, bottom: y + height };
  };
  const names = await Promise.all(
    (await page.getByRole("article").getByRole("heading", { level: 3 }).all()).map(boxOf),
  );
  names.slice(1).forEach((name, index) => {
    expect(name.y - (names[index]?.bottom ?? 0)).toBeLessThan(90);
  });
  const first = await boxOf(challenge.locator("pre"));
  const field = await boxOf(challenge.getByPlaceholder("flag"));
  expect(first.x).toBeGreaterThan(names[0]?.right ?? 0);
  expect(field.x).toBeGreaterThan(names[0]?.right ?? 0);
  expect(field.y).toBeGreaterThan(first.bottom);
  await open(page, TIDE);
  await expect(challenge.locator("pre")).toHaveCount(0);
  await expect(card(page, TIDE).getByPlaceholder("flag")).toBeInViewport();
});

test("Hide Categories has a badge for each category, and takes its challenges away", async ({
  page,
  team,
}) => {
  await page.goto("/challenge");
  await expect(page.getByText(team.name).first()).toBeVisible();
  const filter = page.getByRole("region", { name: "Hide Categories" });
  const badges = filter.getByRole("button", { pressed: false }).filter({ hasText: /./ });
  await expect(badges).toHaveText(["Misc", "Crypto", "Web"]);
  const misc = filter.getByRole("button", { name: "Misc", exact: true });
  await expect(misc).toHaveAttribute("aria-pressed", "false");
  await misc.click();
  await expect(misc).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("article")).toHaveCount(2);
  await expect(card(page, TIDE)).toBeVisible();
  await expect(card(page, WELCOME)).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("article")).toHaveCount(2);
  await misc.click();
  await expect(page.getByRole("article")).toHaveCount(4);
});

test("the snapshot has five rows, and the own row below if it is not among them", async ({
  page,
  serve,
}) => {
  const program = await serve({});
  for (const name of ["Alpha", "Bravo", "Charlie", "Delta", "Echo", "Foxtrot", "Zulu"]) {
    const team = await newTeam(program, name);
    if (name === "Zulu") {
      await enter(page, program, team);
    }
  }
  await page.goto(`${program.url}/challenge`);
  const table = page.getByRole("table", { name: "Scoreboard snapshot" });
  await expect(table.getByRole("columnheader")).toHaveText(["#", "Country", "Team", "Score"]);
  const names = ["Alpha", "Bravo", "Charlie", "Delta", "Echo", /Zulu/];
  await expect(table.getByRole("rowheader")).toHaveText(names);
  await expect(page.getByRole("navigation", { name: /^Pages of/ })).toHaveCount(0);
  const own = table.getByRole("row").filter({ hasText: "Zulu" });
  await expect(own).toHaveAttribute("aria-current", "true");
  await expect(own).toContainText("7");
});
