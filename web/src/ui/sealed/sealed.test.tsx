/** Texts and marks of the freeze, in each of its states. */
import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { SolveMark } from "../solve-mark/solve-mark";
import { SolverList } from "../solver-list/solver-list";
import { FrozenMark, Seal, SealProvider } from "./sealed";

const TS = 1_700_000_000;
const REVEAL_MS = Date.now() + 60_000;

function sealedMark(revealMs: number | null | undefined) {
  const { unmount } = render(
    <SealProvider revealMs={revealMs}>
      <SolveMark name="Crumbs" speedrun={false} position={1} ts={TS} later />
      <FrozenMark />
    </SealProvider>,
  );
  const mark = screen.getByRole("img");
  const shown = {
    label: mark.getAttribute("aria-label"),
    title: mark.getAttribute("title"),
    isFrozen: screen.queryByText("frozen") !== null,
  };
  unmount();
  return shown;
}

test("a sealed solve has its time and that of the reveal, never a position", () => {
  const time = "2023-11-14 22:13:20 UTC";
  const timed = sealedMark(REVEAL_MS);
  expect(timed.label).toMatch(
    /^Crumbs: solved, sealed until \d\d:\d\d.*, 2023-11-14 22:13:20 UTC$/,
  );
  expect(timed.title).toMatch(/^2023-11-14 22:13:20 UTC, sealed until \d\d:\d\d/);
  expect(timed.isFrozen).toBe(true);
  expect(sealedMark(null)).toEqual({
    label: `Crumbs: solved, sealed until the organizers reveal it, ${time}`,
    title: `${time}, sealed until the organizers reveal it`,
    isFrozen: true,
  });
  // The end has passed, and the revealed board is on its way.
  expect(sealedMark(undefined)).toEqual({
    label: `Crumbs: solved, sealed, ${time}`,
    title: `${time}, sealed`,
    isFrozen: false,
  });
});

test("among the solvers a sealed solve has a seal in place of its position", () => {
  const solver = (teamName: string, position: number) => ({
    teamName,
    country: "IT",
    position,
    ts: TS,
  });
  render(
    <SealProvider revealMs={null}>
      <SolverList
        label="Solvers"
        solvers={[solver("Ants", 1), { ...solver("Ours", 2), later: true as const }]}
      />
    </SealProvider>,
  );
  const [first, own] = screen.getAllByRole("listitem");
  expect(first?.textContent).toMatch(/^1.*Ants/);
  expect(first?.dataset.first).toBe("true");
  expect(own?.textContent).toMatch(/^–.*Ours.*sealed until the organizers reveal it$/);
  expect(own?.dataset.first).toBe("false");
});

test("the seal is visible text", () => {
  render(<Seal />);
  expect(screen.getByText("sealed")).toBeTruthy();
});
