/** The filter line, views and saved views of a list, in the address and with the keyboard. */
import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { open, PATIENT, server } from "../../../fake-server";
import { signedIn } from "../fake-server";
import { ageOf } from "./ago";
import { lengthOf } from "./filters";
import { removeView, savedViews, saveView } from "./saved-views";
import { isView, VIEWS, viewsOf } from "./views";

beforeEach(() => signedIn());
afterEach(() => localStorage.clear());

const SENT = { teamName: "Otters", challengeId: "web", near: "case", times: 1, teams: 1 };

function submissions() {
  const flags = [{ ...SENT, at: Date.now() - 120_000, verdict: "wrong", network: null }];
  server.replies["/organize/flags"] = [200, { flags, next: null }];
}

const query = () => Object.fromEntries(new URLSearchParams(window.location.search));

test("a filter is added, changed and removed by keyboard", async () => {
  submissions();
  const { user } = open("/organize/submissions");
  const line = await screen.findByRole("search", { name: "Search and filters" }, PATIENT);
  await within(line).findByText("1 result", {}, PATIENT);
  await user.keyboard("F");
  await screen.findByRole("menu", { name: "Filter" });
  await user.keyboard("{ArrowDown}{ArrowRight}");
  await screen.findByRole("menu", { name: "Result" });
  await user.keyboard("{ArrowDown}{ArrowDown}{Enter}");
  await waitFor(() => expect(query()).toEqual({ verdict: "wrong" }));
  const chip = await within(line).findByRole("button", { name: "Result is Incorrect" });
  chip.focus();
  await user.keyboard("{Delete}");
  await waitFor(() => expect(query()).toEqual({}));
  expect(within(line).queryByRole("button", { name: /^Result is/ })).toBeNull();
  expect(document.activeElement?.textContent).toContain("Filter");
});

test("a period is chosen in its popover, and stays in the address", async () => {
  submissions();
  const { user } = open("/organize/submissions?near=any");
  await user.click(await screen.findByRole("button", { name: "Filter" }, PATIENT));
  await user.click(await screen.findByRole("menuitem", { name: "Time…" }));
  await user.click(await screen.findByRole("button", { name: "last 10 minutes" }));
  await waitFor(() => expect(query()).toEqual({ near: "any", since: "10m" }));
  const view = await screen.findByRole("link", { name: "Near misses, 10 min" });
  expect(view.getAttribute("aria-current")).toBe("page");
});

test("a view is a link, and replaces the filters of another view", async () => {
  submissions();
  const { user } = open("/organize/submissions?near=any&since=10m");
  const views = await screen.findByRole("navigation", { name: "Views" }, PATIENT);
  await user.click(within(views).getByRole("link", { name: "First bloods" }));
  await waitFor(() => expect(query()).toEqual({ verdict: "first" }));
  await user.click(within(views).getByRole("link", { name: "All" }));
  await waitFor(() => expect(query()).toEqual({}));
});

test("a view is saved under a name, and removed", async () => {
  submissions();
  const { user } = open("/organize/submissions?verdict=wrong&near=case");
  await user.click(await screen.findByRole("button", { name: "Save view" }, PATIENT));
  const form = await screen.findByRole("dialog", { name: "Save view" });
  await user.type(within(form).getByLabelText("Name of the view"), "Capitals{Enter}");
  const link = await screen.findByRole("link", { name: "Capitals" });
  expect(link.getAttribute("href")).toBe("/organize/submissions?verdict=wrong&near=case");
  expect(link.getAttribute("aria-current")).toBe("page");
  expect(screen.queryByRole("button", { name: "Save view" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Remove view: Capitals" }));
  expect(screen.queryByRole("link", { name: "Capitals" })).toBeNull();
});

test("saved views of one page and name replace each other; broken storage has none", () => {
  saveView({ name: "Mine", path: "/organize/teams", search: "q=a" });
  saveView({ name: "Mine", path: "/organize/challenges", search: "q=b" });
  saveView({ name: "Mine", path: "/organize/teams", search: "q=c" });
  expect(savedViews().map(({ search }) => search)).toEqual(["q=b", "q=c"]);
  removeView({ name: "Mine", path: "/organize/teams", search: "" });
  expect(savedViews()).toHaveLength(1);
  for (const broken of ["{", '{"a":1}', '[{"name":1}]', "null"]) {
    localStorage.setItem("organize-views", broken);
    expect(savedViews(), broken).toEqual([]);
  }
});

test("views have different addresses and the permissions of their data", () => {
  const addresses = VIEWS.map(({ path, query }) => `${path}?${new URLSearchParams(query)}`);
  expect(new Set(addresses).size).toBe(VIEWS.length);
  expect(viewsOf("/organize/teams", () => false)).toEqual([]);
  expect(viewsOf("/organize/teams", () => true)[0]?.query).toEqual({ activity: "stuck" });
  const names = ["state", "q"];
  expect(isView({ state: "open" }, names, "?state=open&open=web&view=public")).toBe(true);
  expect(isView({ state: "open" }, names, "?state=open&q=x")).toBe(false);
});

test.each([
  ["10m", { count: 10, unit: "m" }],
  ["1h", { count: 1, unit: "h" }],
  ["", null],
  ["10", null],
  ["1w", null],
])("the length %j", (text, expected) => {
  expect(lengthOf(text)).toEqual(expected);
});

test.each([
  [4_999, 0],
  [59_999, 55],
  [60_000, 60],
  [3_599_000, 3_540],
  [200_000_000, 86_400],
  [-5_000, 0],
])("%i ms are shown as %i s", (age, seconds) => {
  expect(ageOf(0, age)).toBe(seconds);
});
