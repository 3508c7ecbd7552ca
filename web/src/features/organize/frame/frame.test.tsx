/** The frame: menu by role, public view, keyboard shortcuts, and list filters in the URL. */
import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { callsTo, open, PATIENT, server } from "../../../fake-server";
import { BANNED, OVERVIEW, OWNERS_ACTIONS, signedIn } from "../fake-server";

beforeEach(() => signedIn());

const find = (role: string, name: string | RegExp) => screen.findByRole(role, { name }, PATIENT);
const rail = async () => within(await find("navigation", "Organizer pages"));
const menu = async () => {
  const links = (await rail()).getAllByRole("link");
  return links.map((link) => link.querySelector("span")?.textContent);
};
/** Chooses a language in the account menu. */
async function choose(user: UserEvent, menu: RegExp, language: string, name: string) {
  await user.click(await find("button", menu));
  await user.click(await find("menuitem", new RegExp(`^${language}`)));
  await user.click(await find("menuitemradio", name));
  await user.keyboard("{Escape}{Escape}");
}
const address = () => window.location.pathname + window.location.search;

describe("each role sees only its pages", () => {
  test("an owner sees all seven", async () => {
    open("/organize");
    const all = [
      "Overview",
      "Challenges",
      "Teams",
      "Submissions",
      "Messages",
      "Event",
      "Audit log",
    ];
    expect(await menu()).toEqual(all);
  });
  test("an observer sees only the common pages", async () => {
    const actions = ["event.overview", "team.list", "challenge.list", "list.export"];
    signedIn(actions, ["observer"]);
    open("/organize/submissions");
    expect(await screen.findByText(/Page not found/, {}, PATIENT)).toBeTruthy();
    expect(await menu()).toEqual(["Overview", "Challenges", "Teams", "Event"]);
    // Nothing to switch: this role cannot see the unfrozen view.
    expect(screen.queryByRole("button", { name: /FROZEN/ })).toBeNull();
    expect(await screen.findByText("FROZEN: public view", {}, PATIENT)).toBeTruthy();
  });
});

test("the rail counts open questions, and v switches to the public view in the URL", async () => {
  server.replies["/organize/overview"] = [200, { ...OVERVIEW, isPaused: true }];
  const { user } = open("/organize/teams?q=ott");
  expect(await screen.findByText("PAUSED", {}, PATIENT)).toBeTruthy();
  const questions = await find("link", /^Messages 2 open questions/);
  expect(questions.getAttribute("href")).toBe("/organize/messages");
  await waitFor(() => expect(document.title).toBe("(2) Teams · Harbour CTF"));
  await find("button", "FROZEN: unfrozen view");
  await user.keyboard("v");
  expect(await find("button", "FROZEN: public view")).toBeTruthy();
  expect(address()).toBe("/organize/teams?q=ott&view=public");
  expect(screen.getByRole("link", { name: "Audit log" }).getAttribute("href")).toBe(
    "/organize/audit-log?view=public",
  );
});

test("without a freeze the header names only the public view", async () => {
  server.replies["/organize/overview"] = [200, { ...OVERVIEW, isFrozen: false }];
  const { user } = open("/organize/teams");
  await find("link", /2 open questions/);
  expect(screen.queryByText(/FROZEN|Unfrozen view|Public view/)).toBeNull();
  await user.keyboard("v");
  expect(await find("button", "Public view")).toBeTruthy();
  expect(address()).toBe("/organize/teams?view=public");
});

test("a role acts on the event from the bar, and its menu is of its account", async () => {
  const { user } = open("/organize/teams");
  expect(await find("button", "New notice")).toBeTruthy();
  await user.keyboard("p");
  const sheet = await find("dialog", /^Pause/);
  await user.click(within(sheet).getByRole("button", { name: "Close" }));
  await user.click(await find("button", "Menu of Ada"));
  const items = within(await find("menu", "Menu of Ada")).getAllByRole("menuitem");
  expect(items.map(({ textContent }) => textContent)).toEqual([
    ...["Adaowner", "View as player", "Shortcuts?", "LanguageEnglish", "ThemeSystem", "Log out"],
  ]);
  expect(items[1]?.getAttribute("href")).toBe("/");
});

