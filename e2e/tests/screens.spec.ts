// Accessibility trees of the main screens: roles, names, order.

import { expectLive } from "../support/player.ts";
import { enter, expect, newTeam, test } from "../support/test.ts";

test("home", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - main:
      - heading "Harbour Test CTF" [level=1]
      - paragraph: /There are \\d+ days, \\d+ hours and \\d+ minutes left\\./
      - link "Press play to compete.":
        - /url: /challenge
      - link "Sign up your team":
        - /url: /signup
      - region "Try it now":
        - heading "Try it now" [level=2]
        - textbox "Flag of the riddle"
        - button "Submit"
      - navigation:
        - link "Microblog"
        - link "Chat"
      - list "The event in numbers"
      - region "New to CTFs?":
        - list
  `);
});

test("navigation", async ({ page }) => {
  await page.goto("/rules");
  await expect(page.getByRole("navigation", { name: "Main" })).toMatchAriaSnapshot(`
    - navigation "Main":
      - link "Harbour Test CTF":
        - /url: /
      - list:
        - listitem:
          - link "Scoreboard":
            - /url: /scoreboard
        - listitem:
          - link "Challenges":
            - /url: /challenge
        - listitem:
          - link "Rules":
            - /url: /rules
      - list:
        - listitem:
          - link "Login":
            - /url: /login
        - listitem:
          - link "Signup":
            - /url: /signup
  `);
});

test("rules", async ({ page }) => {
  await page.goto("/rules");
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - main:
      - article:
        - heading "Rules" [level=1]
        - list:
          - listitem: /The event starts at .* and lasts \\d+ hours\\./
          - listitem:
            - text: Flags look like
            - code: "flag{...}"
          - listitem: Dynamic scoring runs from 500 down to 50 points.
  `);
});

test("login", async ({ page }) => {
  await page.goto("/login");
  await expect(page.locator("altcha-widget").getByRole("checkbox")).toBeVisible();
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - main:
      - heading "Login" [level=1]
      - text: Team
      - textbox "Team"
      - text: Password
      - textbox "Password"
      - group "Captcha":
        - checkbox
      - button "Login"
      - link "No team yet? Sign up"
      - link "Forgot your password?"
  `);
});

test("signup", async ({ page }) => {
  await page.goto("/signup");
  await expect(page.locator("altcha-widget").getByRole("checkbox")).toBeVisible();
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - main:
      - heading "Signup" [level=1]
      - textbox "Team name"
      - textbox "Email"
      - combobox "Country"
      - textbox "Password"
      - checkbox "My team is fully composed of students. (optional)"
      - group "Captcha":
        - checkbox
      - button "Signup"
  `);
});

test("challenges and scoreboard of a team", async ({ page, serve }) => {
  const program = await serve({});
  const team = await newTeam(program, "Readers", "FR");
  await enter(page, program, team);
  await program.solve(team.token, "oars", "flag{r0w}");
  await page.goto(`${program.url}/challenge?open=tide`);
  await expectLive(page);
  await expect(page.getByRole("article", { name: "Rising tide" })).toMatchAriaSnapshot(`
    - article "Rising tide":
      - heading /Rising tide/ [level=3]:
        - button /Rising tide 500 points 0 solves Crypto/ [expanded]
      - paragraph: What the note says, said backwards. Capitals do not matter.
      - list "Attachments":
        - listitem:
          - link "note.txt"
      - textbox "Flag for Rising tide"
      - button "Submit"
      - status
  `);
  await expect(page.getByRole("region", { name: "Hide Categories" })).toMatchAriaSnapshot(`
    - region "Hide Categories":
      - heading "Hide Categories" [level=2]
      - list:
        - listitem:
          - button "Misc"
        - listitem:
          - button "Crypto"
        - listitem:
          - button "Web"
  `);
  await page.goto(`${program.url}/scoreboard`);
  const table = page.getByRole("table", { name: "Scoreboard", exact: true });
  await expect(table).toMatchAriaSnapshot(`
    - table "Scoreboard":
      - rowgroup:
        - row:
          - columnheader "Misc"
          - columnheader "Crypto"
          - columnheader "Web"
        - row:
          - columnheader "#"
          - columnheader "Country"
          - columnheader "Team"
          - columnheader "Score"
          - columnheader "Welcome aboard, 100 points"
          - columnheader "First at the oars, speedrun"
          - columnheader "Rising tide, 500 points"
          - columnheader "Below the hold, 200 points"
      - rowgroup:
        - row /Readers/:
          - cell "1"
          - cell:
            - img "France"
          - rowheader /Readers .*your team/
          - cell "150"
          - cell:
            - img /First at the oars. solved first, .* UTC/
  `);
});
