/** First activity of the viewer on a page, for parts that a first load need not wait for. */
import { useEffect, useState } from "react";

const EVENTS = ["pointerover", "keydown"] as const;

/** True once the viewer has moved a pointer over the page, touched it or pressed a key. */
export function useIsActive(): boolean {
  const [isActive, setIsActive] = useState(false);
  useEffect(() => {
    if (isActive) return;
    const activate = () => setIsActive(true);
    for (const name of EVENTS) document.addEventListener(name, activate, { passive: true });
    return () => {
      for (const name of EVENTS) document.removeEventListener(name, activate);
    };
  }, [isActive]);
  return isActive;
}
