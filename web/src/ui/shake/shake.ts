/** The shake of a form after an incorrect flag. */
import { useEffect, useState } from "react";

const SHAKE_MS = 1000;

/** True for a second after each call of the function. */
export function useShake(): [boolean, () => void] {
  const [shakes, setShakes] = useState(0);
  const [still, setStill] = useState(0);
  useEffect(() => {
    if (shakes === still) return;
    const timer = setTimeout(() => setStill(shakes), SHAKE_MS);
    return () => clearTimeout(timer);
  }, [shakes, still]);
  return [shakes !== still, () => setShakes((count) => count + 1)];
}
