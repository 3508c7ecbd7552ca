/** The Messages page: an inbox beside the open question; a failing part affects no other. */
import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { open, PATIENT, server } from "../../../fake-server";
import { OWNERS_ACTIONS, signedIn } from "../fake-server";
import { inboxOf } from "./inbox";

beforeEach(() => signedIn([...OWNERS_ACTIONS, "answers.set"]));

const QUESTION = { id: 4, at: 1, teamName: "Otters", text: "Is <b>port 22</b> in scope?" };
const OPEN = { ...QUESTION, challengeId: null, state: "open", answer: null, answeredAt: null };
const ANSWERED = { ...OPEN, id: 5, teamName: "Seals", state: "answered", answer: "Yes." };

test("saved replies that fail leave the questions alone", async () => {
  server.replies["/organize/questions"] = [200, { questions: [OPEN] }];
  server.replies["/organize/answers"] = [500, { code: "internal_error" }];
  const { user } = open("/organize/messages?tab=replies");
  await user.click(await screen.findByRole("link", { name: "Questions" }, PATIENT));
  await screen.findByRole("heading", { name: "Questions" }, PATIENT);
  expect(screen.getByRole("link", { name: /Otters.*port 22/ })).toBeTruthy();
});

test("a question opens with its answer, and has the address", async () => {
  server.replies["/organize/questions"] = [200, { questions: [OPEN, ANSWERED] }];
  const { user } = open("/organize/messages");
  await user.click(await screen.findByRole("link", { name: /Seals/ }, PATIENT));
  const thread = await screen.findByRole("region", { name: "Seals" }, PATIENT);
  expect(within(thread).getByText("Yes.")).toBeTruthy();
  expect(within(thread).getByText(QUESTION.text)).toBeTruthy();
  expect(window.location.search).toBe("?question=5");
});

const NOTICE = {
  ...{ id: 7, at: 1, title: "Lunch", html: "<p>At <b>noon</b>.</p>", challengeId: null },
  ...{ urgent: false, urgentUntil: null, waits: false, correctedAt: null, withdrawn: false },
};

test("a notice has its text in the list, and opens beside it", async () => {
  server.replies["/organize/notices"] = [200, { notices: [NOTICE] }];
  const { user } = open("/organize/messages?tab=notices");
  await user.click(await screen.findByRole("link", { name: /^Lunch .*At noon\./ }, PATIENT));
  const panel = within(await screen.findByRole("region", { name: "Lunch" }, PATIENT));
  expect(panel.getByText("noon")).toBeTruthy();
  expect(window.location.search).toBe("?tab=notices&notice=7");
  await user.click(screen.getByRole("link", { name: "Questions" }));
  expect(window.location.search, "another section closes it").toBe("");
});

test("a saved reply opens from its row, and a removed one leaves the list", async () => {
  const answers = [
    { title: "Wi-Fi", text: "On the wall." },
    { title: "Rules", text: "See the rules." },
  ];
  server.replies["/organize/answers"] = [200, { answers }];
  const { user } = open("/organize/messages?tab=replies");
  await user.click(await screen.findByRole("link", { name: /^Rules/ }, PATIENT));
  expect(screen.getByLabelText("Reply 2 text")).toHaveProperty("value", "See the rules.");
  await user.click(screen.getByRole("button", { name: "Remove reply 2" }));
  expect(screen.queryByRole("link", { name: /^Rules/ })).toBeNull();
  expect(document.activeElement?.textContent).toBe("Add reply");
});

test.each([
  [{}, [4, 5]],
  [{ q: " SEALS" }, [5]],
  [{ state: "open" }, [4]],
  [{ claim: "no" }, [5]],
])("the filter %j leaves %j", (filter, ids) => {
  const viewers = (object: string) => (object === "question 4" ? ["Grace"] : []);
  const all = { q: "", state: "", claim: "", ...filter };
  expect(inboxOf([OPEN, ANSWERED], all, viewers).map(({ id }) => id)).toEqual(ids);
});