test("the players' bar, footer and urgent notices are not on organizer pages", async () => {
  open("/organize");
  await menu();
  expect(screen.queryByRole("navigation", { name: "Main" })).toBeNull();
  expect(screen.queryByRole("contentinfo")).toBeNull();
  expect(screen.getByRole("link", { name: "Skip to content" })).toBeTruthy();
});

test("in another language it names the available ones", async () => {
  const { user } = open("/organize");
  await menu();
  const said = /nur auf Englisch und Italienisch/;
  expect(screen.queryByText(said)).toBeNull();
  await choose(user, /Menu of/, "Language", "Deutsch");
  expect(await screen.findByText(said, {}, PATIENT)).toBeTruthy();
  await choose(user, /Menu of/, "Sprache", "Italiano");
  await waitFor(() => expect(screen.queryByText(said)).toBeNull(), PATIENT);
});

test("two-key shortcuts open a page; j, Enter and Esc open and close a row", async () => {
  const { user } = open("/organize");
  await find("heading", /^Needs attention/);
  await user.keyboard("gt");
  expect(await find("heading", "Teams")).toBeTruthy();
  const row = await find("link", "Otters");
  await user.keyboard("j{Enter}");
  const panel = await find("region", "Otters");
  expect(address()).toBe("/organize/teams?team=Otters");
  expect(document.activeElement?.textContent).toBe("Otters");
  expect(within(panel).getByText("550 <b>no</b>")).toBeTruthy();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(address()).toBe("/organize/teams"));
  expect(document.activeElement).toBe(row);
});

test("the palette finds pages and teams, and opens the selection", async () => {
  const { user } = open("/organize");
  await find("heading", /^Needs attention/);
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await find("combobox", "Page, team, challenge or action"), "ott");
  expect(await find("option", /^Otters/)).toBeTruthy();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(address()).toBe("/organize/teams?team=Otters"));
  expect(await find("region", "Otters")).toBeTruthy();
});

test("no letter after Ctrl K is lost; IDs are found, and Enter runs the first match", async () => {
  server.replies["/organize/teams"] = [200, { teams: [], total: 0, next: null }];
  const { user } = open("/organize");
  await find("heading", /^Needs attention/);
  await user.keyboard("{Control>}k{/Control}web");
  const field = screen.getByRole("combobox", { name: "Page, team, challenge or action" });
  expect(field).toHaveProperty("value", "web");
  expect(document.activeElement).toBe(field);
  const crumbs = await find("option", /^Crumbs/);
  expect(crumbs.getAttribute("aria-selected")).toBe("true");
  expect(field.getAttribute("aria-activedescendant")).toBe(crumbs.id);
  await user.clear(field);
  await user.type(field, "no such thing");
  expect(await screen.findByText(/^No results/, {}, PATIENT)).toBeTruthy();
  const results = within(screen.getByRole("dialog", { name: "Go to" }));
  expect(results.queryByRole("option")).toBeNull();
  await user.clear(field);
  await user.type(field, "e{ArrowUp}{ArrowDown}{ArrowDown}");
  const [, second] = await results.findAllByRole("option");
  expect(second?.getAttribute("aria-selected")).toBe("true");
  await user.clear(field);
  await user.type(field, "near{Enter}");
  await waitFor(() => expect(address()).toBe("/organize/submissions?near=any"));
});

test("letters of a row need the focus at it, and typed text runs no shortcut", async () => {
  const { user } = open("/organize/teams?team=Otters");
  const title = within(await find("region", "Otters")).getByRole("heading", { level: 2 });
  await find("button", /^Ban/);
  title.blur();
  await user.keyboard("b");
  expect(screen.queryByRole("dialog")).toBeNull();
  title.focus();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(address()).toBe("/organize/teams"));
  await user.keyboard("hello crumbs glue");
  expect(address()).toBe("/organize/teams");
  expect(screen.queryByRole("dialog")).toBeNull();
});

