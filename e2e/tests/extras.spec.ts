// Scoreboard features beyond the table: the top-ten graph, search, and solver lists.

import type { Page } from "@playwright/test";
import { expectLive } from "../support/player.ts";
import { enter, expect, type Team, test } from "../support/test.ts";

const TEAMS = 60;

// Counts and orders must not include teams of other test files.
test.use({ own: "extras" });

let tokens = new Map<string, string>();

function nameOf(number: number): string {
  return number === TEAMS ? "Café Olé" : `Crew ${String(number).padStart(2, "0")}`;
}

function team(number: number): Team {
  return { name: nameOf(number), token: tokens.get(nameOf(number)) ?? "" };
}

test.beforeAll(async ({ program }) => {
  const numbers = Array.from({ length: TEAMS }, (_, index) => index + 1);
  tokens = await program.importTeams(
    numbers.map((number) => {
      const name = nameOf(number);
      return { name, email: `crew-${number}@example.org`, country: "IT", password: "" };
    }),
  );
  for (const number of [3, 1, 2, 5, 4, 6, 7, 8, 9, 10, 11, 12]) {
    await program.solve(team(number).token, "welcome", "flag{w3lc0me_ab0ard}");
  }
  for (const number of [7, 2]) {
    await program.solve(team(number).token, "tide", "flag{t1de}");
  }
});

function board(page: Page) {
  return page.getByRole("table", { name: "Scoreboard", exact: true });
}

function names(page: Page) {
  return board(page).getByRole("rowheader");
}

function graph(page: Page) {
  return page.getByRole("region", { name: "Top 10 over time" });
}

test.describe("the score graph", () => {
  test("a button opens it; the table beside it has the board's numbers", async ({ page }) => {
    await page.goto("/scoreboard");
    const button = page.getByRole("button", { name: "Score graph" });
    await expect(button).toHaveAttribute("aria-expanded", "false");
    await button.click();
    await expect(button).toHaveAttribute("aria-expanded", "true");
    await expect(page).toHaveURL(/[?&]graph=true/);
    const table = graph(page).getByRole("table");
    await expect(table).toBeHidden();
    await graph(page).getByText("Scores as a table").click();
    await expect(table.getByRole("rowheader")).toHaveCount(10);
    expect(await table.getByRole("rowheader").allTextContents()).toEqual(
      (await names(page).allTextContents()).slice(0, 10),
    );
    const scores = await board(page)
      .getByRole("row")
      .filter({ has: page.getByRole("rowheader") })
      .evaluateAll((rows) => rows.map((row) => row.children[3]?.textContent));
    const now = await table
      .getByRole("row")
      .filter({ has: page.getByRole("rowheader") })
      .evaluateAll((rows) => rows.map((row) => row.lastElementChild?.textContent));
    expect(now).toEqual(scores.slice(0, 10));
    await expect(graph(page)).toMatchAriaSnapshot(`
      - region "Top 10 over time":
        - heading "Top 10 over time" [level=2]
        - img "Top 10 scores over time. The table below has the same data."
        - slider "Time"
        - list:
          - listitem:
            - button /^1 Crew 07 559$/
        - group:
          - text: Scores as a table
          - region "Top 10 scores over time":
            - table "Top 10 scores over time":
              - rowgroup:
                - row /# Line Team .* Now/
              - rowgroup:
                - row /^1 Crew 07 .* 559$/:
                  - rowheader "Crew 07":
                    - link "Crew 07"
                - row /^2 Crew 02 .* 559$/
                - row /^3 Crew 03 .* 100$/
    `);
    await page.reload();
    await expect(graph(page)).toBeVisible();
    await button.click();
    await expect(graph(page)).toHaveCount(0);
    await expect(page).not.toHaveURL(/graph/);
  });
});

