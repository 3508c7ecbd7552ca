/** The Markdown editor, as far as it can be tested without layout. */
import { expect, test, vi } from "vitest";
import { mount } from "./code-mirror";

test("exposes hint and error, and does not report changes by the page", () => {
  const host = document.body.appendChild(document.createElement("div"));
  const onChange = vi.fn();
  const editor = mount(host, { text: "one", label: "Text", onChange });
  const content = () => host.shadowRoot?.querySelector(".cm-content");
  editor.describe("Markdown", false);
  expect(content()?.getAttribute("aria-label")).toBe("Text");
  expect(content()?.getAttribute("aria-description")).toBe("Markdown");
  expect(content()?.getAttribute("aria-invalid")).toBe("false");
  editor.describe("It is too long.", true);
  expect(content()?.getAttribute("aria-description")).toBe("It is too long.");
  expect(content()?.getAttribute("aria-invalid")).toBe("true");
  editor.show("two");
  expect(content()?.textContent).toBe("two");
  expect(onChange).not.toHaveBeenCalled();
  editor.destroy();
});
