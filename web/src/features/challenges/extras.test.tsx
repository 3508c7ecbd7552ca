/** An open challenge: its solvers, its link, and closing it by keyboard. */
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { writeToken } from "../../api/token";
import { challenge, open, PATIENT, server, snapshot, TOKEN } from "../../fake-server";
import { challengeLink } from "./extras";

const START = 1_700_000_000;

beforeEach(() => {
  writeToken(TOKEN);
  server.replies["/challenge"] = [200, { challenges: [challenge("a"), challenge("b")] }];
});

async function openChallenge() {
  const page = open("/challenge?open=a");
  const card = await screen.findByRole("article", { name: "Challenge a" }, PATIENT);
  return { ...page, card };
}

test("the solvers unfold, in order", async () => {
  const { user, card } = await openChallenge();
  snapshot(
    [
      ["Bees", "FR", { "0": [2, START + 5] }, START + 5],
      ["Ours", "IT", {}, 0],
      ["Ants", "IT", { "0": [1, START] }, START],
    ],
    [challenge("a", { nsolves: 2, fbTs: START }), challenge("b")],
  );
  await user.click(await within(card).findByText("Solvers (2)", {}, PATIENT));
  const list = await within(card).findByRole("list", { name: "Solvers of Challenge a" });
  expect(
    within(list)
      .getAllByRole("link")
      .map((link) => link.textContent),
  ).toEqual(["Ants", "Bees"]);
});

test("the link is copied, with a confirmation", async () => {
  const { card } = await openChallenge();
  const user = userEvent.setup();
  await user.click(within(card).getByRole("button", { name: "Copy link" }));
  expect(await screen.findByText("Link copied.")).toBeTruthy();
  const address = await navigator.clipboard.readText();
  expect(new URL(address).pathname).toBe("/challenge");
  expect(address).toBe(challengeLink("a"));
});

test("Esc closes the card and keeps the focus on it; a filled flag stays", async () => {
  const { user, card } = await openChallenge();
  const flag = within(card).getByPlaceholderText("flag");
  await user.type(flag, "half a flag");
  await user.keyboard("{Escape}");
  expect(within(card).getByPlaceholderText("flag")).toBeTruthy();
  await user.clear(flag);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(within(card).queryByPlaceholderText("flag")).toBeNull());
  expect(document.activeElement).toBe(within(card).getByRole("button"));
});

describe("a link opens its challenge, whatever its ID looks like", () => {
  for (const id of ["web-1", "1e5", "007", "true", "null", "a.b_c"]) {
    test(id, async () => {
      server.replies["/challenge"] = [200, { challenges: [challenge(id), challenge("b")] }];
      const { pathname, search } = new URL(challengeLink(id));
      open(pathname + search);
      expect(await screen.findByText(`About ${id}`, {}, PATIENT)).toBeTruthy();
    });
  }
});