test.describe("the search", () => {
  test("finds by part of a name, keeps the rank, and is in the URL", async ({ page }) => {
    await page.goto("/scoreboard");
    await expect(names(page)).toHaveCount(50);
    await page.keyboard.press("/");
    const box = page.getByRole("searchbox", { name: "Search teams" });
    await expect(box).toBeFocused();
    await page.keyboard.type("olé");
    await expect(names(page)).toHaveText(["Café Olé"]);
    await expect(board(page).getByRole("row").last().getByRole("cell").first()).toHaveText(/^\d+$/);
    await expect(page.getByRole("status").filter({ hasText: "1 team found" })).toBeVisible();
    await expect(page).toHaveURL(/[?&]q=/);
    await page.reload();
    await expect(names(page)).toHaveText(["Café Olé"]);
    await expect(box).toHaveValue("olé");
    await box.fill("CREW 0");
    await expect(names(page)).toHaveCount(9);
    await expect(names(page).first()).toHaveText("Crew 07");
    await box.fill("no such crew");
    await expect(page.getByText("No matching teams.")).toBeVisible();
    await expect(board(page)).toHaveCount(0);
    await box.press("Escape");
    await expect(names(page)).toHaveCount(50);
    await expect(page).not.toHaveURL(/[?&]q=/);
    // In the search box, a slash is just text.
    await box.press("/");
    await expect(box).toHaveValue("/");
  });

  test("a search from a later page starts at the first", async ({ page }) => {
    await page.goto("/scoreboard?page=2");
    await expect(names(page)).toHaveCount(TEAMS - 50);
    await page.getByRole("searchbox", { name: "Search teams" }).fill("crew");
    await expect(names(page)).toHaveCount(50);
    await expect(page).not.toHaveURL(/[?&]page=/);
  });
});

test.describe("solvers", () => {
  test("a column's header opens them in order; Esc returns to the header", async ({ page }) => {
    await page.goto("/scoreboard");
    const header = board(page).getByRole("button", { name: "Solvers of Welcome aboard" });
    await header.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Solvers of Welcome aboard" });
    await expect(dialog).toBeVisible();
    await expect(page).toHaveURL(/[?&]solvers=welcome/);
    await expect(dialog).toMatchAriaSnapshot(`
      - dialog "Solvers of Welcome aboard":
        - heading "Solvers of Welcome aboard" [level=2]
        - button "Close"
        - list "Solvers of Welcome aboard":
          - listitem:
            - text: "1"
            - img "Italy"
            - link "Crew 03":
              - /url: /team/Crew%2003
            - time: /\\d+ \\w+, \\d\\d:\\d\\d:\\d\\d UTC/
          - listitem:
            - text: "2"
            - link "Crew 01"
          - listitem:
            - text: "3"
            - link "Crew 02"
    `);
    await expect(dialog.getByRole("listitem")).toHaveCount(12);
    // The browser traps the focus inside.
    for (let tabs = 0; tabs < 16; tabs += 1) {
      await page.keyboard.press("Tab");
      const inside = await page.evaluate(
        () =>
          document.activeElement === document.body || !!document.activeElement?.closest("dialog"),
      );
      expect(inside).toBe(true);
    }
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await expect(page).not.toHaveURL(/solvers/);
    await expect(header).toBeFocused();
  });

  test("a linked list of solvers opens at once, updates live, and says if it is empty", async ({
    page,
    program,
  }) => {
    await page.goto("/scoreboard?solvers=oars");
    const dialog = page.getByRole("dialog", { name: "Solvers of First at the oars" });
    await expect(dialog).toContainText("No solves yet.");
    await expectLive(page);
    await program.solve(team(40).token, "oars", "flag{r0w}");
    await expect(dialog.getByRole("link")).toHaveText([nameOf(40)]);
    await dialog.getByRole("link", { name: nameOf(40) }).click();
    await expect(page.getByRole("heading", { level: 1, name: nameOf(40) })).toBeVisible();
    await expect(dialog).toHaveCount(0);
  });

  test("an open card expands its own, in order", async ({ page, program }) => {
    await enter(page, program, team(50));
    await page.goto("/challenge?open=tide");
    const card = page.getByRole("article", { name: "Rising tide" });
    await expect(card.getByRole("list", { name: "Solvers of Rising tide" })).toHaveCount(0);
    await card.getByText("Solvers (2)").click();
    const list = card.getByRole("list", { name: "Solvers of Rising tide" });
    await expect(list.getByRole("link")).toHaveText([nameOf(7), nameOf(2)]);
    await expect(list.getByRole("listitem").first()).toContainText(/\d\d:\d\d:\d\d UTC/);
  });
});
