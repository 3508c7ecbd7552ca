/** Scrolled positions: kept per address, and restored on Back, but not by a link. */
import { act, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { go } from "../../../navigate";
import { useKeptScroll } from "./scroll";

function Page() {
  useKeptScroll();
  return <div className="org-panel">Panel</div>;
}

let top = 0;
const scrolled = vi.fn((_: number, y: number) => {
  top = y;
});

beforeEach(() => {
  sessionStorage.clear();
  top = 0;
  scrolled.mockClear();
  vi.stubGlobal("scrollTo", scrolled);
  Object.defineProperty(window, "scrollY", { configurable: true, get: () => top });
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => {
    run();
    return 0;
  });
  window.history.replaceState(null, "", "/organize/teams");
});
afterEach(() => Reflect.deleteProperty(window, "scrollY"));

/** Scrolls the window and the panel, as a user does. */
function scroll(container: HTMLElement, windowTop: number, panelTop: number) {
  top = windowTop;
  const panel = container.querySelector(".org-panel");
  if (panel) panel.scrollTop = panelTop;
  document.dispatchEvent(new Event("scroll"));
  return panel;
}

test("Back restores the window and the panel; another address has its own position", () => {
  const { container } = render(<Page />);
  const panel = scroll(container, 700, 40);
  act(() => go("/organize/event", { keepScroll: true }));
  scroll(container, 12, 0);
  window.history.replaceState(null, "", "/organize/teams");
  window.dispatchEvent(new PopStateEvent("popstate"));
  expect(top).toBe(700);
  expect(panel?.scrollTop).toBe(40);
});

test("a link to an address that was scrolled before restores nothing", () => {
  const { container } = render(<Page />);
  scroll(container, 700, 0);
  top = 0;
  act(() => go("/organize/event", { keepScroll: true }));
  act(() => go("/organize/teams", { keepScroll: true }));
  expect(top).toBe(0);
});
