/** Moments at which the status of the event changes. */
import { useEffect, useRef, useState } from "react";
import { useStatus } from "../../../api/clock";
import type { Status } from "../../../domain/status";

/** True for some time after the status changed this way while the page was open. */
export function useTurn(from: Status, to: Status, forMs: number): boolean {
  const status = useStatus();
  const before = useRef(status);
  const [hasTurned, setTurned] = useState(false);
  useEffect(() => {
    const turns = before.current === from && status === to;
    before.current = status;
    if (turns) setTurned(true);
  }, [status, from, to]);
  useEffect(() => {
    if (!hasTurned) return;
    const timer = setTimeout(() => setTurned(false), forMs);
    return () => clearTimeout(timer);
  }, [hasTurned, forMs]);
  return hasTurned;
}
