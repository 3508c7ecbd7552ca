// A whole event in one engine: a team signs up, confirms, logs in, and submits an incorrect and a
// correct flag. The scoreboard changes, the network fails and recovers, and the event freezes and
// ends.

import { test as base, expect } from "@playwright/test";
import { Program } from "../support/program.ts";
import type { Engine, EngineOptions } from "./engine.ts";
import { Firefox } from "./firefox.ts";
import { Front } from "./front.ts";
import { WebKit } from "./webkit.ts";

/** User agent patterns of each engine: a required one and forbidden ones. */
const AGENTS = {
  Firefox: { own: /Gecko\/\d+ Firefox\/\d+/, foreign: /WebKit|Chrom/ },
  WebKit: { own: /AppleWebKit\/\d+.* Safari\/\d+/, foreign: /Chrom|Firefox/ },
};
const PLAYER = { name: "Zephyr Sailors", email: "zephyr@example.org", password: "fair winds 7" };
const RIVAL = { name: "Aardvark Divers", email: "divers@example.org", country: "IT", password: "" };
const HOUR_S = 3600;
/** Delay of the new end, because a running event can only end in the future. */
const END_S = 2;

interface Fixtures {
  front: Front;
  program: Program;
  visitor: Engine;
}

const test = base.extend<EngineOptions & Fixtures>({
  engine: ["Firefox", { option: true }],

  front: async ({ engine: _ }, use) => {
    const front = await Front.open();
    await use(front);
    await front.close();
  },

  program: async ({ front }, use) => {
    const when = { start: -60, freeze: HOUR_S, end: 2 * HOUR_S };
    const environment = { FLAGSHIP_PUBLIC_URL: front.url };
    const program = await Program.start({ when, environment });
    front.leadTo(program.url);
    await use(program);
    await program.stop();
  },

  visitor: async ({ engine, program: _ }, use, info) => {
    const visitor = await (engine === "Firefox" ? Firefox : WebKit).start();
    await use(visitor);
    if (info.status !== info.expectedStatus) {
      const body = await visitor.read<string>("document.body.innerText");
      await info.attach("page.txt", { body, contentType: "text/plain" });
    }
    await visitor.close();
  },
});

test("an event from signup to its end", async ({ engine, front, program, visitor }) => {
  const rival = (await program.importTeams([RIVAL])).get(RIVAL.name) ?? "";
  const text = () => visitor.read<string>("document.body.innerText");
  const agent = await visitor.read<string>("navigator.userAgent");
  expect(agent).toMatch(AGENTS[engine].own);
  expect(agent).not.toMatch(AGENTS[engine].foreign);

  await test.step("sign up, confirm, log in", async () => {
    await visitor.open(`${front.url}/signup`);
    await visitor.fill("Team name", PLAYER.name);
    await visitor.fill("Email", PLAYER.email);
    await visitor.fill("Country", "France");
    await visitor.press("option", "France");
    await visitor.fill("Password", PLAYER.password);
    await solveCaptcha(visitor);
    await visitor.press("button", "Signup");
    await expect.poll(text).toContain("Team created, check your email for a verification link!");
    const link = () => program.mailedLink(PLAYER.email, "confirm");
    await expect.poll(link).toContain(`${front.url}/confirm#`);
    await visitor.open((await link()) ?? "");
    await visitor.press("button", "Confirm email");
    await expect.poll(text).toContain("Your team is confirmed. You can now log in.");
    await visitor.press("link", "Login");
    await visitor.fill("Team", PLAYER.name);
    await visitor.fill("Password", PLAYER.password);
    await solveCaptcha(visitor);
    await visitor.press("button", "Login");
    await visitor.press("link", "Press play to compete.");
  });

  await test.step("be wrong, solve", async () => {
    await visitor.open(`${front.url}/challenge?open=welcome`);
    await visitor.fill("Flag for Welcome aboard", "harbour{not_this_one}");
    await visitor.press("button", "Submit");
    await expect.poll(text).toContain("Incorrect flag. Flags look like flag{…}");
    await expect.poll(() => board(visitor)).toEqual([RIVAL.name, PLAYER.name]);
    await visitor.fill("Flag for Welcome aboard", "flag{w3lc0me_ab0ard}");
    await visitor.press("button", "Submit");
    await expect.poll(() => board(visitor)).toEqual([PLAYER.name, RIVAL.name]);
  });

  await test.step("the board moves, without the network not, and then it catches up", async () => {
    await visitor.open(`${front.url}/scoreboard`);
    await expect.poll(() => board(visitor)).toEqual([PLAYER.name, RIVAL.name]);
    await visitor.read("void (window.loadedOnce = true)");
    await program.solve(rival, "oars", "flag{r0w}");
    await expect.poll(() => board(visitor)).toEqual([RIVAL.name, PLAYER.name]);
    front.cut();
    await expect.poll(text).toContain("Offline. Scoreboard as of ");
    await program.solve(rival, "welcome", "flag{w3lc0me_ab0ard}");
    expect(await score(visitor, RIVAL.name)).toBe("150");
    front.leadTo(program.url);
    await expect.poll(() => score(visitor, RIVAL.name)).toBe("250");
    await expect.poll(text).not.toContain("Offline");
    expect(await visitor.read("window.loadedOnce")).toBe(true);
  });

  await test.step("the freeze hides a solve, the end shows it", async () => {
    await program.reschedule({ freeze: 0 });
    await expect.poll(text).toContain("Scoreboard frozen");
    await program.solve(rival, "hold", "flag{h0ld}");
    await visitor.open(`${front.url}/scoreboard`);
    await expect.poll(text).toContain("Scoreboard frozen");
    await expect.poll(() => score(visitor, RIVAL.name)).toBe("250");
    await program.reschedule({ end: END_S });
    await expect.poll(text, { timeout: 20_000 }).toContain("CTF ended");
    await expect.poll(() => score(visitor, RIVAL.name)).toBe("450");
  });
});

async function solveCaptcha(visitor: Engine): Promise<void> {
  await visitor.tick("I'm not a robot");
  const text = () => visitor.read<string>("document.querySelector('altcha-widget').innerText");
  await expect.poll(text, { timeout: 20_000 }).toContain("Verified");
}

/** Names of both teams in row order. */
async function board(visitor: Engine): Promise<string[]> {
  const heads = `[...document.querySelectorAll("tbody th")].map((head) => head.textContent)`;
  const names = (head: string) =>
    [PLAYER, RIVAL].flatMap(({ name }) => (head.includes(name) ? [name] : []));
  return (await visitor.read<string[]>(heads)).flatMap(names);
}

/** Score in the team's row. */
function score(visitor: Engine, name: string): Promise<string> {
  const rows = `[...document.querySelectorAll("tbody tr")]`;
  const isOurs = `(row) => row.textContent.includes(${JSON.stringify(name)})`;
  return visitor.read(`${rows}.find(${isOurs})?.cells[3].textContent`);
}
