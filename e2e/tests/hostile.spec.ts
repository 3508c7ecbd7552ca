// Hostile descriptions and rules: nothing runs or opens, and the policy blocks nothing.

import type { Page } from "@playwright/test";
import { HOSTILE_NAMES, PAYLOADS } from "../support/payloads.ts";
import { card } from "../support/player.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

const ATTACK = `
<script>alert("script")</script>
<img src=x onerror="alert('image')">
<svg onload="alert('svg')"><script>alert("svg script")</script></svg>
<a href="javascript:alert('link')">a link</a>
<a href="data:text/html,<script>alert(1)</script>">a document</a>
<iframe srcdoc="<script>alert('frame')</script>"></iframe>
<form action="https://example.org/steal"><input name="password"><button>Go</button></form>
<style>body { display: none }</style>
<p style="position:fixed;inset:0;background:url(https://example.org/pixel)">styled</p>
<math><mtext></table><mglyph><style><img src=x onerror="alert('mutation')"></style></math>
<object data="https://example.org/x"></object><embed src="https://example.org/x">
<base href="https://example.org/"><meta http-equiv="refresh" content="0;url=https://example.org/">
<details open ontoggle="alert('details')"><summary>more</summary>inside</details>
<b id="calm">The text itself stays.</b>
`;

const CHALLENGE = `name: Strange waters
id: strange
category: Web
description: |
${ATTACK.trim()
  .split("\n")
  .map((line) => `  ${line}`)
  .join("\n")}
type: standard
value: 50
flags:
  - flag{calm}
`;

/** Expects the text without any of the hostile parts. */
async function expectHarmless(page: Page): Promise<void> {
  const main = page.getByRole("main");
  await expect(main.getByText("The text itself stays.")).toBeVisible();
  await expect(main.locator("script, iframe, object, embed, style, base, meta")).toHaveCount(0);
  await expect(main.locator("[onerror], [onload], [ontoggle], [style*=position]")).toHaveCount(0);
  await expect(main.locator('a[href^="javascript:"], a[href^="data:"]')).toHaveCount(0);
  await expect(main.locator('form[action], input[name="password"]')).toHaveCount(0);
  const { pathname } = new URL(page.url());
  await main.getByText("a link", { exact: true }).click();
  expect(new URL(page.url()).pathname).toBe(pathname);
}

test("hostile HTML in a description and in the rules is harmless", async ({
  page,
  serve,
  complaints,
}) => {
  const files = {
    "rules.md": `# Rules\n\n${ATTACK}`,
    "challenges/strange/challenge.yml": CHALLENGE,
  };
  const program = await serve({ files });
  await enter(page, program, await newTeam(program, "<img src=x onerror=a>"));
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(program.url)) {
      elsewhere.push(request.url());
    }
  });
  // The text can still cause only one request: for an image that does not exist.
  complaints.allow(/status of 404 .*\/x\)$/);
  for (const path of ["/challenge?open=strange", "/rules"]) {
    await page.goto(program.url + path);
    await expectHarmless(page);
  }
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  await page.goto(`${program.url}/challenge`);
  await expect(card(page, "Strange waters")).toBeVisible();
  await expect(page.getByRole("row").getByText("<img src=x onerror=a>")).toBeVisible();
  expect(elsewhere).toEqual([]);
  expect(complaints.unexpected()).toEqual([]);
});

test("the page sanitizes too: HTML that the server lets through is harmless", async ({
  page,
  program,
  complaints,
}) => {
  // Sanitizing parses the text, and the policy blocks its attempts at that point.
  complaints.allow(/^policy: |Content Security Policy|status of 404 .*\/x\)$/);
  await enter(page, program, await newTeam(program));
  await page.route("**/api/rules", (route) => route.fulfill({ json: { html: ATTACK } }));
  await page.route("**/api/challenge", async (route) => {
    const answer = await route.fetch();
    const { challenges } = await answer.json();
    const attacking = challenges.map((one: object) => ({ ...one, description: ATTACK }));
    await route.fulfill({ response: answer, json: { challenges: attacking } });
  });
  for (const path of ["/challenge?open=welcome", "/rules"]) {
    await page.goto(path);
    await expectHarmless(page);
  }
  // Server messages are rendered as text.
  const message = `<img src=y onerror="alert('message')">`;
  complaints.allow(/status of 401/);
  await page.context().clearCookies();
  await page.route("**/api/forgot", (route) => route.fulfill({ status: 401, json: { message } }));
  await page.goto("/reset");
  await page.getByRole("textbox", { name: "Email" }).fill("a@example.org");
  await page.getByRole("button", { name: /reset link/i }).click();
  await expect(page.getByRole("alert")).toContainText(message);
  await expect(page.locator("img[src=y]")).toHaveCount(0);
});

