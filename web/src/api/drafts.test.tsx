/** Drafts in the tab's storage. */
import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { clearDrafts } from "./draft-keys";
import { useDraft } from "./drafts";

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

test("a draft is restored on top of the current values", () => {
  typed("half");
  const { result } = hook("form", { text: "theirs", open: false });
  expect(result.current.values).toEqual({ text: "half", open: false });
  expect(result.current.both).toEqual(["text"]);
});

test("unchanged, discarded and saved values are not stored", () => {
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

test("a draft discarded after its page closed is not stored", () => {
  const { result, unmount } = hook();
  act(() => result.current.set("text", "half"));
  unmount();
  result.current.discard();
  expect(sessionStorage.length).toBe(0);
});

test("each name has a separate draft", () => {
  const { result, rerender } = hook();
  act(() => result.current.set("text", "half"));
  rerender({ name: "other", now: NOW });
  expect(result.current.values.text).toBe("");
  rerender({ name: "form", now: NOW });
  expect(result.current.values.text).toBe("half");
});

test("two simultaneous changes are both applied", () => {
  const { result } = hook();
  act(() => {
    result.current.update("text", (text) => `${text}a`);
    result.current.update("text", (text) => `${text}b`);
    result.current.set("open", false);
  });
  expect(result.current.values).toEqual({ text: "ab", open: false });
});

test("drafts of another format and invalid texts are ignored", () => {
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

test("drafts are removed by scope", () => {
  typed("half");
  clearDrafts("play");
  expect(sessionStorage.length).toBe(1);
  clearDrafts("organize");
  expect(sessionStorage.length).toBe(0);
});

test("without storage a draft lasts as long as its page", () => {
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
