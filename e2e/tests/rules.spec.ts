// Rules and signup of the example event, which is the event in the specification.

import { expect, test } from "../support/test.ts";

const EVENT = "examples/beginner";

test("the rules have the event's times in its zone, and everything players must know", async ({
  page,
  serve,
}) => {
  const start = Date.UTC(2023, 10, 25, 13) / 1000 - Date.now() / 1000;
  const when = { start, freeze: start + 4 * 3600, end: start + 5 * 3600 };
  const program = await serve({ event: EVENT, when });
  await page.goto(`${program.url}/rules`);
  await expect(page.getByRole("heading", { level: 1, name: "Rules" })).toBeVisible();
  const rules = page.getByRole("main");
  for (const sentence of [
    /starts at .*2\s?pm CET.*25 November 2023|starts at .*25 November 2023.*(14:00|2\s?pm) CET/i,
    /lasts 5 hours/,
    /All challenges are released at the start/,
    /from 500 down to 50 points/,
    /frozen one hour before the end, at .*(6\s?pm|18:00) CET/i,
    /at most 4 players, and nobody plays in more than one team/,
    /Do not share flags or hints with other teams/,
    /Never attack anything outside the challenge host/,
    /Do not use automatic scanners, and do not brute-force flags/,
    /pier\{\.\.\.\}, unless\s+the challenge says otherwise.*fixed prefix.*l33t between braces/s,
    /confirm your email address before you can play/,
    /top 3 teams made up only of students\s+of the local polytechnic.*contact\s+them by email/s,
    /ask the authors of the challenge, or join the chat/,
    /organizers may change these rules and may disqualify teams/,
  ]) {
    await expect(rules).toContainText(sentence);
  }
  await expect(rules).not.toContainText(/\{(start|end|freeze|length|flag_format|max|min)\}/);
});

test("its signup asks if the team is from the polytechnic", async ({ page, serve }) => {
  const program = await serve({ event: EVENT });
  await page.goto(`${program.url}/signup`);
  const label = "My team is fully composed of polito students. (optional)";
  await expect(page.getByRole("checkbox", { name: label, exact: true })).not.toBeChecked();
});
