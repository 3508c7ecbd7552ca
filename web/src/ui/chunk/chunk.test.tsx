/** Pages in their own chunks: no placeholder once loaded, and a second attempt after a failure. */
import { cleanup, render, screen } from "@testing-library/react";
import { Suspense } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { chunkPage } from "./chunk";

afterEach(cleanup);

const Content = () => <p>content</p>;

test("a loaded page is rendered without its placeholder", async () => {
  const Page = chunkPage("content", () => Promise.resolve({ default: Content }));
  expect(Page.isLoaded()).toBe(false);
  await Page.preload();
  expect(Page.isLoaded()).toBe(true);
  const placeholder = vi.fn(() => null);
  const Placeholder = placeholder;
  render(
    <Suspense fallback={<Placeholder />}>
      <Page />
    </Suspense>,
  );
  expect(screen.getByText("content")).toBeTruthy();
  expect(placeholder).not.toHaveBeenCalled();
});

test("a failed chunk is loaded again", async () => {
  const load = vi.fn(() => Promise.resolve({ default: Content }));
  load.mockImplementationOnce(() => Promise.reject(new Error("offline")));
  const Page = chunkPage("content", load);
  await expect(Page.preload()).rejects.toThrow();
  await Page.preload();
  expect(Page.isLoaded()).toBe(true);
});
