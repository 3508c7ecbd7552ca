/** The document title names the page; on the home page it is only the event's name. */
import { waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { open, PATIENT } from "../../fake-server";
import { en } from "../../messages/en";
import { pageName } from "./title";

const TABLE: [path: string, search: string, name: string | null][] = [
  ["/", "", null],
  ["/scoreboard", "?page=2", "Scoreboard"],
  ["/challenge", "", "Challenges"],
  ["/login", "", "Login"],
  ["/team/50%25%20off", "", "50% off"],
  ["/team", "?name=..", ".."],
  ["/team", "", "Page not found"],
  ["/organize/invite", "", "Organizers"],
  ["/rules/none", "", "Page not found"],
  ["/constructor", "", "Page not found"],
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