/** Quotes a text so that YAML, JSON and TOML all accept it. */
const quoted = (text: string) =>
  JSON.stringify(text).replace(/[\u0080-\uffff]/g, (c) => {
    return `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });

/** Five challenges with payloads as texts, and 95 with a payload as name and category. */
function hostileChallenges(): Record<string, string> {
  const plain = (text: string) => text.replaceAll("\u000c", " ");
  const files = PAYLOADS.map((payload, i): [string, string] => {
    const share = PAYLOADS.slice(i * 20, i * 20 + 20);
    const description = i < 5 ? share.map(plain).join("\n\n") : plain(payload);
    const lines = [
      `name: ${quoted(`${i} ${plain(payload)}`)}`,
      `id: p${i}`,
      `category: ${quoted(plain(PAYLOADS[i % 10] ?? ""))}`,
      `description: ${quoted(`calm ${i}\n\n${description}`)}`,
      "type: standard",
      "value: 50",
      `flags: ["flag{${i}}"]`,
      i < 5 ? `files: [${quoted(`dist/${i}<img src=x onerror=alert(9)>.txt`)}]` : "",
    ];
    return [`challenges/p${i}/challenge.yml`, `${lines.join("\n")}\n`];
  });
  const attachments = [0, 1, 2, 3, 4].map((i): [string, string] => {
    return [`challenges/p${i}/dist/${i}<img src=x onerror=alert(9)>.txt`, "text"];
  });
  return Object.fromEntries([...files, ...attachments]);
}

test("a hundred payloads in every text are text", async ({ page, serve, complaints }) => {
  test.setTimeout(180_000);
  expect(new Set(PAYLOADS).size).toBe(100);
  const everything = `<img src=x onerror=alert(1)>"'\`{{7*7}}<script>alert(2)</script>`;
  const program = await serve({
    files: {
      ...hostileChallenges(),
      "rules.md": PAYLOADS.join("\n\n"),
    },
    edit: (text) =>
      text
        .replace(/^name = .*$/m, `name = ${quoted(everything)}`)
        .replace(/^flag_format = .*$/m, `flag_format = ${quoted(everything)}`)
        .replace(/^student_label = .*$/m, `student_label = ${quoted(everything)}`)
        .replace(/^\[site\]$/m, `[site]\nbanner = ${quoted(everything)}`)
        .replace(/^provider = .*$/m, 'provider = "off"'),
  });
  // CSV escapes a quote by doubling it.
  const cell = (name: string) => `"${name.replaceAll('"', '""')}"`;
  await program.importTeams(
    HOSTILE_NAMES.map((name, i) => ({
      name: cell(name),
      email: `team${i}@example.org`,
      country: "UN",
      password: "",
    })),
  );
  const team = await newTeam(program, "Calm crew");
  await program.solve(team.token, "p0", "flag{0}");
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(program.url)) {
      elsewhere.push(request.url());
    }
  });
  await enter(page, program, team);
  const names = HOSTILE_NAMES.map((name) => `/team/${encodeURIComponent(name)}`);
  const opened = [0, 1, 2, 3, 4].map((i) => `/challenge?open=p${i}`);
  const paths = ["/", "/rules", "/signup", "/login", "/scoreboard", "/challenge", ...opened];
  for (const path of [...paths, ...names.filter((_, i) => i % 25 === 0)]) {
    await page.goto(program.url + path);
    await expect(page.getByRole("main").getByRole("heading").first()).toBeVisible();
    if (opened.includes(path)) {
      await expect(page.getByText(`calm ${path.slice(-1)}`, { exact: true })).toBeVisible();
      const file = `${path.slice(-1)}<img src=x onerror=alert(9)>.txt`;
      await expect(page.getByText(file).first()).toBeVisible();
    }
    const foreign = page.locator(
      "main :is(img[src=x], iframe, object, embed, base, meta, math, [onerror], [onload])",
    );
    await expect(foreign, path).toHaveCount(0);
  }
  // The payloads are shown as plain text.
  await page.goto(`${program.url}/scoreboard`);
  await expect(page.getByText(HOSTILE_NAMES[0] ?? "").first()).toBeVisible();
  await page.goto(`${program.url}/challenge`);
  await expect(page.getByText("0 <script>alert(1)</script>").first()).toBeVisible();
  expect(elsewhere).toEqual([]);
  expect(complaints.unexpected()).toEqual([]);
});

test("the page watch detects a dialog, an error and a policy violation", async ({
  page,
  complaints,
}) => {
  await page.goto("/rules");
  await page.evaluate(() => {
    setTimeout(() => alert("hello"));
    console.error("oh no");
    const script = document.createElement("script");
    try {
      script.setAttribute("src", "data:text/javascript,1");
    } catch {
      // Trusted Types also reject it with an exception.
    }
  });
  for (const kind of [/^dialog: hello/, /^console: oh no/, /^policy: /]) {
    await expect.poll(() => complaints.unexpected().some((one) => kind.test(one))).toBe(true);
  }
  complaints.allow(/./);
});
