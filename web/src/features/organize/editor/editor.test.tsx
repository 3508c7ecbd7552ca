/** The challenge editor: drafts, saved changes, concurrent edits, and problems at fields. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { callsTo, open, PATIENT, type Reply, server } from "../../../fake-server";
import { acted, isListOfActions, OWNERS_ACTIONS, signedIn, WEB } from "../fake-server";

// Preload: the preview is made of the players' page, which unbundled is many modules.
await import("../../challenges/page");

// Tests the plain field, because the Markdown editor needs layout.
vi.mock("./code-mirror", () => {
  throw new Error("it does not load");
});

const FIELDS = {
  name: "Crumbs",
  category: "web",
  type: "standard",
  value: 100,
  description: "Read this.\n",
  flags: ["flag{one}"],
};
const SOURCE = {
  challenge: "web",
  path: "challenges/web/challenge.yml",
  text: "one",
  fields: FIELDS,
  files: [],
  applied: "one",
  changedBy: null,
  takenHints: [],
  changedAt: null,
};
const CARD = {
  challengeName: "Crumbs",
  categories: ["web"],
  value: 100,
  curve: Array.from({ length: 50 }, (_, at) => 100 - at),
  flagFormat: null,
  description: "<p>As <em>rendered</em></p>",
  hints: [],
  attachments: [],
  connection: null,
  requirements: [],
  tags: [],
};

/** A request that the test completes. */
class SlowRequest extends EventTarget {
  static last: SlowRequest | null = null;
  readonly upload = new EventTarget();
  readonly status = 201;
  responseText = "";
  isAborted = false;
  open() {}
  setRequestHeader() {}
  send() {
    SlowRequest.last = this;
  }
  abort() {
    this.isAborted = true;
    this.dispatchEvent(new Event("abort"));
  }
  answer(body: object) {
    this.responseText = JSON.stringify(body);
    this.dispatchEvent(new Event("load"));
  }
}

const find = (role: string, name: string | RegExp) => screen.findByRole(role, { name }, PATIENT);
const field = (name: string) => screen.findByLabelText(name, {}, PATIENT);
const previews = () => callsTo("/organize/challenges/web/preview");
const actions = () => callsTo("/organize/actions").filter(({ body }) => body !== null);

/** Replies to a save as the server: the preview first, then the new source. */
function saves(fields: object, preview = acted()) {
  server.replies["/organize/actions"] = () => {
    const isPreview = JSON.stringify(actions().at(-1)?.body).includes("preview");
    if (isListOfActions() || isPreview) return isPreview ? preview : acted();
    server.replies["/organize/challenges/web"] = [200, { ...SOURCE, text: "two", fields }];
    return acted();
  };
}

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  signedIn();
  server.replies["/organize/challenges/web"] = [200, SOURCE];
  server.replies["/organize/challenges/web/preview"] = [200, { card: CARD, problems: [] }];
});

