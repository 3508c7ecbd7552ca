/** Times of today and other days, in the event's zone, including rows that do not re-render. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen } from "@testing-library/react";
import { memo, type ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { CTF_KEY, CtfProvider } from "../../../api/queries";
import { deviceZone } from "../time-field";
import { Moment } from "./moment";

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** Renders in an event of this time zone. */
function renderIn(timezone: string, content: ReactNode) {
  const cache = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  cache.setQueryData(CTF_KEY, { info: { timezone } });
  render(
    <QueryClientProvider client={cache}>
      <CtfProvider>{content}</CtfProvider>
    </QueryClientProvider>,
  );
}

test("a time gets its date after midnight, even in a row that does not re-render", () => {
  vi.useFakeTimers();
  vi.setSystemTime(Date.UTC(2026, 10, 27, 23, 59, 30));
  const Row = memo(({ ms }: { ms: number }) => <Moment ms={ms} />);
  renderIn("UTC", <Row ms={Date.UTC(2026, 10, 27, 23, 58, 12)} />);
  expect(screen.getByRole("time").textContent).toBe("23:58:12");
  act(() => vi.advanceTimersByTime(60_000));
  expect(screen.getByRole("time").textContent).toBe("27 Nov, 23:58");
});

test("times and days are those of the event's zone, whatever the device's", () => {
  vi.useFakeTimers();
  vi.setSystemTime(Date.UTC(2026, 10, 27, 16, 30));
  const zone = "Asia/Tokyo";
  expect(deviceZone()).not.toBe(zone);
  const today = Date.UTC(2026, 10, 27, 15);
  const yesterday = Date.UTC(2026, 10, 27, 14, 59);
  renderIn(
    zone,
    <>
      <Moment ms={today} />
      <Moment ms={yesterday} />
    </>,
  );
  const texts = screen.getAllByRole("time").map(({ textContent }) => textContent);
  expect(texts).toEqual(["00:00:00", "27 Nov, 23:59"]);
});
