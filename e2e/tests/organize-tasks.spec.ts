// Clicks per organizer task: 48 tasks, compared in docs/organize.md with four other platforms, and
// eighteen tasks with the keyboard only.

import { expect, type Page, test } from "@playwright/test";
import { type Count, Hand, menuLink } from "../support/hand.ts";
import { enrol, invite } from "../support/organizer.ts";
import { Complaints, watch } from "../support/page-watch.ts";
import { Program } from "../support/program.ts";
import { guide, rows, tasks } from "../support/tasks.ts";

const HOUR_MS = 3_600_000;
/** Evidence is updated every ten seconds. */
const EVIDENCE_MS_MAX = 15_000;
const TEAMS = ["Otters", "Badgers", "Crows", "Gulls", "Shrimps", "Testers"];
const WAVE = ["Wave one", "Wave two", "Wave three", "Wave four"];
/** Challenges that are released by keyboard. */
const EARLY = ["Early bell", "Early boat"];
const EVENT = "Harbour Test CTF";

const idOf = (name: string) => name.toLowerCase().replace(" ", "-");

function hidden(name: string): [string, string] {
  const flag = `flag{${idOf(name)}}`;
  const keys = { name, id: idOf(name), category: "Misc", description: "Swim.", type: "standard" };
  const lines = Object.entries({ ...keys, value: 100, state: "hidden" });
  const text = [...lines.map(([key, value]) => `${key}: ${value}`), "flags:", `  - ${flag}`];
  return [`challenges/${idOf(name)}/challenge.yml`, `${text.join("\n")}\n`];
}

// All tests share one program and one page. Tasks run in order, and each prepares its data through
// the API.
test.describe.configure({ mode: "serial", timeout: 120_000 });

let program: Program;
let page: Page;
let tokens = new Map<string, string>();
const complaints = new Complaints();
// The dialog previews a status that is already set, which the server rejects.
complaints.allow(/status of 409/);

async function sends(team: string, challengeId: string, flag: string): Promise<void> {
  const token = tokens.get(team) ?? "";
  const answer = await program.call(token, "POST", "/solve", { challengeId, flag });
  expect(answer.status, `${team} sends ${flag}`).toBe(200);
}

/** Runs an action through the API to prepare a task. */
async function action(body: Record<string, unknown>): Promise<void> {
  const answer = await page.evaluate(async (body) => {
    const headers = { "Content-Type": "application/json", "X-Organize": "1" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await fetch("/api/organize/actions", init);
    return answer.ok ? "" : answer.text();
  }, body);
  expect(answer, JSON.stringify(body)).toBe("");
}

async function play(): Promise<void> {
  const imported = TEAMS.map((name) => {
    return { name, email: `${idOf(name)}@example.org`, country: "IT", password: "" };
  });
  tokens = await program.importTeams(imported);
  const newcomer = { teamName: "Newcomers", email: "new@example.org", country: "IT" };
  const secrets = { password: "correct horse battery", captchaToken: "off" };
  const signUp = await fetch(`${program.url}/api/signup`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...newcomer, ...secrets }),
  });
  expect(signUp.status).toBe(201);
  for (const team of ["Shrimps", "Badgers"]) {
    await sends(team, "tide", "flag{out_with_the_tide}");
    await sends(team, "oars", "flag{both_oars_at_once}");
  }
  await sends("Crows", "welcome", "FLAG{W3LC0ME_AB0ARD}");
  await sends("Otters", "welcome", "flag{w3lc0me_ab0ard}");
  await sends("Badgers", "welcome", "flag{w3lc0me_ab0ard}");
  await sends("Otters", "oars", "flag{r0w}");
  const token = tokens.get("Otters") ?? "";
  for (const text of ["Is the tide high?", "And now?"]) {
    const asked = await program.call(token, "POST", "/question", { text, challengeId: "tide" });
    expect(asked.status).toBe(201);
  }
}

test.beforeAll(async ({ browser }) => {
  program = await Program.start({
    edit: (text) => text.replace('"altcha"', '"off"'),
    files: Object.fromEntries([...WAVE, ...EARLY, "Low water"].map(hidden)),
  });
  const context = await browser.newContext({ baseURL: program.url });
  await watch(context, complaints);
  page = await context.newPage();
  const { link } = await invite(program, "owner");
  await Promise.all([enrol(page, link), play()]);
  // The address changes before the page is shown, which handles the keys.
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
});

