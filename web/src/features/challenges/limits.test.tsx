/** Progress of several flags, attempts and labels on the card, and their filters. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { writeToken } from "../../api/token";
import { challenge, open, PATIENT, server, TOKEN } from "../../fake-server";

beforeEach(() => writeToken(TOKEN));

function list(...challenges: unknown[]) {
  server.replies["/challenge"] = [200, { challenges }];
}

const form = () => screen.findByPlaceholderText("flag", {}, PATIENT);

test("one of several flags is correct, without a shake, and the card counts it", async () => {
  list(challenge("a", { progress: { found: 0, of: 3 } }));
  server.replies["/solve"] = [200, { correct: false, progress: { found: 1, of: 3 } }];
  const { user } = open("/challenge?open=a");
  const field = await form();
  expect(screen.getAllByText("0 of 3 flags").length).toBeGreaterThan(0);
  await user.type(field, "left{enter}");
  const card = within(screen.getByRole("article"));
  await card.findByText("Correct, 1 of 3. Find the other flags.", {}, PATIENT);
  expect(field.closest("form")?.dataset.wrong).not.toBe("true");
  expect(field).toHaveProperty("value", "");
  expect(screen.getAllByText("1 of 3 flags").length).toBeGreaterThan(0);
});

test("the card warns before the last attempt, and has no form after it", async () => {
  list(challenge("a", { attemptsLeft: 2 }));
  server.replies["/solve"] = [200, { correct: false, attemptsLeft: 1 }];
  const { user } = open("/challenge?open=a");
  const field = await form();
  expect(screen.getByText("2 attempts left")).toBeTruthy();
  await user.type(field, "no{enter}");
  expect(await screen.findByText("This is your team's last attempt.", {}, PATIENT)).toBeTruthy();
  server.replies["/solve"] = [200, { correct: false, attemptsLeft: 0 }];
  await user.type(field, "no{enter}");
  const line = await screen.findByText(/^Incorrect flag. Your team has no attempts/, {}, PATIENT);
  expect(screen.queryByPlaceholderText("flag")).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(line), PATIENT);
});

test("attempts that another member used, and a single needed flag, are not an answer", async () => {
  list(challenge("a", { attemptsLeft: 0, progress: { found: 0, of: 1 } }));
  open("/challenge?open=a");
  await screen.findByText(/has no attempts left for this challenge/, {}, PATIENT);
  expect(screen.queryByText(/Incorrect flag|of 1 flags/)).toBeNull();
});

test("labels are on the card and filter the list; without labels there is no filter", async () => {
  const labels = { difficulty: "easy", tags: ["cookies"], author: "Ada" };
  list(challenge("a", { ...labels, attribution: "<p>Icons by Bob</p>" }), challenge("b"));
  const { user } = open("/challenge?open=a");
  await form();
  expect(screen.getByText("By Ada")).toBeTruthy();
  expect(screen.getByText("Icons by Bob")).toBeTruthy();
  expect(within(screen.getByRole("list", { name: "Tags" })).getByText("cookies")).toBeTruthy();
  await user.selectOptions(screen.getByRole("combobox", { name: "Difficulty" }), "Easy");
  await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(1), PATIENT);
  await user.selectOptions(screen.getByRole("combobox", { name: "Difficulty" }), "All");
  await user.selectOptions(screen.getByRole("combobox", { name: "Tags" }), "cookies");
  await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(1), PATIENT);
});

test("without labels and limits, the page has neither", async () => {
  list(challenge("a"));
  open("/challenge?open=a");
  await form();
  expect(screen.queryByRole("combobox", { name: "Difficulty" })).toBeNull();
  expect(screen.queryByText(/attempt|of \d+ flags/)).toBeNull();
});
