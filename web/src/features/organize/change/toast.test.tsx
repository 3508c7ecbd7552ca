/** The undo toast: its duration, and pauses. */
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Acted } from "../../../api/organize-lists";
import { TOAST_MS, Toast } from "./toast";

const DONE = { action: "team.ban", sentence: 'Ada banned "Otters".', id: 7 } as Acted;

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function show() {
  const onClose = vi.fn();
  render(<Toast done={DONE} onUndo={() => {}} onClose={onClose} />);
  return { onClose, undo: screen.getByRole("button", { name: /^Undo/ }) };
}

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

test("the toast closes after eight seconds", () => {
  const { onClose } = show();
  pass(TOAST_MS - 1);
  expect(onClose).not.toHaveBeenCalled();
  pass(1);
  expect(onClose).toHaveBeenCalledOnce();
  expect(TOAST_MS).toBe(8_000);
});

test("an action that should follow holds the toast, and has a button", () => {
  const onClose = vi.fn();
  const onFollow = vi.fn();
  const order = { action: "challenge.rejudge", fixed: { challenge: "web" } } as const;
  const followUp = { order, reason: "Verdicts are old." };
  const props = { done: DONE, followUp, onFollow, onUndo: undefined, onClose };
  render(<Toast {...props} />);
  pass(2 * TOAST_MS);
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.getByText(/Verdicts are old\./)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Rejudge" }));
  expect(onFollow).toHaveBeenCalledWith(order);
});

test("the toast stays while it is pointed at or has the focus", () => {
  const { onClose, undo } = show();
  fireEvent.pointerEnter(undo.parentElement ?? undo);
  pass(TOAST_MS);
  expect(onClose).not.toHaveBeenCalled();
  fireEvent.pointerLeave(undo.parentElement ?? undo);
  pass(TOAST_MS / 2);
  act(() => undo.focus());
  pass(TOAST_MS);
  expect(onClose).not.toHaveBeenCalled();
  act(() => undo.blur());
  pass(TOAST_MS);
  expect(onClose).toHaveBeenCalledOnce();
});