test.afterAll(async () => {
  await page.context().close();
  await program.stop();
  expect(complaints.unexpected(), "the pages complained").toEqual([]);
});

const region = (name: string) => page.getByRole("region", { name, exact: true });
const sheet = () => page.getByRole("dialog");
const said = (text: string | RegExp) => page.getByRole("status").getByText(text);
const button = (name: string | RegExp) => page.getByRole("button", { name });
const link = (name: string | RegExp) => page.getByRole("link", { name });

/** Expects a visible focus. */
async function expectFocus(after: string): Promise<void> {
  const focus = () =>
    page.evaluate(() => {
      const one = document.activeElement;
      if (one === null || one === document.body) return "lost";
      const { outlineStyle, boxShadow } = getComputedStyle(one);
      // Content that a script focuses for screen readers has no ring.
      const isContent = one.matches('main, dialog, :is(h1, h2, h3, p, div)[tabindex="-1"]');
      const isSeen = outlineStyle !== "none" || boxShadow !== "none" || isContent;
      return isSeen ? "seen" : `not seen on ${one.outerHTML.slice(0, 120)}`;
    });
  await expect.poll(focus, { message: `the focus after ${after}` }).toBe("seen");
}

async function press(...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
  await expectFocus(keys.join(" "));
}

async function write(text: string): Promise<void> {
  await page.keyboard.type(text);
  await expectFocus(text);
}

/** Opens a page by its two-key shortcut. */
async function goTo(letter: string, title: string): Promise<void> {
  await press("g", letter);
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
}

/** Opens the row of this name. */
async function openRow(name: string): Promise<void> {
  await expect(page.locator("[data-row]", { hasText: name })).toBeVisible();
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
  for (let rows = 0; rows < 20 && (await focused()) !== name; rows += 1) await press("j");
  await press("Enter");
  await expect(region(name)).toBeVisible();
}

async function openTeam(name: string): Promise<void> {
  await goTo("t", "Teams");
  await press("/");
  await write(name);
  await expect(region(name)).toBeVisible();
  await press("Enter");
}

/** Runs an action from the command palette, typed as a sentence. */
async function say(sentence: string, text: string): Promise<void> {
  await press("Control+k");
  await write(sentence);
  await expect(page.getByRole("option", { name: text }).first()).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await press("Enter");
  await expect(sheet().locator("button[type=submit]")).toBeVisible();
}

/** Moves the focus to the reason, below the fields of the dialog. */
async function toReason(): Promise<void> {
  const reason = sheet().getByRole("combobox", { name: /^Reason/ });
  const isThere = () => reason.evaluate((one) => one === document.activeElement);
  for (let steps = 0; steps < 10 && !(await isThere()); steps += 1) await press("Tab");
  await expect(reason).toBeFocused();
}

/** Submits the dialog once its preview is shown. */
async function send(done: string | RegExp): Promise<void> {
  // While the preview of the last input is loading, the keys do nothing.
  await expect(async () => {
    await expect(sheet().locator("button[type=submit]")).toBeEnabled();
    await press("Control+Enter");
    await expect(sheet()).toHaveCount(0, { timeout: 2000 });
  }).toPass();
  await expect(said(done)).toBeVisible();
  await expectFocus("the sheet");
}

