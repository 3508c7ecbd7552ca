/** Times of today and of other days, also in what is not drawn again. */
import { act, cleanup, render, screen } from "@testing-library/react";
import { memo } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { Moment } from "./moment";

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test("a time of today gets its date after midnight, in a row that is not drawn again too", () => {
  vi.useFakeTimers();
  vi.setSystemTime(new Date(2026, 10, 27, 23, 59, 30));
  const Row = memo(({ ms }: { ms: number }) => <Moment ms={ms} />);
  render(<Row ms={new Date(2026, 10, 27, 23, 58, 12).getTime()} />);
  expect(screen.getByRole("time").textContent).toBe("23:58:12");
  act(() => vi.advanceTimersByTime(60_000));
  expect(screen.getByRole("time").textContent).toBe("27 Nov, 23:58");
});
