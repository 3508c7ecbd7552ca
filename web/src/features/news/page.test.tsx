/** The news page: notices with times, questions with answers, and asking. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { writeToken } from "../../api/token";
import { callsTo, open, PATIENT, type Reply, server, snapshot, TOKEN } from "../../fake-server";
import { choosePreference, ZONE } from "../../ui/preference/preference";
import { hours } from "../../ui/times/times";

const AT = Date.now() - 600_000;
const LATER = AT + 300_000;
const clock = (ms: number) => hours(ms, "en-GB", undefined);

const notice = (id: number, more: Record<string, unknown> = {}) => ({
  id,
  at: AT,
  title: `Notice ${id}`,
  html: "<p>Words.</p>",
  urgent: false,
  withdrawn: false,
  ...more,
});
const question = (id: number, more: Record<string, unknown> = {}) => ({
  id,
  at: AT,
  text: `Question ${id}?`,
  state: "open",
  ...more,
});

beforeEach(() => {
  server.info.notices = 1;
  server.replies["/notices"] = [200, { notices: [] }];
  server.replies["/questions"] = [200, { questions: [] }];
});
const region = (name: string) => screen.findByRole("region", { name }, PATIENT);

test("notices with edits and withdrawals; once read, they are no longer new", async () => {
  const told = [
    notice(3, { urgent: true, challengeId: "a" }),
    notice(2, { correctedAt: LATER }),
    notice(1, { title: "", html: "", withdrawn: true, withdrawnAt: LATER }),
  ];
  server.replies["/notices"] = [200, { notices: told }];
  const { user } = open("/news");
  snapshot([], ["a"]);
  const list = await region("Notices");
  const third = await within(list).findByRole("article", { name: "Notice 3" }, PATIENT);
  expect(third.textContent).toContain("Urgent");
  const link = await within(third).findByRole("link", { name: "Challenge a" }, PATIENT);
  expect(link.getAttribute("href")).toBe("/challenge?open=a");
  const second = within(list).getByRole("article", { name: "Notice 2" });
  expect(second.textContent).toContain(`edited at ${clock(LATER)}`);
  const gone = `Notice from ${clock(AT)}, withdrawn at ${clock(LATER)}.`;
  expect(within(list).getByText(gone)).toBeTruthy();
  expect(within(list).getAllByText("New")).toHaveLength(3);
  const main = screen.getByRole("navigation", { name: "Main" });
  expect(within(main).getByRole("link", { name: "News" })).toBeTruthy();
  await user.click(within(main).getByRole("link", { name: "Rules" }));
  await user.click(await within(main).findByRole("link", { name: "News" }));
  await within(await region("Notices")).findByRole("article", { name: "Notice 3" }, PATIENT);
  expect(screen.queryByText("New")).toBeNull();
});

test("times are in the chosen zone", async () => {
  const zone = "Pacific/Kiritimati";
  server.info.timezone = zone;
  choosePreference(ZONE, "event");
  server.replies["/notices"] = [200, { notices: [notice(1)] }];
  open("/news");
  const list = await region("Notices");
  expect(await within(list).findByText(hours(AT, "en-GB", zone), {}, PATIENT)).toBeTruthy();
});

test("no notices yet; a visitor is sent to the login to ask, and back", async () => {
  open("/news");
  expect(await screen.findByText(/^No notices yet\./, {}, PATIENT)).toBeTruthy();
  const login = screen.getByRole("link", { name: /^Log in to ask/ });
  expect(login.getAttribute("href")).toBe("/login?to=%2Fnews");
  expect(callsTo("/questions")).toHaveLength(0);
});

test("a failure to load notices is reported, with a button to retry", async () => {
  server.replies["/notices"] = [400, { message: "Not now." }];
  const { user } = open("/news");
  const list = await region("Notices");
  // The news watcher on every page loads later and requests once more.
  await waitFor(() => expect(callsTo("/notices")).toHaveLength(2), PATIENT);
  expect(await within(list).findByText("Not now.", { exact: false }, PATIENT)).toBeTruthy();
  server.replies["/notices"] = [200, { notices: [notice(1)] }];
  await user.click(within(list).getByRole("button", { name: "Retry" }));
  expect(await within(list).findByRole("article", { name: "Notice 1" }, PATIENT)).toBeTruthy();
});

test("questions: unanswered, answered, closed, and messages from the organizers", async () => {
  writeToken(TOKEN);
  const answered = { answer: "Yes.\nTwice.", answeredAt: LATER, state: "answered" };
  const questions = [
    question(4, { ...answered, text: "", challengeId: "a", answer: "Your flag of 14:03 counts." }),
    question(3),
    question(2, { ...answered, challengeId: "a" }),
    question(1, { state: "closed", answeredAt: LATER }),
  ];
  server.replies["/questions"] = [200, { questions }];
  open("/news");
  snapshot([], ["a"]);
  const list = await screen.findByRole("list", { name: "Your team's questions" }, PATIENT);
  const texts = within(list)
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent);
  const [asked, then] = [clock(AT), clock(LATER)];
  await waitFor(() => expect(list.textContent).toContain("Challenge a"), PATIENT);
  expect(texts[0]).toContain(`From the organizers at ${then}`);
  expect(texts[0]).toContain("Your flag of 14:03 counts.");
  expect(texts[1]).toBe(`Asked at ${asked}, not answered yetQuestion 3?`);
  expect(texts[2]).toContain(`Asked at ${asked}, answered at ${then}`);
  expect(texts[2]).toContain("Yes.\nTwice.");
  expect(texts[3]).toContain(`Asked at ${asked}, closed at ${then}`);
  expect(texts.map((text) => text?.startsWith("New"))).toEqual([true, false, true, true]);
});

async function ask(reply: Reply) {
  writeToken(TOKEN);
  const { user } = open("/news");
  const label = "Ask a general question";
  const box = await screen.findByRole("textbox", { name: label }, PATIENT);
  server.replies["/question"] = reply;
  server.replies["/questions"] = [200, { questions: [question(1)] }];
  await user.type(box, "  Is it warm?  ");
  await user.click(screen.getByRole("button", { name: "Send question" }));
  return { user, box };
}

test("a question is sent, and shown as unanswered", async () => {
  const { box } = await ask([201, { id: 1 }]);
  expect(await screen.findByText(/^Question sent\./, {}, PATIENT)).toBeTruthy();
  expect(callsTo("/question").map(({ body }) => body)).toEqual([
    { text: "Is it warm?", challengeId: null },
  ]);
  expect(box).toHaveProperty("value", "");
  expect(sessionStorage.length).toBe(0);
  expect(await screen.findByText(/^Asked at/, {}, PATIENT)).toBeTruthy();
});

test("a rejected question stays in its field, with the reason", async () => {
  const { box } = await ask([429, { code: "too_many_questions", message: "Three wait." }]);
  expect(await screen.findByText("Three wait.", {}, PATIENT)).toBeTruthy();
  expect(box).toHaveProperty("value", "  Is it warm?  ");
  expect(JSON.stringify({ ...sessionStorage })).toContain("Is it warm?");
});

test("with three unanswered questions no other can be asked", async () => {
  writeToken(TOKEN);
  server.replies["/questions"] = [200, { questions: [1, 2, 3].map((id) => question(id)) }];
  open("/news");
  expect(await screen.findByText(/^You have three unanswered questions/, {}, PATIENT)).toBeTruthy();
  expect(screen.getByRole("button", { name: "Send question" })).toHaveProperty("disabled", true);
});