const byKeys: Readonly<Record<string, () => Promise<void>>> = {
  async "release a challenge"() {
    await goTo("c", "Challenges");
    await openRow("Low water");
    await press("r");
    await expect(sheet()).toBeVisible();
    await send("released low-water");
  },
  async "mark a challenge as broken"() {
    await say("mark broken low water", "Mark broken: Low water");
    await send("set the status of low-water to broken");
  },
  async "mark it as fixed from the menu of its row"() {
    await goTo("c", "Challenges");
    await page.locator("[data-row]", { hasText: "Low water" }).focus();
    await press(".");
    await expect(page.getByRole("menuitem").first()).toBeFocused();
    await press("k");
    await expect(sheet()).toBeVisible();
    await send("set the status of low-water to fixed");
  },
  async "release a wave"() {
    await goTo("c", "Challenges");
    await press("/");
    await write("early");
    await expect(page.locator("[data-row]")).toHaveCount(EARLY.length);
    await press("Enter", "x", "j", "X");
    await expect(page.getByText("2 selected")).toBeVisible();
    await press("w");
    await expect(sheet()).toBeVisible();
    await send(/released early-bell/);
  },
  async "create a reset code"() {
    await say("reset code gulls", "Create reset code: Gulls");
    await write("they asked at the desk");
    await send('created a reset code for "Gulls"');
    await expect(region("Gulls").getByText(/^Read this code to the team/)).toBeVisible();
  },
  async "correct an email address"() {
    await say("change email gulls", "Change email: Gulls");
    await press("Control+a");
    await write("gulls@example.com");
    await toReason();
    await write("a typing error");
    await send('of "Gulls"');
  },
  async "hide a test team and show it again"() {
    await say("hide testers", "Hide: Testers");
    await write("our own");
    await send('hid "Testers"');
    await press("u");
    await send(/undid action \d+: hid "Testers"/);
  },
  async "ban a team and undo it"() {
    await say("ban testers", "Ban: Testers");
    await write("shared flags");
    await send('banned "Testers"');
    await press("u");
    await expect(
      sheet().getByRole("button", { name: /: .*(rank changes|moves? down)/ }),
    ).toBeVisible();
    await send(/undid action \d+: banned "Testers"/);
  },
  async "answer a question"() {
    await goTo("m", "Messages");
    await expect(region("Otters").getByText("Is the tide high?")).toBeVisible();
    await press("r");
    await write("It is.");
    await send("answered a question");
  },
  async "post a notice"() {
    await goTo("o", "Overview");
    await press("a");
    await write("Low water");
    await press("Tab");
    await write("Mind the rocks.");
    await send("posted a notice: Low water");
  },
  async "end 15 minutes later"() {
    await press("+");
    await expect(sheet()).toBeVisible();
    await send("changed the event times");
  },
  async "try a flag"() {
    await goTo("c", "Challenges");
    await openRow("Welcome aboard");
    await press("t");
    await write("flag{w3lc0me_ab0ard}");
    await press("Enter");
    await expect(page.getByText("Correct: matches flag 1.")).toBeVisible();
    // The focus leaves the field, so that letters are shortcuts again.
    await press("Tab");
  },
  async "rename a team"() {
    await openTeam("Crows");
    await press("n");
    await press("Control+a");
    await write("Rooks");
    await toReason();
    await write("they asked");
    await send('renamed "Crows" to "Rooks"');
  },
  async "give an award"() {
    await openTeam("Otters");
    await press("+");
    await write("25");
    await toReason();
    await write("found a fault");
    await send('awarded "Otters" 25 points');
  },
  async "read a team's story"() {
    await press("s");
    await expect(page.getByRole("heading", { name: "Activity" })).toBeFocused();
    await expect(region("Otters").getByText("found a fault")).toBeVisible();
  },
  async "see near misses alone"() {
    await goTo("s", "Submissions");
    await press("n");
    await expect(page).toHaveURL(/near=any/);
    await expect(page.getByRole("row").filter({ hasText: "case" })).toBeVisible();
    await expect(page.getByRole("row").filter({ hasText: /Correct/ })).toHaveCount(0);
  },
  async "mark evidence as reviewed"() {
    await press("e");
    const pair = page.locator("[data-row]", { hasText: /Badgers.*Shrimps|Shrimps.*Badgers/ });
    await expect(pair).toBeVisible({ timeout: EVIDENCE_MS_MAX });
    await press("j", "Enter");
    await press("s");
    await press("r");
    await toReason();
    await write("one club");
    await send(/marked the evidence about .* as reviewed/);
  },
};

test("eighteen tasks work with the keyboard only, and the focus is never lost", async () => {
  for (const [task, run] of Object.entries(byKeys)) await test.step(task, run);
});

/** Runs an action from the palette: a press, a sentence with Enter, and its dialog. */
async function command(hand: Hand, action: string, object: string): Promise<void> {
  await hand.press(page.getByRole("button", { name: "Go to" }));
  const field = page.getByRole("combobox", { name: "Page, team, challenge or action" });
  await hand.type(field, `${action} ${object}`);
  const option = page.getByRole("option", { name: `${action}: ${object}` }).first();
  await expect(option).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
}

/** Runs an action from the menu of a challenge's row. */
async function ofRow(hand: Hand, challenge: string, action: string): Promise<void> {
  await hand.open("Challenges");
  await hand.press(button(`Actions for ${challenge}`));
  await hand.press(page.getByRole("menuitem", { name: action, exact: true }));
}

async function searchFor(hand: Hand, team: string): Promise<void> {
  await hand.type(page.getByRole("searchbox", { name: "Search" }), team);
  await expect(region(team)).toBeVisible();
}

