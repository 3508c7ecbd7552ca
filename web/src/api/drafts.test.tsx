/** Drafts in the tab's storage. */
import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { clearDrafts, useDraft } from "./drafts";

const NOW = { text: "", open: true };
const hook = (name = "form", now = NOW) =>
  renderHook((props) => useDraft("organize", props.name, props.now), {
    initialProps: { name, now },
  });
const typed = (text: string) => {
  const { result, unmount } = hook();
  act(() => result.current.set("text", text));
  unmount();
};

beforeEach(() => sessionStorage.clear());

test("what was typed comes back, on the values as they are by then", () => {
  typed("half");
  const { result } = hook("form", { text: "theirs", open: false });
  expect(result.current.values).toEqual({ text: "half", open: false });
  expect(result.current.both).toEqual(["text"]);
});

test("nothing is kept of what is as it was, of what is discarded, and of what is saved", () => {
  const { result, rerender } = hook();
  const ends = [
    () => result.current.set("text", ""),
    () => result.current.discard(),
    () => result.current.saved(),
  ];
  for (const end of ends) {
    act(() => result.current.set("text", "half"));
    expect(sessionStorage.length).toBe(1);
    act(end);
    expect(sessionStorage.length).toBe(0);
  }
  expect(result.current.values.text).toBe("half");
  rerender({ name: "form", now: { text: "half", open: true } });
  expect(result.current.changed).toEqual([]);
});

test("what is discarded after its page was left is not kept", () => {
  const { result, unmount } = hook();
  act(() => result.current.set("text", "half"));
  unmount();
  result.current.discard();
  expect(sessionStorage.length).toBe(0);
});

test("another name has a draft of its own", () => {
  const { result, rerender } = hook();
  act(() => result.current.set("text", "half"));
  rerender({ name: "other", now: NOW });
  expect(result.current.values.text).toBe("");
  rerender({ name: "form", now: NOW });
  expect(result.current.values.text).toBe("half");
});

test("two changes of one moment are both in it", () => {
  const { result } = hook();
  act(() => {
    result.current.update("text", (text) => `${text}a`);
    result.current.update("text", (text) => `${text}b`);
    result.current.set("open", false);
  });
  expect(result.current.values).toEqual({ text: "ab", open: false });
});

test("a draft of another format is left out, and so is a text that is none", () => {
  typed("half");
  const [key = ""] = Object.keys(sessionStorage);
  const kept = sessionStorage.getItem(key) ?? "";
  for (const other of [kept.replace(/"format":\d+/, '"format":0'), "3", "{", '"x"']) {
    sessionStorage.setItem(key, other);
    const { result, unmount } = hook();
    expect(result.current.values).toEqual(NOW);
    unmount();
  }
});

test("drafts are removed by their scope", () => {
  typed("half");
  clearDrafts("play");
  expect(sessionStorage.length).toBe(1);
  clearDrafts("organize");
  expect(sessionStorage.length).toBe(0);
});

test("without a storage a draft lasts as long as its page", () => {
  const forbidden = () => {
    throw new DOMException("forbidden", "SecurityError");
  };
  vi.stubGlobal("sessionStorage", {
    getItem: forbidden,
    setItem: forbidden,
    removeItem: forbidden,
  });
  const { result } = hook();
  act(() => result.current.set("text", "half"));
  expect(result.current.values.text).toBe("half");
  act(() => result.current.discard());
  expect(result.current.values.text).toBe("");
  clearDrafts("organize");
  vi.unstubAllGlobals();
});
