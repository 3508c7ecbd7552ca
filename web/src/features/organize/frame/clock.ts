/** The time of the event's server, each second, and durations in words of figures. */
import { useEffect, useState } from "react";

/** The server's time, if its clock is `aheadMs` ahead of this machine's. */
export function useNow(aheadMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now + aheadMs;
}

export const two = (part: number) => part.toString().padStart(2, "0");

/** `02:14:33`, or `3 d 02:14:33`; a started second counts. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const days = Math.floor(seconds / 86_400);
  const parts = [Math.floor((seconds % 86_400) / 3600), Math.floor((seconds % 3600) / 60)];
  const clock = [...parts, seconds % 60].map(two).join(":");
  return days > 0 ? `${days} d ${clock}` : clock;
}