async function edit(hand: Hand, challenge: string): Promise<void> {
  await hand.open("Challenges");
  await hand.press(link(`Edit: ${challenge}`));
}

async function openChallenge(hand: Hand, challenge: string): Promise<void> {
  await hand.open("Challenges");
  await hand.press(page.getByRole("rowheader").getByRole("link", { name: challenge, exact: true }));
}

/** Presses the save button of the editor, which saves at once if it shows the whole effect. */
async function saveAtOnce(hand: Hand, done: string): Promise<void> {
  await hand.press(button(/^(Save|Create challenge)$/));
  await expect(said(done)).toBeVisible();
  await expect(page.getByText("No changes")).toBeVisible();
}

/** Local time some hours from now, in the format of its field. */
function inHours(hours: number): string {
  return new Date(Date.now() + hours * HOUR_MS).toISOString().slice(0, 16);
}

type Doing = (hand: Hand) => Promise<void>;

const challengeTasks: Readonly<Record<number, Doing>> = {
  async 1(hand) {
    await hand.open("Challenges");
    await hand.press(link("New challenge"));
    await hand.type(page.getByLabel("Name", { exact: true }), "Sunken Bell");
    await hand.type(page.getByLabel("Category"), "Misc");
    await hand.type(page.getByLabel("Flag 1", { exact: true }), "flag{d1ng}");
    await saveAtOnce(hand, "created the challenge sunken-bell");
  },
  async 2(hand) {
    await edit(hand, "Rising tide");
    await expect(region("Preview").getByText("said backwards")).toBeVisible();
  },
  async 3(hand) {
    await openChallenge(hand, "Rising tide");
    await hand.type(page.getByLabel("Flag", { exact: true }), "FLAG{t1de}");
    await hand.press(page.getByRole("button", { name: "Test", exact: true }));
    await expect(page.getByText("Correct: matches flag 1.")).toBeVisible();
  },
  async 4(hand) {
    await hand.open("Challenges");
    await hand.press(button("Release: Nobody sees this"));
    await hand.confirm("released unseen");
  },
  async 5(hand) {
    await hand.open("Challenges");
    const wave = page.getByRole("checkbox", { name: /^Select Wave/ });
    await expect(wave).toHaveCount(WAVE.length);
    await hand.press(wave.first());
    await hand.press(wave.last(), "Shift");
    await hand.press(button("Release 4 challenges"));
    await hand.confirm(/released .*wave-one/);
  },
  async 6(hand) {
    await hand.open("Challenges");
    await hand.press(button("Release: Sunken Bell"));
    await hand.type(sheet().getByLabel("Time"), inHours(1));
    await hand.confirm("scheduled the release of sunken-bell");
  },
  async 7(hand) {
    await ofRow(hand, "Wave four", "Close challenge");
    await hand.type(sheet().getByLabel("Time"), inHours(1));
    await hand.confirm("set the close time of wave-four");
  },
  async 8(hand) {
    await edit(hand, "Rising tide");
    await hand.give(page.getByLabel("Add attachments"), "note.txt", "another tide");
    await saveAtOnce(hand, "edited tide: files");
  },
  async 9(hand) {
    await edit(hand, "Wave one");
    await hand.type(page.getByLabel("Solution"), "https://example.org/solutions/wave-one");
    await saveAtOnce(hand, "edited wave-one: solution");
  },
  async 11() {
    await expect(page.getByRole("heading", { name: "Needs attention" })).toBeVisible();
  },
  async 12(hand) {
    await hand.open("Challenges");
    await hand.press(button("Mark broken: Wave two"));
    await hand.confirm("set the status of wave-two to broken");
  },
  async 13(hand) {
    await hand.open("Challenges");
    await hand.press(button("Hide: Wave two"));
    await hand.confirm("hid wave-two");
  },
  async 14(hand) {
    await sends("Gulls", "wave-one", "flag{the_better_one}");
    await edit(hand, "Wave one");
    await hand.type(page.getByLabel("Flag 1", { exact: true }), "flag{the_better_one}");
    await saveAtOnce(hand, "edited wave-one: flags");
  },
  async 15(hand) {
    await ofRow(hand, "Wave one", "Rejudge");
    await hand.confirm("rejudged wave-one: 1 submission credited", "its flag was wrong");
  },
  async 16(hand) {
    await hand.open("Submissions");
    await hand.press(button("Withdraw solve: Otters, Welcome aboard"));
    await hand.confirm('withdrew the solve of welcome by "Otters"', "a shared flag");
  },
  async 17(hand) {
    await ofRow(hand, "First at the oars", "Withdraw solve");
    await hand.confirm("withdrew all solves of oars", "its flag was public");
  },
  async 18(hand) {
    await edit(hand, "Wave one");
    await hand.type(page.getByRole("textbox", { name: "Points", exact: true }), "300");
    await saveAtOnce(hand, "edited wave-one: value");
  },
  async 19(hand) {
    await edit(hand, "Rising tide");
    await hand.press(button("Add hint"));
    await hand.type(page.getByLabel("Hint 1", { exact: true }), "Backwards.");
    await saveAtOnce(hand, "edited tide: hints");
  },
};