test.each([
  ["settings", "Settings Event"],
  ["brand", "Branding Event"],
  ["people", "Organizers Event"],
  ["winners", "Results Event"],
  ["import", "Import teams Teams"],
  ["token", "Account"],
  ["backup", "Download a backup… Event"],
  ["SMTP", "Email Set up your event"],
])("the palette finds %s by a plain word", async (word, name) => {
  const actions = [...OWNERS_ACTIONS, "settings.read", "settings.set", "event.backup"];
  signedIn([...actions, "organizer.list", "team.import"]);
  const { user } = open("/organize");
  await find("heading", /^Needs attention/);
  await user.keyboard(`{Control>}k{/Control}${word}`);
  const results = within(await find("listbox", "Go to"));
  expect(await results.findByRole("option", { name }, PATIENT)).toBeTruthy();
});

test("what was used last comes first in the palette", async () => {
  const { user } = open("/organize");
  await find("heading", /^Needs attention/);
  await user.keyboard("{Control>}k{/Control}crumbs");
  await find("option", /^Crumbs/);
  await user.keyboard("{Enter}");
  await waitFor(() => expect(address()).toBe("/organize/challenges?open=web"));
  await user.keyboard("{Control>}k{/Control}");
  const recent = within(await find("group", "Recent")).getAllByRole("option");
  expect(recent.map(({ textContent }) => textContent)).toEqual(["Crumbs Challenges"]);
});

test("the palette finds the tabs of the Event page", async () => {
  const { user } = open("/organize");
  await find("heading", /^Needs attention/);
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await find("combobox", "Page, team, challenge or action"), "resu");
  await user.click(await find("option", /^Results Event/));
  await waitFor(() => expect(address()).toBe("/organize/event?tab=results"));
});

test("single-key shortcuts are off in fields, and stay off once turned off", async () => {
  const { user } = open("/organize/teams");
  const search = await find("searchbox", "Search");
  await user.type(search, "gl");
  await waitFor(() => expect(address()).toBe("/organize/teams?q=gl"));
  search.blur();
  await user.keyboard("?");
  const sheet = await find("dialog", "Keyboard shortcuts");
  expect(within(sheet).getByText("Undo my last action")).toBeTruthy();
  await user.click(within(sheet).getByRole("checkbox", { name: /Single-key/ }));
  await user.click(within(sheet).getByRole("button", { name: "Close" }));
  await user.keyboard("gl");
  expect(window.location.pathname).toBe("/organize/teams");
  expect(localStorage.getItem("letter-keys")).toBe("off");
});

test("selected challenges are in the URL and are released together", async () => {
  const { user } = open("/organize/challenges?order=stuck");
  await user.click(await find("checkbox", "Select Crumbs"));
  await user.click(await find("checkbox", "Select B"));
  expect(address()).toBe("/organize/challenges?order=stuck&chosen=web%2Cb");
  await user.click(await find("button", /^Release 2 challenges/));
  expect(await find("dialog", "Release 2 challenges")).toBeTruthy();
});

test("without permission to release or hide nothing can be selected", async () => {
  signedIn(
    OWNERS_ACTIONS.filter((action) => !/release|challenge.hide/.test(action)),
    ["support"],
  );
  open("/organize/challenges");
  await find("link", "Crumbs");
  expect(screen.queryByRole("checkbox")).toBeNull();
});

test("a language change refetches the lists, which contain translated text", async () => {
  const { user } = open("/organize/audit-log");
  await screen.findByText('banned "Otters".', {}, PATIENT);
  const spoken = () =>
    callsTo("/organize/actions").map((call) => call.headers.get("Accept-Language"));
  expect(new Set(spoken())).toEqual(new Set(["en"]));
  const sentence = "Ada ha escluso «Otters».";
  server.replies["/organize/actions"] = [200, { actions: [{ ...BANNED, sentence }] }];
  await choose(user, /Menu of/, "Language", "Italiano");
  expect(await screen.findByText("ha escluso «Otters».", {}, PATIENT)).toBeTruthy();
  expect(spoken().at(-1)).toBe("it");
});
