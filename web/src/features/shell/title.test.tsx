/** The document's title says which page it is; at home it is the event's name alone. */
import { waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { en } from "../../messages/en";
import { open, PATIENT } from "../../stand-in";
import { pageName } from "./title";

const TABLE: [path: string, search: string, name: string | null][] = [
  ["/", "", null],
  ["/scoreboard", "?page=2", "Scoreboard"],
  ["/challenge", "", "Challenges"],
  ["/login", "", "Login"],
  ["/team/50%25%20off", "", "50% off"],
  ["/team", "?name=..", ".."],
  ["/team", "", "Nothing here"],
  ["/organize/invite", "", "Organizers"],
  ["/rules/none", "", "Nothing here"],
  ["/constructor", "", "Nothing here"],
];
for (const [path, search, name] of TABLE) {
  test(`${path}${search} is ${name}`, () => expect(pageName(en, { path, search })).toBe(name));
}

test("the title follows the page, with the event's name", async () => {
  const { user } = open("/rules");
  await waitFor(() => expect(document.title).toBe("Rules · Harbour CTF"), PATIENT);
  const home = document.querySelector<HTMLElement>("header a");
  if (home) await user.click(home);
  await waitFor(() => expect(document.title).toBe("Harbour CTF"), PATIENT);
});