const teamTasks: Readonly<Record<number, Doing>> = {
  async 20(hand) {
    await hand.open("Teams");
    await searchFor(hand, "Badgers");
  },
  async 21(hand) {
    await command(hand, "Create reset code", "Badgers");
    await hand.confirm(/created a reset code for "Badgers"/, "they asked at the desk");
    await expect(region("Badgers").getByText(/^Read this code to the team/)).toBeVisible();
  },
  async 22(hand) {
    await hand.open("Teams");
    await hand.press(button("Resend confirmation: Newcomers"));
    await expect(said('sent "Newcomers" a new confirmation link')).toBeVisible();
  },
  async 23(hand) {
    await command(hand, "Change email", "Badgers");
    await hand.type(sheet().getByLabel("New email"), "badgers@example.net");
    await hand.confirm('of "Badgers"', "a typing error");
  },
  async 24(hand) {
    await command(hand, "Rename", "Gulls");
    await hand.type(sheet().getByLabel("New name"), "Herons");
    await hand.confirm('renamed "Gulls" to "Herons"', "the rules");
  },
  async 25(hand) {
    await command(hand, "Ban", "Badgers");
    await hand.confirm('banned "Badgers"', "shared flags");
  },
  async 26(hand) {
    await hand.press(button(/^Undo: .* banned "Badgers"\.$/));
    await hand.confirm(/undid action \d+: banned "Badgers"/);
  },
  async 27(hand) {
    await command(hand, "Hide", "Testers");
    await hand.confirm('hid "Testers"', "our own");
  },
  async 28(hand) {
    await command(hand, "Change email", "Rooks");
    await hand.type(sheet().getByLabel("New email"), "both@example.net");
    await hand.confirm('of "Rooks"', "two teams are one");
    await command(hand, "Ban", "Testers");
    await hand.confirm('banned "Testers"', "two teams are one");
  },
  async 29(hand) {
    await command(hand, "Award points", "Otters");
    await hand.type(sheet().getByLabel("Points"), "50");
    await hand.confirm('awarded "Otters" 50 points', "the best write-up");
  },
  async 30(hand) {
    await hand.press(button(/^Undo: .* awarded "Otters" 50 points\.$/));
    await hand.confirm(/undid action \d+: awarded "Otters" 50 points/);
  },
  async 31(hand) {
    await hand.open("Teams");
    await searchFor(hand, "Otters");
    await expect(region("Otters").getByText("found a fault")).toBeVisible();
  },
  async 32(hand) {
    await hand.open("Teams");
    await expect(page.getByRole("columnheader", { name: "Solves" })).toBeVisible();
  },
};

