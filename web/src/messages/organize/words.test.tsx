/** Italian organizer messages that load while a component waits for them. */
import { cleanup, render, screen } from "@testing-library/react";
import { Suspense, startTransition, useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { it } from "../it";
import { LanguageProvider } from "../language";
import { useOrganizeMessages } from "./words";

afterEach(cleanup);

function Title() {
  return <h1>{useOrganizeMessages().pages.editor.newTitle}</h1>;
}

function Opener() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Suspense>
      <button type="button" onClick={() => startTransition(() => setIsOpen(true))}>
        open
      </button>
      {isOpen && <Title />}
    </Suspense>
  );
}

test("a component that waited for the messages is rendered without an error", async () => {
  const logged = vi.spyOn(console, "error");
  render(
    <LanguageProvider initial={{ language: "it", messages: it }}>
      <Opener />
    </LanguageProvider>,
  );
  screen.getByRole("button").click();
  expect(await screen.findByText("Nuova sfida")).toBeTruthy();
  // React logs an error if a replayed render does not call `use`.
  expect(logged).not.toHaveBeenCalled();
});