describe("an existing challenge", () => {
  test("has a player preview, and only changes are sent", async () => {
    const { user } = open("/organize/challenges/web/edit");
    const preview = await find("region", "Preview");
    expect(await within(preview).findByText("rendered", {}, PATIENT)).toBeTruthy();
    expect(await screen.findByText("No changes", {}, PATIENT)).toBeTruthy();
    const points = await field("Points");
    await user.clear(points);
    await user.type(points, "150");
    expect(screen.getByText(/^Unsaved/)).toBeTruthy();
    // Input that writes the same value is not a change, so there is nothing to save.
    await user.type(points, "{Backspace}{Backspace}{Backspace}100 ");
    await user.click(screen.getByRole("button", { name: "Add hint" }));
    expect(screen.getByText("No changes")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Save" })).toHaveProperty("disabled", true);
    await user.clear(points);
    await user.type(points, "150");
    await waitFor(
      () => expect(actions().at(-1)?.body).toMatchObject({ preview: true, fields: { value: 150 } }),
      PATIENT,
    );
    const change = { fields: { value: 150 }, isNew: false };
    await waitFor(() => expect(previews().at(-1)?.body).toEqual(change), PATIENT);
  });

  test("keeps a draft until it is saved", async () => {
    const first = open("/organize/challenges/web/edit");
    await first.user.type(await field("Author"), "Ada");
    first.unmount();
    const { user } = open("/organize/challenges/web/edit");
    await waitFor(
      async () => expect(await field("Author")).toHaveProperty("value", "Ada"),
      PATIENT,
    );
    saves({ ...FIELDS, author: "Ada" });
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("No changes", {}, PATIENT)).toBeTruthy();
    const left = [...Object.keys(sessionStorage), ...Object.keys(localStorage)];
    expect(left.filter((key) => key.includes("edit"))).toEqual([]);
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(isListOfActions()).toBe(false);
  });

  test("changed flags offer to rejudge earlier submissions", async () => {
    const { user } = open("/organize/challenges/web/edit");
    await user.type(await field("Flag 1"), "!");
    saves({ ...FIELDS, flags: ["flag{one}!"] });
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(
      await screen.findByText(/keep their verdict until you rejudge/, {}, PATIENT),
    ).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Rejudge" }));
    expect(await find("dialog", "Rejudge Crumbs")).toBeTruthy();
    expect(screen.queryByText(/keep their verdict/)).toBeNull();
  });

  test("each saved hint with a cost can be made free, taken or not", async () => {
    signedIn([...OWNERS_ACTIONS, "hint.free"]);
    const hints = ["Look.", { content: "Then.", cost: 5 }, { key: "tool", content: "x", cost: 25 }];
    const taken = { hint: "tool", teamName: "Otters", at: 1, paid: 25, cost: 25 };
    const gone = { hint: "old", teamName: "Crabs", at: 1, paid: 9, cost: 0 };
    const source = { ...SOURCE, fields: { ...FIELDS, hints }, takenHints: [taken, gone] };
    server.replies["/organize/challenges/web"] = [200, source];
    const { user } = open("/organize/challenges/web/edit");
    const line = await screen.findByText("Hint tool was taken by: Otters (25)", {}, PATIENT);
    expect(line).toBeTruthy();
    expect(screen.getByText("Hint old was taken by: Crabs (0)")).toBeTruthy();
    const [second, third, ...more] = screen.getAllByRole("button", { name: "Make hint free" });
    expect(more).toEqual([]);
    if (!second || !third) throw new Error("two hints have a cost");
    await user.click(second);
    expect(await find("dialog", /hint 2/i)).toBeTruthy();
  });

  test("without submissions, or with the same flags, nothing is rejudged", async () => {
    server.replies["/organize/challenges"] = [200, { challenges: [{ ...WEB, tries: 0 }] }];
    const first = open("/organize/challenges/web/edit");
    await first.user.type(await field("Flag 1"), "!");
    saves({ ...FIELDS, flags: ["flag{one}!"] });
    await first.user.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("No changes", {}, PATIENT)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Rejudge" })).toBeNull();
    first.unmount();
    server.replies["/organize/challenges"] = [200, { challenges: [WEB] }];
    server.replies["/organize/challenges/web"] = [200, SOURCE];
    const { user } = open("/organize/challenges/web/edit");
    await user.type(await field("Author"), "Ada");
    saves({ ...FIELDS, author: "Ada" });
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("No changes", {}, PATIENT)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Rejudge" })).toBeNull();
  });

  test("offers the draft of a closed tab, and discards it", async () => {
    const first = open("/organize/challenges/web/edit");
    await first.user.type(await field("Author"), "Ada");
    first.unmount();
    sessionStorage.clear();
    const second = open("/organize/challenges/web/edit");
    const offer = /^You have unsaved changes from \d\d:\d\d/;
    expect(await screen.findByText(offer, {}, PATIENT)).toBeTruthy();
    expect(await field("Author")).toHaveProperty("value", "");
    await second.user.click(screen.getByRole("button", { name: "Restore" }));
    expect(await field("Author")).toHaveProperty("value", "Ada");
    expect(screen.getByText(/^Your unsaved changes from .* are back/)).toBeTruthy();
    second.unmount();
    sessionStorage.clear();
    const { user } = open("/organize/challenges/web/edit");
    await screen.findByText(offer, {}, PATIENT);
    await user.click(screen.getByRole("button", { name: "Discard" }));
    expect(screen.queryByText(offer)).toBeNull();
    expect(Object.keys(localStorage).filter((key) => key.includes("edit"))).toEqual([]);
  });

  test("is saved at once with its effect in view; the dialog shows errors", async () => {
    const { user } = open("/organize/challenges/web/edit");
    await user.type(await field("Author"), "Ada");
    expect(await screen.findByText("1 team moves up one rank", {}, PATIENT)).toBeTruthy();
    const touched: Reply = [409, { code: "object_touched", message: "Touched." }];
    server.replies["/organize/actions"] = () => {
      const isPreview = JSON.stringify(actions().at(-1)?.body).includes("preview");
      return isListOfActions() || isPreview ? acted() : touched;
    };
    await user.click(await find("button", "Save"));
    const sheet = await find("dialog", "Save Crumbs");
    expect(actions().filter(({ body }) => JSON.stringify(body).includes('"head":3'))).toHaveLength(
      1,
    );
    await user.click(within(sheet).getByRole("button", { name: "Close" }));
    saves({ ...FIELDS, author: "Ada" });
    // Without waiting for the effect: the button waits for it.
    await user.type(await field("Author"), " L");
    await user.keyboard("{Control>}s{/Control}");
    expect(await screen.findByText("No changes", {}, PATIENT)).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("is reviewed in the dialog if more teams move than the foot shows", async () => {
    const one = { from: { rank: 2, points: 1 }, to: { rank: 1, points: 2 } };
    const names = ["Ants", "Bees", "Cats", "Dogs"];
    const moves = names.map((teamName) => ({ ...one, teamName }));
    const effect = { truth: moves, public: moves, firstBloods: [] };
    saves(FIELDS, acted({ effect }));
    const { user } = open("/organize/challenges/web/edit");
    await user.type(await field("Author"), "Ada");
    await user.click(await find("button", "Review and save"));
    const sheet = await find("dialog", "Save Crumbs");
    expect(await within(sheet).findByText("Dogs", {}, PATIENT)).toBeTruthy();
    expect(actions().every(({ body }) => JSON.stringify(body).includes("preview"))).toBe(true);
  });

  test("shows in the outline which sections are edited or wrong, and jumps there", async () => {
    const message = "`minimum` must be at most `initial`";
    const problems = [{ key: "extra", line: 4, severity: "error", message }];
    server.replies["/organize/challenges/web/preview"] = [200, { card: null, problems }];
    const { user } = open("/organize/challenges/web/edit");
    await user.type(await field("Author"), "Ada");
    const outline = within(await find("navigation", "Sections"));
    const button = (name: string) => outline.findByRole("button", { name }, PATIENT);
    expect(await button("Scoring 1 error")).toBeTruthy();
    expect(await button("Text edited")).toBeTruthy();
    expect(await button("Hints")).toBeTruthy();
    // Saving is not possible, so the button shows the error.
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(document.activeElement).toBe(await field("Points"));
    (await button("Flags")).focus();
    await user.keyboard("{Enter}");
    expect(document.activeElement).toBe(await field("Type of flag 1"));
    await user.keyboard("{F8}");
    expect(document.activeElement).toBe(await field("Points"));
    expect(actions()).toEqual([]);
  });

  test("keeps the input when someone else changes the file, with a warning", async () => {
    const { user } = open("/organize/challenges/web/edit");
    await user.type(await field("Name"), "!");
    await waitFor(
      () => expect(JSON.stringify(previews().at(-1)?.body)).toMatch("Crumbs!"),
      PATIENT,
    );
    const fields = { ...FIELDS, name: "Theirs", author: "Bob" };
    const theirs = { ...SOURCE, text: "two", fields, changedBy: "Bob" };
    server.replies["/organize/challenges/web"] = [200, theirs];
    expect(await screen.findByText(/^Bob also changed this: Name/, {}, PATIENT)).toBeTruthy();
    expect(await field("Name")).toHaveProperty("value", "Crumbs!");
    expect(await field("Author")).toHaveProperty("value", "Bob");
    expect(screen.getByText("Bob changed Author, now shown in the form.")).toBeTruthy();
    // The change is the same, but the file has changed.
    const change = { fields: { name: "Crumbs!" }, isNew: false };
    const same = () => previews().filter(({ body }) => JSON.stringify(body).includes("Crumbs!"));
    await waitFor(() => expect(same()).toHaveLength(2), PATIENT);
    expect(same().map(({ body }) => body)).toEqual([change, change]);
    expect(screen.getByText("Theirs").closest("ins")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Keep mine: Name" }));
    expect(screen.queryByText(/^Bob also changed this/)).toBeNull();
    expect(await field("Name")).toHaveProperty("value", "Crumbs!");
  });

  test("takes a colleague's version of a text instead of the own one", async () => {
    const { user } = open("/organize/challenges/web/edit");
    await user.type(await field("Name"), "!");
    const theirs = { ...SOURCE, text: "two", fields: { ...FIELDS, name: "Theirs" } };
    await waitFor(() => expect(previews().at(-1)?.body).toHaveProperty("fields.name"), PATIENT);
    server.replies["/organize/challenges/web"] = [200, { ...theirs, changedBy: "Bob" }];
    await user.click(await find("button", "Use theirs: Name"));
    expect(await field("Name")).toHaveProperty("value", "Theirs");
    expect(screen.getByText("No changes")).toBeTruthy();
  });

  test("is saved on top of concurrent edits, even of the same key", async () => {
    const fieldsOf = (minimum: number) => {
      return { ...FIELDS, type: "dynamic", extra: { initial: 500, minimum } };
    };
    const sourceOf = (text: string, minimum: number): Reply => {
      return [200, { ...SOURCE, text, fields: fieldsOf(minimum), changedBy: "Bob" }];
    };
    server.replies["/organize/challenges/web"] = sourceOf("one", 50);
    const { user } = open("/organize/challenges/web/edit");
    await user.type(await field("Initial value"), "0");
    server.replies["/organize/challenges/web"] = sourceOf("two", 100);
    await user.keyboard("{Control>}{Enter}{/Control}");
    await screen.findByText("No changes", {}, PATIENT);
    const extra = { initial: 5000, minimum: 100 };
    expect(actions().at(-1)?.body).toMatchObject({ fields: { extra }, head: 3 });
    expect(actions().at(-1)?.body).not.toHaveProperty("preview");
  });

  test("is not saved before uploads finish, and discarding stops them", async () => {
    vi.stubGlobal("XMLHttpRequest", SlowRequest);
    const { user } = open("/organize/challenges/web/edit");
    await user.type(await field("Author"), "Ada");
    await user.upload(await field("Add attachments"), new File(["x"], "a.zip"));
    expect(await screen.findByText(/^You can save when the uploads finish/)).toBeTruthy();
    await waitFor(() => expect(SlowRequest.last).not.toBeNull());
    expect(screen.getByRole("button", { name: "Save" })).toHaveProperty("disabled", true);
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(screen.queryByRole("dialog")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Discard changes" }));
    expect(await screen.findByText("No changes")).toBeTruthy();
    expect(SlowRequest.last?.isAborted).toBe(true);
    await user.upload(await field("Add attachments"), new File(["x"], "b.zip"));
    await waitFor(() => expect(SlowRequest.last?.isAborted).toBe(false));
    const leaving = new Event("beforeunload", { cancelable: true });
    window.dispatchEvent(leaving);
    expect(leaving.defaultPrevented).toBe(true);
    SlowRequest.last?.answer({ digest: "ab", bytes: 1, otherNodes: true });
    expect(await screen.findByText(/^Unsaved changes/)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Save" })).toHaveProperty("disabled", false);
    expect(screen.getByText("b.zip")).toBeTruthy();
    expect(screen.getByText(/Copy files\/ab to the other nodes/)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Remove b.zip" }));
    expect(document.activeElement).toBe(screen.getByLabelText("Add attachments"));
    await user.selectOptions(screen.getByLabelText("Add requirement"), "b");
    await user.click(screen.getByRole("button", { name: "Remove requirement B" }));
    expect(document.activeElement).toBe(screen.getByLabelText("Add requirement"));
  });

  test("shows problems beside their fields, and no preview with errors", async () => {
    const problems = [
      { key: "value", line: 4, severity: "error", message: "`value` must be a number" },
      { key: "flags", line: 6, severity: "warning", message: "a flag is short" },
      { key: null, line: 0, severity: "error", message: "it is written in braces" },
    ];
    const reply = { card: null, problems };
    server.replies["/organize/challenges/web/preview"] = [200, reply];
    open("/organize/challenges/web/edit");
    const points = await find("group", "Scoring");
    expect(await within(points).findByText("“Points” must be a number", {}, PATIENT)).toBeTruthy();
    const flags = within(await find("group", "Flags"));
    expect(flags.getByText("a flag is short")).toBeTruthy();
    expect(flags.queryByText("it is written in braces")).toBeNull();
    expect(screen.getByText("it is written in braces")).toBeTruthy();
    expect(screen.getByRole("button", { name: "2 errors" })).toBeTruthy();
    expect(screen.getByText(/^Fix the errors/)).toBeTruthy();
  });
});

test("a new challenge gets an ID from its name, flags and hints", async () => {
  server.replies["/organize/challenges/two-words/preview"] = [200, { card: CARD, problems: [] }];
  const { user } = open("/organize/challenges/new");
  await user.type(await field("Name"), "Two words");
  expect(await field("ID")).toHaveProperty("value", "two-words");
  await user.type(await field("Flag 1"), "flag{{x}");
  await user.click(screen.getByRole("button", { name: "Add hint" }));
  await user.type(await field("Hint 1"), "Look.");
  expect(screen.getByText(/is hidden until you release it/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Create challenge" }));
  await waitFor(
    () =>
      expect(actions().at(-1)?.body).toMatchObject({
        action: "challenge.create",
        challenge: "two-words",
        fields: { name: "Two words", flags: ["flag{x}"], hints: ["Look."] },
      }),
    PATIENT,
  );
});

test("a hidden challenge can be edited in the public view", async () => {
  const challenges = server.replies["/organize/challenges"];
  server.replies["/organize/challenges"] = () => {
    const isPublic = callsTo("/organize/challenges").at(-1)?.search.includes("view=");
    if (isPublic || !Array.isArray(challenges)) return [200, { challenges: [] }];
    return challenges;
  };
  open("/organize/challenges/web/edit?view=public");
  expect(await field("Author")).toHaveProperty("value", "");
});

test("an author has no scoring fields, and logging out removes drafts", async () => {
  signedIn(["challenge.list", "challenge.read", "challenge.edit"], ["author"]);
  const { user } = open("/organize/challenges/web/edit");
  await user.type(await field("Author"), "Ada");
  expect(screen.queryByRole("group", { name: "Scoring" })).toBeNull();
  const kept = () => [...Object.keys(sessionStorage), ...Object.keys(localStorage)];
  expect(kept().filter((key) => key.includes("edit"))).toHaveLength(2);
  server.replies["/organize/sign-out"] = [200, {}];
  await user.click(await find("link", /^Account/));
  await user.click(await find("button", "Log out"));
  await waitFor(() => expect(kept().some((key) => key.includes("edit"))).toBe(false), PATIENT);
});
