/** Keyboard focus when the focused element disappears. */
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { useKeptFocus } from "./focus";

afterEach(cleanup);

function Page({ has }: { has: boolean }) {
  useKeptFocus();
  return (
    <main tabIndex={-1}>
      <div className="org">
        <button type="button">First of the page</button>
        <ul>
          <li>
            <button type="button">Beside it</button>
            {has && <button type="button">Done</button>}
          </li>
        </ul>
        {has && <a href="/alone">Alone</a>}
      </div>
    </main>
  );
}

const focused = () => document.activeElement?.textContent;

test("a removed button passes the focus to its neighbor", async () => {
  const { rerender } = render(<Page has />);
  screen.getByRole("button", { name: "Done" }).focus();
  rerender(<Page has={false} />);
  await waitFor(() => expect(focused()).toBe("Beside it"));
});

test("without neighbors the page gets the focus, not its first button", async () => {
  const { rerender } = render(<Page has />);
  screen.getByRole("link", { name: "Alone" }).focus();
  rerender(<Page has={false} />);
  await waitFor(() => expect(document.activeElement?.tagName).toBe("MAIN"));
});

test("a click on empty space gets no focus", async () => {
  const { rerender } = render(<Page has />);
  const done = screen.getByRole("button", { name: "Done" });
  done.focus();
  document.dispatchEvent(new Event("pointerdown"));
  done.blur();
  rerender(<Page has={false} />);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(document.activeElement).toBe(document.body);
});
