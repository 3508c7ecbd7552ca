/** The next steps on the home page for a visitor, a new team and a playing team. */
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { writeToken } from "../../api/token";
import { HOUR_MS, open, PATIENT, server, snapshot, TOKEN } from "../../fake-server";

const main = () => within(screen.getByRole("main"));

function notStarted() {
  server.times.startTime = Date.now() + HOUR_MS;
  server.times.endTime = Date.now() + 2 * HOUR_MS;
}

test("before the start a visitor can sign up and add the event to a calendar", async () => {
  notStarted();
  open("/");
  const signUp = await screen.findByRole("link", { name: "Sign up your team" }, PATIENT);
  expect(signUp.getAttribute("href")).toBe("/signup");
  const calendar = screen.getByRole("link", { name: "Add to calendar" });
  expect(new URL(calendar.getAttribute("href") ?? "").pathname).toBe("/event.ics");
  expect(main().getAllByRole("listitem")).toHaveLength(3);
  expect(main().getByText(/flag\{th1s_is_a_fl4g\}/)).toBeTruthy();
});

test("signup is not offered when closed, nor after the end", async () => {
  server.info.registration = {
    ...{ open: false, opens: null, closes: null, codes: "none", fields: [] },
    ...{ waitingList: false, full: false },
  };
  open("/");
  await screen.findByText("New to CTFs?", {}, PATIENT);
  expect(screen.queryByRole("link", { name: "Sign up your team" })).toBeNull();
});

test("after the end no next step is offered", async () => {
  server.times.endTime = Date.now() - 1;
  open("/");
  await screen.findByText(/The CTF has ended\./, {}, PATIENT);
  expect(screen.queryByText("New to CTFs?")).toBeNull();
  expect(screen.queryByRole("link", { name: /Sign up|calendar/ })).toBeNull();
});

describe("the board after the end", () => {
  const scoreboard = () => screen.findByRole("link", { name: /^View the/ }, PATIENT);
  function ended(info: Record<string, unknown>) {
    const nowMs = Date.now();
    Object.assign(server.times, { freezeTime: nowMs - HOUR_MS, endTime: nowMs - 1 });
    Object.assign(server.info, info);
    open("/");
  }
  test("before a manual reveal it is not final", async () => {
    ended({ revealAtEnd: false });
    expect((await scoreboard()).textContent).toBe("View the scoreboard");
    expect(main().getByText(/still frozen/)).toBeTruthy();
    expect(document.body.textContent).not.toMatch(/final/i);
  });
  test("after the reveal it is final", async () => {
    ended({ revealAtEnd: false, revealed: true });
    expect((await scoreboard()).textContent).toBe("View the final scoreboard");
    expect(main().queryByText(/frozen/)).toBeNull();
  });
  test("it is final immediately if the end reveals", async () => {
    ended({ revealAtEnd: true });
    expect((await scoreboard()).textContent).toBe("View the final scoreboard");
    expect(main().queryByText(/frozen/)).toBeNull();
  });
});

test("a team sees its rank and can continue; a new one gets the steps", async () => {
  writeToken(TOKEN);
  open("/");
  const standing = await screen.findByRole("region", { name: "Your team" }, PATIENT);
  const on = within(standing).getByRole("link", { name: "Continue" });
  expect(on.getAttribute("href")).toBe("/challenge?show=unsolved");
  snapshot(
    [
      ["Ants", "IT", {}, 0, 70],
      ["Ours", "IT", {}, 0],
    ],
    ["a"],
  );
  await within(standing).findByText("2nd of 2 teams", {}, PATIENT);
  const next = within(standing).getByRole("link", { name: "Next challenge Challenge a" });
  expect(next.getAttribute("href")).toBe("/challenge?open=a");
  expect(standing.textContent).toContain("0 points");
  expect(screen.getByText("New to CTFs?")).toBeTruthy();
  snapshot(
    [
      ["Ants", "IT", {}, 0, 70],
      ["Ours", "IT", { "0": [1, 1_700_000_000] }, 1_700_000_000],
    ],
    ["a"],
  );
  await waitFor(() => expect(standing.textContent).toContain("1st of 2 teams"), PATIENT);
  // Each part of the page ranks the board at its own interval.
  await waitFor(() => expect(screen.queryByText("New to CTFs?")).toBeNull(), PATIENT);
  expect(screen.queryByRole("link", { name: "Sign up your team" })).toBeNull();
});

test("before the start a team gets the calendar, and no rank", async () => {
  writeToken(TOKEN);
  notStarted();
  open("/");
  expect(await screen.findByRole("link", { name: "Add to calendar" }, PATIENT)).toBeTruthy();
  expect(screen.queryByRole("region", { name: "Your team" })).toBeNull();
});
