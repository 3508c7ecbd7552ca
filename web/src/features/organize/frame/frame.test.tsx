/** The frame: each role's menu, whose view it is, keys and their switch, lists in the address. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { callsTo, open, PATIENT, server } from "../../../stand-in";
import { BANNED, OVERVIEW, OWNERS_ACTIONS, signedIn } from "../stand-in";

beforeEach(() => signedIn());

const find = (role: string, name: string | RegExp) => screen.findByRole(role, { name }, PATIENT);
const menu = async () => {
  const links = within(await find("navigation", "Pages of the organizers")).getAllByRole("link");
  return links.map(({ textContent }) => textContent);
};
const address = () => window.location.pathname + window.location.search;

describe("each role sees its pages alone", () => {
  test("an owner all seven", async () => {
    open("/organize");
    const all = ["Now", "Challenges", "Teams", "Flags", "Desk", "Event", "Log"];
    expect(await menu()).toEqual(all);
  });
  test("an observer those that are for all, and the others are not there", async () => {
    const actions = ["event.overview", "team.list", "challenge.list", "list.export"];
    signedIn(actions, ["observer"]);
    open("/organize/flags");
    expect(await screen.findByText(/There is no such page/, {}, PATIENT)).toBeTruthy();
    expect(await menu()).toEqual(["Now", "Challenges", "Teams", "Event"]);
    // Nothing to switch: what the freeze hides is hidden.
    expect(screen.queryByRole("button", { name: /FROZEN/ })).toBeNull();
    expect(await screen.findByText("FROZEN: what players see", {}, PATIENT)).toBeTruthy();
  });
});

test("the head says what waits, and v shows what players see, in the address", async () => {
  server.replies["/organize/overview"] = [200, { ...OVERVIEW, isPaused: true }];
  const { user } = open("/organize/teams?q=ott");
  expect(await screen.findByText("PAUSED", {}, PATIENT)).toBeTruthy();
  const questions = await find("link", "2 open questions");
  expect(questions.getAttribute("href")).toBe("/organize/desk?state=open");
  await find("button", "FROZEN: you see the truth");
  await user.keyboard("v");
  expect(await find("button", "FROZEN: what players see")).toBeTruthy();
  expect(address()).toBe("/organize/teams?q=ott&view=public");
  expect(screen.getByRole("link", { name: "Log" }).getAttribute("href")).toBe(
    "/organize/log?view=public",
  );
});

test("without a freeze the head says whose view it is only for that of players", async () => {
  server.replies["/organize/overview"] = [200, { ...OVERVIEW, isFrozen: false }];
  const { user } = open("/organize/teams");
  await find("link", "2 open questions");
  expect(screen.queryByText(/You see|FROZEN|What players see/)).toBeNull();
  await user.keyboard("v");
  expect(await find("button", "What players see")).toBeTruthy();
  expect(address()).toBe("/organize/teams?view=public");
});

test("in another language it says which ones these pages have", async () => {
  const { user } = open("/organize");
  await menu();
  const said = /nur auf Englisch und Italienisch/;
  expect(screen.queryByText(said)).toBeNull();
  await user.selectOptions(screen.getByRole("combobox", { name: "Language" }), "de");
  expect(await screen.findByText(said, {}, PATIENT)).toBeTruthy();
  await user.selectOptions(screen.getByRole("combobox", { name: "Sprache" }), "it");
  await waitFor(() => expect(screen.queryByText(said)).toBeNull(), PATIENT);
});

test("two keys open a page; j, Enter and Esc open and close a row", async () => {
  const { user } = open("/organize");
  await find("heading", "What waits");
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

test("the palette finds pages and teams, and opens what is chosen", async () => {
  const { user } = open("/organize");
  await find("heading", "What waits");
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await find("combobox", "Page, team, challenge or action"), "ott");
  expect(await find("option", /^Otters/)).toBeTruthy();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(address()).toBe("/organize/teams?team=Otters"));
  expect(await find("region", "Otters")).toBeTruthy();
});

test("the palette finds the tabs of the page Event", async () => {
  const { user } = open("/organize");
  await find("heading", "What waits");
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await find("combobox", "Page, team, challenge or action"), "resu");
  await user.click(await find("option", /^Results/));
  await waitFor(() => expect(address()).toBe("/organize/event?tab=results"));
});

test("letters are no keys in fields, nor once they are turned off, which is kept", async () => {
  const { user } = open("/organize/teams");
  const search = await find("searchbox", "Search");
  await user.type(search, "gl");
  await waitFor(() => expect(address()).toBe("/organize/teams?q=gl"));
  search.blur();
  await user.keyboard("?");
  const sheet = await find("dialog", "Keys");
  expect(within(sheet).getByText("undoes my last action")).toBeTruthy();
  await user.click(within(sheet).getByRole("checkbox", { name: /Single letters/ }));
  await user.click(within(sheet).getByRole("button", { name: "Close" }));
  await user.keyboard("gl");
  expect(window.location.pathname).toBe("/organize/teams");
  expect(localStorage.getItem("letter-keys")).toBe("off");
});

test("the filters of each list are in its address, also of one that was sent", async () => {
  const seen: string[] = [];
  const fetched = window.fetch;
  window.fetch = (request) => {
    if (request instanceof Request) seen.push(request.url.replace(/^.*\/api/, ""));
    return fetched(request);
  };
  const { user } = open("/organize/flags?team=Otters&near=any&verdict=wrong");
  const near = await find("combobox", "Near");
  expect(near).toHaveProperty("value", "any");
  await user.selectOptions(near, "case");
  await waitFor(() => {
    expect(address()).toBe("/organize/flags?team=Otters&near=case&verdict=wrong");
    expect(seen).toContain("/organize/flags?team=Otters&verdict=wrong&near=case");
  }, PATIENT);
  window.fetch = fetched;
});

test("chosen challenges are in the address and are released together", async () => {
  const { user } = open("/organize/challenges?order=stuck");
  await user.click(await find("checkbox", "Choose Crumbs"));
  await user.click(await find("checkbox", "Choose B"));
  expect(address()).toBe("/organize/challenges?order=stuck&chosen=web%2Cb");
  await user.click(await find("button", /^Release 2 challenges together/));
  expect(await find("dialog", "Release 2 challenges")).toBeTruthy();
});

test("who may not release chooses nothing", async () => {
  signedIn(
    OWNERS_ACTIONS.filter((action) => action !== "challenge.release"),
    ["support"],
  );
  open("/organize/challenges");
  await find("link", "Crumbs");
  expect(screen.queryByRole("checkbox")).toBeNull();
});

test("another language reads the lists again, whose sentences are in it", async () => {
  const { user } = open("/organize/log");
  await screen.findByText('Ada banned "Otters".', {}, PATIENT);
  const spoken = () =>
    callsTo("/organize/actions").map((call) => call.headers.get("Accept-Language"));
  expect(new Set(spoken())).toEqual(new Set(["en"]));
  const sentence = "Ada ha escluso «Otters».";
  server.replies["/organize/actions"] = [200, { actions: [{ ...BANNED, sentence }] }];
  await user.selectOptions(screen.getByRole("combobox", { name: "Language" }), "it");
  expect(await screen.findByText(sentence, {}, PATIENT)).toBeTruthy();
  expect(spoken().at(-1)).toBe("it");
});
