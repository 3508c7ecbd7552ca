/** The editor: what is kept, what is sent, who else changed the file, and where problems stand. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { callsTo, open, PATIENT, type Reply, server } from "../../../stand-in";
import { acted, isListOfActions, signedIn } from "../stand-in";

// The plain field is tested here; the other one needs a browser that draws.
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
  changedAt: null,
};
const CARD = {
  challengeName: "Crumbs",
  categories: ["web"],
  value: 100,
  description: "<p>As <em>rendered</em></p>",
  hints: [],
  attachments: [],
  connection: null,
  requirements: [],
};

/** A request of which the test says when it is answered. */
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

beforeEach(() => {
  sessionStorage.clear();
  signedIn();
  server.replies["/organize/challenges/web"] = [200, SOURCE];
  server.replies["/organize/challenges/web/preview"] = [200, { card: CARD, problems: [] }];
});

describe("a challenge that is there", () => {
  test("is shown as players will see it, and only what was changed is sent", async () => {
    const { user } = open("/organize/challenges/web/edit");
    const preview = await find("region", "What players will see");
    expect(await within(preview).findByText("rendered", {}, PATIENT)).toBeTruthy();
    expect(await screen.findByText("Nothing is changed.", {}, PATIENT)).toBeTruthy();
    const points = await field("Points");
    await user.clear(points);
    await user.type(points, "150");
    expect(screen.getByText(/^Not saved/)).toBeTruthy();
    // What would write the same is no change: there is nothing to save.
    await user.type(points, "{Backspace}{Backspace}{Backspace}100 ");
    await user.click(screen.getByRole("button", { name: "Add a hint" }));
    expect(screen.getByText("Nothing is changed.")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Save" })).toHaveProperty("disabled", true);
    await user.clear(points);
    await user.type(points, "150");
    await user.keyboard("{Control>}{Enter}{/Control}");
    const sheet = await find("dialog", "Save Crumbs");
    expect(sheet).toBeTruthy();
    await waitFor(
      () => expect(actions().at(-1)?.body).toMatchObject({ preview: true, fields: { value: 150 } }),
      PATIENT,
    );
    const change = { fields: { value: 150 }, isNew: false };
    await waitFor(() => expect(previews().at(-1)?.body).toEqual(change), PATIENT);
  });

  test("keeps what was typed, and gives it up once it is saved", async () => {
    const first = open("/organize/challenges/web/edit");
    await first.user.type(await field("Author"), "Ada");
    first.unmount();
    const { user } = open("/organize/challenges/web/edit");
    await waitFor(
      async () => expect(await field("Author")).toHaveProperty("value", "Ada"),
      PATIENT,
    );
    server.replies["/organize/actions"] = () => {
      const isDone = actions().at(-1)?.body;
      if (JSON.stringify(isDone).includes("preview")) return acted();
      const fields = { ...FIELDS, author: "Ada" };
      server.replies["/organize/challenges/web"] = [200, { ...SOURCE, text: "two", fields }];
      return acted();
    };
    await user.click(screen.getByRole("button", { name: "Save" }));
    const sheet = await find("dialog", "Save Crumbs");
    await user.click(await within(sheet).findByRole("button", { name: /^Save Crumbs: / }, PATIENT));
    expect(await screen.findByText("Nothing is changed.", {}, PATIENT)).toBeTruthy();
    expect(Object.keys(sessionStorage).filter((key) => key.includes("edit"))).toEqual([]);
    expect(isListOfActions()).toBe(false);
  });

  test("is saved at once by the button that says who moves; the sheet says a refusal", async () => {
    const { user } = open("/organize/challenges/web/edit");
    await user.type(await field("Author"), "Ada");
    const button = await find("button", "Save Crumbs: 1 team rises by one");
    const touched: Reply = [409, { code: "object_touched", message: "Touched." }];
    server.replies["/organize/actions"] = () => {
      const isPreview = JSON.stringify(actions().at(-1)?.body).includes("preview");
      return isListOfActions() || isPreview ? acted() : touched;
    };
    await user.click(button);
    const sheet = await find("dialog", "Save Crumbs");
    expect(actions().filter(({ body }) => JSON.stringify(body).includes('"head":3'))).toHaveLength(
      1,
    );
    await user.click(within(sheet).getByRole("button", { name: "Close" }));
    server.replies["/organize/actions"] = () => {
      const fields = { ...FIELDS, author: "Ada" };
      const saved: Reply = [200, { ...SOURCE, text: "two", fields }];
      const isPreview = JSON.stringify(actions().at(-1)?.body).includes("preview");
      if (!isPreview) server.replies["/organize/challenges/web"] = saved;
      return acted();
    };
    await user.click(await find("button", /^Save Crumbs: /));
    expect(await screen.findByText("Nothing is changed.", {}, PATIENT)).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("stays as it was typed when somebody else changes the file, and says so", async () => {
    const { user } = open("/organize/challenges/web/edit");
    await user.type(await field("Name"), "!");
    await waitFor(
      () => expect(JSON.stringify(previews().at(-1)?.body)).toMatch("Crumbs!"),
      PATIENT,
    );
    const fields = { ...FIELDS, name: "Theirs", author: "Bob" };
    const theirs = { ...SOURCE, text: "two", fields, changedBy: "Bob" };
    server.replies["/organize/challenges/web"] = [200, theirs];
    expect(await screen.findByText(/^Bob has changed this too: Name/, {}, PATIENT)).toBeTruthy();
    expect(await field("Name")).toHaveProperty("value", "Crumbs!");
    expect(await field("Author")).toHaveProperty("value", "Bob");
    // What is sent is the same, but it is another file that it is written into.
    const change = { fields: { name: "Crumbs!" }, isNew: false };
    const same = () => previews().filter(({ body }) => JSON.stringify(body).includes("Crumbs!"));
    await waitFor(() => expect(same()).toHaveLength(2), PATIENT);
    expect(same().map(({ body }) => body)).toEqual([change, change]);
  });

  test("is saved on what somebody else made of it meanwhile, also of the same key", async () => {
    const fieldsOf = (minimum: number) => {
      return { ...FIELDS, type: "dynamic", extra: { initial: 500, minimum } };
    };
    const sourceOf = (text: string, minimum: number): Reply => {
      return [200, { ...SOURCE, text, fields: fieldsOf(minimum), changedBy: "Bob" }];
    };
    server.replies["/organize/challenges/web"] = sourceOf("one", 50);
    const { user } = open("/organize/challenges/web/edit");
    await user.type(await field("Points of the first solve"), "0");
    server.replies["/organize/challenges/web"] = sourceOf("two", 100);
    await user.keyboard("{Control>}{Enter}{/Control}");
    const sheet = await find("dialog", "Save Crumbs");
    await user.click(await within(sheet).findByRole("button", { name: /^Save Crumbs: / }, PATIENT));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull(), PATIENT);
    const extra = { initial: 5000, minimum: 100 };
    expect(actions().at(-1)?.body).toMatchObject({ fields: { extra }, head: 3 });
    expect(actions().at(-1)?.body).not.toHaveProperty("preview");
  });

  test("is not saved before its files are sent, and discarding stops them", async () => {
    vi.stubGlobal("XMLHttpRequest", SlowRequest);
    const { user } = open("/organize/challenges/web/edit");
    await user.type(await field("Author"), "Ada");
    await user.upload(await field("Add files"), new File(["x"], "a.zip"));
    expect(await screen.findByText(/^It can be saved once the files are sent/)).toBeTruthy();
    await waitFor(() => expect(SlowRequest.last).not.toBeNull());
    expect(screen.getByRole("button", { name: "Save" })).toHaveProperty("disabled", true);
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(screen.queryByRole("dialog")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Discard what was typed" }));
    expect(await screen.findByText("Nothing is changed.")).toBeTruthy();
    expect(SlowRequest.last?.isAborted).toBe(true);
    await user.upload(await field("Add files"), new File(["x"], "b.zip"));
    await waitFor(() => expect(SlowRequest.last?.isAborted).toBe(false));
    const leaving = new Event("beforeunload", { cancelable: true });
    window.dispatchEvent(leaving);
    expect(leaving.defaultPrevented).toBe(true);
    SlowRequest.last?.answer({ digest: "ab", bytes: 1, otherNodes: true });
    expect(await screen.findByText(/^Not saved\./)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Save" })).toHaveProperty("disabled", false);
    expect(screen.getByText("b.zip")).toBeTruthy();
    expect(screen.getByText(/Copy files\/ab to the other nodes/)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Remove b.zip" }));
    expect(document.activeElement).toBe(screen.getByLabelText("Add files"));
    await user.selectOptions(screen.getByLabelText("Require another challenge"), "b");
    await user.click(screen.getByRole("button", { name: "Require B no more" }));
    expect(document.activeElement).toBe(screen.getByLabelText("Require another challenge"));
  });

  test("has each problem beside its field, and no preview while there is an error", async () => {
    const problems = [
      { key: "value", line: 4, severity: "error", message: "`value` must be a number" },
      { key: "flags", line: 6, severity: "warning", message: "a flag is short" },
      { key: null, line: 0, severity: "error", message: "it is written in braces" },
    ];
    const reply = { card: null, problems };
    server.replies["/organize/challenges/web/preview"] = [200, reply];
    open("/organize/challenges/web/edit");
    const points = await find("group", "Points");
    expect(await within(points).findByText("“Points” must be a number", {}, PATIENT)).toBeTruthy();
    const flags = within(await find("group", "Flags"));
    expect(flags.getByText("a flag is short")).toBeTruthy();
    expect(flags.queryByText("it is written in braces")).toBeNull();
    expect(screen.getByText("it is written in braces")).toBeTruthy();
    expect(screen.getByText("2 errors")).toBeTruthy();
    expect(screen.getByText(/^There is nothing to show/)).toBeTruthy();
  });
});

test("a new challenge gets an id by its name, flags and hints", async () => {
  server.replies["/organize/challenges/two-words/preview"] = [200, { card: CARD, problems: [] }];
  const { user } = open("/organize/challenges/new");
  await user.type(await field("Name"), "Two words");
  expect(await field("Id")).toHaveProperty("value", "two-words");
  await user.type(await field("Flag 1"), "flag{{x}");
  await user.click(screen.getByRole("button", { name: "Add a hint" }));
  await user.type(await field("Hint 1"), "Look.");
  await user.click(screen.getByRole("button", { name: "Make the challenge" }));
  await find("dialog", "Make Two words");
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

test("a hidden challenge is edited while players' view is shown, too", async () => {
  const challenges = server.replies["/organize/challenges"];
  server.replies["/organize/challenges"] = () => {
    const isPublic = callsTo("/organize/challenges").at(-1)?.search.includes("view=");
    if (isPublic || !Array.isArray(challenges)) return [200, { challenges: [] }];
    return challenges;
  };
  open("/organize/challenges/web/edit?view=public");
  expect(await field("Author")).toHaveProperty("value", "");
});

test("an author has no fields for points, and signing out forgets what was typed", async () => {
  signedIn(["challenge.list", "challenge.read", "challenge.edit"], ["author"]);
  const { user } = open("/organize/challenges/web/edit");
  await user.type(await field("Author"), "Ada");
  expect(screen.queryByRole("group", { name: "Points" })).toBeNull();
  expect(Object.keys(sessionStorage).some((key) => key.includes("edit"))).toBe(true);
  server.replies["/organize/sign-out"] = [200, {}];
  await user.click(await find("link", /^Account/));
  await user.click(await find("button", "Sign out"));
  await waitFor(
    () => expect(Object.keys(sessionStorage).some((key) => key.includes("edit"))).toBe(false),
    PATIENT,
  );
});
