/** A page that failed to load offline: Back works, and Retry keeps the site. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ChunkError } from "../../ui/chunk/chunk";
import { PageFailed } from "./problem";

const fetched = vi.fn<() => Promise<Response>>();
const reload = vi.fn();

beforeEach(() => {
  vi.stubGlobal("fetch", fetched);
  vi.spyOn(window.location, "reload").mockImplementation(reload);
  reload.mockClear();
  fetched.mockClear();
  fetched.mockRejectedValue(new TypeError("no network"));
});
afterEach(cleanup);

function open() {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <PageFailed error={new ChunkError("rules")} />
    </QueryClientProvider>,
  );
}

test("offline, Retry reports that there is no connection, and the page stays", async () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  open();
  expect(screen.getByRole("heading", { name: "Loading chunk rules failed" })).toBeTruthy();
  expect(screen.getByText(/^You're offline and this page hasn't been loaded yet\./)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("Still offline.")).toBeTruthy();
  expect(reload).not.toHaveBeenCalled();
});

test("Back goes back", async () => {
  window.history.pushState(null, "", "/rules");
  const back = vi.spyOn(window.history, "back");
  vi.spyOn(window.history, "length", "get").mockReturnValue(2);
  open();
  await userEvent.click(screen.getByRole("button", { name: "Back" }));
  expect(back).toHaveBeenCalledOnce();
});

test("the page opens automatically when the connection is back, not before", async () => {
  open();
  window.dispatchEvent(new Event("online"));
  await waitFor(() => expect(fetched).toHaveBeenCalled());
  expect(reload).not.toHaveBeenCalled();
  fetched.mockResolvedValue(new Response());
  window.dispatchEvent(new Event("online"));
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
});
