/** Changes since the last look: stored when the page is hidden, shown on the next visit. */
import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { teamAddress } from "../../addresses";
import { challenge, open, PATIENT, say, snapshot } from "../../fake-server";

vi.mock("uplot", () => import("../../plot-recorder"));

const START = 1_700_000_000;
const KEY = "last look";
const CHALLENGES = [
  challenge("a", { challengeType: "dynamic", maxValue: 500, minValue: 50, nsolves: 1 }),
  challenge("b"),
];
const ROWS = [
  ["Ants", "IT", { "0": [1, START] }, START],
  ["Bees", "FR", {}, 0],
];

/** Hides the page, or shows it again. */
function turn(state: "hidden" | "visible") {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
}

test("a team's page explains its score after the viewer was away", async () => {
  const now = vi.spyOn(Date, "now");
  open(teamAddress("Ants"));
  await screen.findByRole("status", { name: "Loading team…" }, PATIENT);
  snapshot(ROWS, CHALLENGES);
  await screen.findByRole("heading", { level: 1, name: "Ants" }, PATIENT);
  const section = () => screen.queryByRole("region", { name: /^Since you last looked/ });
  await waitFor(() => {
    turn("hidden");
    expect(localStorage.getItem(KEY)).toContain("Ants");
  }, PATIENT);
  expect(section(), "it is the first visit").toBeNull();
  say({ event: "solve", challengeId: "a", teamName: "Bees", ts: START + 60 });
  say({ event: "solve", challengeId: "b", teamName: "Ants", ts: START + 70 });
  const points = () => screen.getByText("Points", { selector: "dt" }).parentElement?.textContent;
  await waitFor(() => expect(points()).toContain("559"), PATIENT);
  // A look at another tab is not an absence.
  turn("visible");
  expect(section()).toBeNull();
  turn("hidden");
  say({ event: "award", teamName: "Ants", award: -20 });
  say({ event: "solve", challengeId: "b", teamName: "Bees", ts: START + 80 });
  now.mockReturnValue(Date.now() + 61_000);
  turn("visible");
  const shown = await screen.findByRole("region", { name: /^Since you last looked/ }, PATIENT);
  const lines = within(shown).getAllByRole("listitem");
  await waitFor(() =>
    expect(lines.map((line) => line.textContent)).toEqual(["−20Awards and hints"]),
  );
});