const lookingTasks: Readonly<Record<number, Doing>> = {
  async 33(hand) {
    await hand.open("Submissions");
    const row = page.getByRole("row").filter({ hasText: "Wave three" });
    await expect(page.getByRole("row").nth(1)).toBeVisible();
    await expect(row).toHaveCount(0);
    await sends("Otters", "wave-three", "flag{wave-three}");
    await expect(row).toBeVisible();
  },
  async 34(hand) {
    await hand.open("Submissions");
    await hand.press(page.getByRole("link", { name: "Near misses", exact: true }));
    await expect(page.getByRole("row").filter({ hasText: "Rooks" })).toContainText("case");
  },
  async 35(hand) {
    await hand.open("Submissions");
    await hand.press(link("Evidence"));
    const pair = page.getByRole("row").filter({ hasText: "same incorrect flag" });
    await expect(pair).toBeVisible({ timeout: EVIDENCE_MS_MAX });
  },
  async 36(hand) {
    await hand.open("Submissions");
    await hand.type(page.getByRole("searchbox", { name: "Team or network" }), "127.0.0.1");
    await expect(page).toHaveURL(/q=127.0.0.1/);
    await expect(page.getByRole("row").filter({ hasText: "Rooks" })).toBeVisible();
  },
  async 37() {
    await expect(page.getByText("Free disk")).toBeVisible();
  },
  async 38(hand) {
    await hand.press(button(/^Extend by 15 min/));
    await hand.confirm("changed the event times");
  },
  async 39(hand) {
    await hand.press(button("Pause"));
    await hand.confirm("paused the event");
  },
  async 40(hand) {
    await action({ action: "event.resume" });
    await action({ action: "event.times", freeze: new Date(Date.now() - 60_000).toISOString() });
    await hand.press(button("FROZEN: unfrozen view"));
    await expect(button("FROZEN: public view")).toBeVisible();
    await button("FROZEN: public view").click();
  },
  async 41(hand) {
    await hand.press(button("New notice"));
    await hand.type(sheet().getByLabel("Title"), "The harbour closes");
    await hand.type(sheet().getByLabel("Text"), "At eight.");
    await hand.confirm("posted a notice: The harbour closes");
  },
  async 42(hand) {
    await hand.press(page.getByRole("button", { name: "Answer", exact: true }));
    await hand.type(sheet().getByLabel("Text"), "Still high.");
    await hand.confirm("answered a question");
  },
  async 43(hand) {
    await hand.open("Event");
    await hand.press(button("Reveal scoreboard"));
    await hand.type(sheet().getByLabel("Type the event name to confirm"), EVENT);
    await hand.confirm("revealed the final scoreboard");
  },
  async 44(hand) {
    await hand.open("Event");
    await hand.press(link("Results"));
    const download = page.waitForEvent("download");
    await hand.press(link("ctftime.json"));
    expect((await download).suggestedFilename()).toBe("ctftime.json");
  },
  async 45(hand) {
    await hand.open("Event");
    await hand.press(link("Results"));
    await hand.press(button("Show winners and email addresses"));
    await expect(page.getByText("otters@example.org")).toBeVisible();
  },
  46: (hand) => addOrganizer(hand, "Grace", "organizer"),
  47: (hand) => addOrganizer(hand, "Edsger", "author", "Welcome aboard"),
  async 48(hand) {
    await action({ action: "challenge.status", challenge: "hold", status: "looked_at", note: "" });
    await hand.press(button(/^Undo: .* set the status of hold to investigating\.$/));
    await hand.confirm(/undid action \d+: set the status of hold to investigating/);
  },
};

async function addOrganizer(hand: Hand, name: string, role: string, own?: string): Promise<void> {
  await hand.press(link(/^Account: /));
  await hand.press(button("Add organizer"));
  await hand.type(sheet().getByLabel("Name"), name);
  await hand.press(sheet().getByRole("checkbox", { name: role }));
  if (own !== undefined) await hand.press(sheet().getByRole("checkbox", { name: own }));
  await hand.press(sheet().getByRole("button", { name: "Add", exact: true }));
  await expect(page.getByLabel("Invitation link")).toBeVisible();
}

test("no task takes more clicks than on the best of four, and most take fewer", async () => {
  const doings = { ...challengeTasks, ...teamTasks, ...lookingTasks };
  const counted = new Map<number, Count>();
  for (const { n, task, ours } of tasks) {
    const doing = doings[n];
    expect(doing !== undefined, `${n}. ${task} is done here`).toBe(ours !== null);
    if (!doing) continue;
    await test.step(`${n}. ${task}`, async () => {
      await menuLink(page, "Overview").click();
      await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
      const hand = new Hand(page);
      await doing(hand);
      counted.set(n, hand.count);
    });
  }
  const listed = tasks.filter(({ ours }) => ours !== null);
  expect([...counted]).toEqual(listed.map(({ n, ours }) => [n, ours]));
  const compared = listed.filter(({ best }) => best !== null);
  const difference = compared.map(({ ours, best }) => (best?.clicks ?? 0) - (ours?.clicks ?? 0));
  expect(compared.filter((_, at) => (difference[at] ?? -1) < 0)).toEqual([]);
  const isFewer = difference.filter((clicks) => clicks > 0).length;
  expect(isFewer).toBeGreaterThan(compared.length / 2);
});

test("docs/organize.md has the counted clicks", () => {
  const text = guide();
  expect(tasks.map(({ n }) => n)).toEqual(Array.from({ length: 48 }, (_, at) => at + 1));
  expect(rows.filter((row) => !text.includes(`\n${row}\n`))).toEqual([]);
});
