/** News on a challenge card: status, notices, hints, questions, and the pause. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { writeToken } from "../../api/token";
import { callsTo, challenge, open, PATIENT, say, server, snapshot, TOKEN } from "../../fake-server";
import { hours } from "../../ui/times/times";

beforeEach(() => {
  writeToken(TOKEN);
  server.replies["/notices"] = [200, { notices: [] }];
  server.replies["/questions"] = [200, { questions: [] }];
});

async function openCard(more: Record<string, unknown>) {
  server.replies["/challenge"] = [200, { challenges: [challenge("a", more), challenge("b")] }];
  const opened = open("/challenge?open=a");
  const card = await screen.findByRole("article", { name: "Challenge a" }, PATIENT);
  return { ...opened, card };
}

test("no badge while a challenge works; a broken one gets a badge and a note, live", async () => {
  const { card } = await openCard({});
  snapshot([["Ours", "IT", {}, 0]], ["a", "b"]);
  expect(within(card).queryByText("Broken")).toBeNull();
  const status = { event: "status", challengeId: "a" };
  say({ ...status, seq: 2, status: "broken", note: "The host is down." });
  expect(await within(card).findByText("Broken", {}, PATIENT)).toBeTruthy();
  expect(within(card).getByText("The host is down.")).toBeTruthy();
  say({ ...status, seq: 3, status: "fixed", note: "" });
  expect(await within(card).findByText("Fixed", {}, PATIENT)).toBeTruthy();
  expect(within(card).getByText(/has been fixed/)).toBeTruthy();
  expect(within(card).queryByText("The host is down.")).toBeNull();
});

test("the badge is also on a closed card", async () => {
  server.replies["/challenge"] = [200, { challenges: [challenge("a", { status: "looked_at" })] }];
  open("/challenge");
  const card = await screen.findByRole("article", { name: "Challenge a" }, PATIENT);
  expect(within(card).getByRole("button", { name: /Investigating/ })).toBeTruthy();
});

test("hints: a scheduled one shows its time, an available one opens on click", async () => {
  const at = Date.now() + 600_000;
  const hints = [
    {
      id: "1",
      title: null,
      cost: 0,
      html: "<p>Look up.</p>",
      at: null,
      taken: false,
      requirements: [],
    },
    { id: "2", title: null, cost: 0, html: null, at, taken: false, requirements: [] },
  ];
  const { card } = await openCard({ hints });
  const list = within(card).getByRole("list", { name: "Hints" });
  const [first, second] = within(list).getAllByRole("listitem");
  expect(first?.querySelector("summary")?.textContent).toBe("Hint 1");
  expect(first?.querySelector("details")?.open).toBe(false);
  expect(second?.textContent).toBe(`Hint 2, available at ${hours(at, "en-GB", undefined)}`);
  expect(second?.querySelector("details")).toBeNull();
});

const PAID = {
  ...{ id: "tool", title: "A tool", cost: 30, html: null, at: null },
  ...{ taken: false, requirements: [] },
};

test("a hint for points shows its cost and the resulting rank before it is taken", async () => {
  const { user, card } = await openCard({
    hints: [PAID, { ...PAID, id: "way", title: null, cost: 5, requirements: ["tool"] }],
  });
  snapshot(
    [
      ["Ours", "IT", {}, 0, 50],
      ["Theirs", "FR", {}, 0, 40],
    ],
    ["a", "b"],
  );
  const summary = await within(card).findByText("Hint 1 · A tool · 30 points", {}, PATIENT);
  await user.click(summary);
  expect(await within(card).findByText(/^After taking it: 2nd of 2, 20 points/)).toBeTruthy();
  expect(within(card).getByText("Take first: Hint 1")).toBeTruthy();
  const text = "<p>Use jq.</p>";
  server.replies["/hint"] = [200, { html: text, cost: 30 }];
  const taken = { ...PAID, html: text, taken: true };
  server.replies["/challenge"] = [200, { challenges: [challenge("a", { hints: [taken] })] }];
  await user.click(within(card).getByRole("button", { name: "Take hint" }));
  expect(await within(card).findByText("Use jq.", {}, PATIENT)).toBeTruthy();
  expect(callsTo("/hint")[0]?.body).toEqual({ challengeId: "a", hintId: "tool", cost: 30 });
  expect(
    await within(card).findByText("Hint 1 · A tool · 30 points · taken", {}, PATIENT),
  ).toBeTruthy();
});

test("a refused hint says why", async () => {
  const { user, card } = await openCard({ hints: [PAID] });
  snapshot([["Ours", "IT", {}, 0]], ["a", "b"]);
  await user.click(await within(card).findByText("Hint 1 · A tool · 30 points", {}, PATIENT));
  server.replies["/hint"] = [409, { code: "points_missing", message: "Not enough points." }];
  await user.click(within(card).getByRole("button", { name: "Take hint" }));
  expect(await within(card).findByText("Not enough points.", {}, PATIENT)).toBeTruthy();
});

test("without attempts there is no button that takes a hint", async () => {
  const { user, card } = await openCard({ hints: [PAID], attemptsLeft: 0 });
  await user.click(await within(card).findByText("Hint 1 · A tool · 30 points", {}, PATIENT));
  expect(await within(card).findAllByText(/has no attempts left/, {}, PATIENT)).toHaveLength(2);
  expect(within(card).queryByRole("button", { name: "Take hint" })).toBeNull();
});

test("notices about the challenge are on its card, except withdrawn ones", async () => {
  const about = { at: 1, html: "", urgent: false, withdrawn: false, challengeId: "a" };
  const notices = [
    { ...about, id: 1, title: "About a" },
    { ...about, id: 2, title: "", withdrawn: true, challengeId: "a" },
    { ...about, id: 3, title: "About b", challengeId: "b" },
  ];
  server.info.notices = notices.length;
  server.replies["/notices"] = [200, { notices }];
  const { card } = await openCard({});
  const notice = await within(card).findByRole("article", { name: "About a" }, PATIENT);
  expect(notice).toBeTruthy();
  expect(within(card).getAllByRole("article")).toHaveLength(1);
});

test("a question about the challenge is asked on its card", async () => {
  const { user, card } = await openCard({});
  await user.click(within(card).getByText("Ask the organizers"));
  const label = "Ask about Challenge a";
  const box = await within(card).findByRole("textbox", { name: label }, PATIENT);
  server.replies["/question"] = [201, { id: 9 }];
  const asked = { id: 9, at: Date.now(), text: "Why?", challengeId: "a", state: "open" };
  server.replies["/questions"] = [200, { questions: [asked] }];
  await user.type(box, "Why?{Control>}{Enter}{/Control}");
  expect(await within(card).findByText(/^Asked at/, {}, PATIENT)).toBeTruthy();
  expect(callsTo("/question")[0]?.body).toEqual({ text: "Why?", challengeId: "a" });
  expect(within(card).getByText("0 of 1 questions answered")).toBeTruthy();
});

test("a message from the organizers does not count as an answered question", async () => {
  const told = { id: 9, at: Date.now(), text: "", challengeId: "a", state: "answered" };
  const message = { ...told, answer: "Your flag was accepted.", answeredAt: Date.now() };
  server.replies["/questions"] = [200, { questions: [message] }];
  const { user, card } = await openCard({});
  await user.click(within(card).getByText("Ask the organizers"));
  expect(await within(card).findByText("Your flag was accepted.", {}, PATIENT)).toBeTruthy();
  expect(within(card).getByText("Ask the organizers")).toBeTruthy();
  expect(within(card).queryByText(/questions answered/)).toBeNull();
});

test("during a pause a line under the field shows it, before and after a submission", async () => {
  server.info.paused = true;
  const { user, card } = await openCard({});
  const line = await within(card).findByText(
    /^The CTF is paused\. Submit your flag when it resumes\./,
    {},
    PATIENT,
  );
  server.replies["/solve"] = [403, { code: "paused", message: "Paused." }];
  await user.type(within(card).getByPlaceholderText("flag"), "flag{{x}{enter}");
  await waitFor(() => expect(line.textContent).toContain("this flag was not checked"), PATIENT);
});
