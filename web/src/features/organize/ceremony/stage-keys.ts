/** Keys of the stage: those of a keyboard, and those that presenters send. */
import { useEffect, useRef } from "react";

interface StageKeys {
  readonly next: () => void;
  readonly previous: () => void;
  readonly full: () => void;
  readonly help: () => void;
  readonly leave: () => void;
}

const KEYS: Readonly<Record<string, keyof StageKeys>> = {
  " ": "next",
  ArrowRight: "next",
  Enter: "next",
  PageDown: "next",
  ArrowLeft: "previous",
  PageUp: "previous",
  f: "full",
  F: "full",
  "?": "help",
  Escape: "leave",
};

/** True for a key that a focused button or link handles. */
function isForControl({ key, target }: KeyboardEvent): boolean {
  const isPress = key === " " || key === "Enter";
  return isPress && target instanceof Element && target.closest("button, a, input") !== null;
}

export function useStageKeys(isOn: boolean, keys: StageKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      const does = KEYS[event.key];
      if (!does || event.ctrlKey || event.metaKey || event.altKey) return;
      // A held key must not run through the places.
      if (isForControl(event) || event.repeat) return;
      event.preventDefault();
      latest.current[does]();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isOn]);
}
