/** Server time, updated every second, and formatted durations. */
import { useEffect, useState } from "react";

/** Server time, given that the server's clock is `aheadMs` ahead of the local clock. */
export function useNow(aheadMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now + aheadMs;
}

export const two = (part: number) => part.toString().padStart(2, "0");

/** Formats a duration as `02:14:33` or `3 d 02:14:33`, rounded up to a second. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const days = Math.floor(seconds / 86_400);
  const parts = [Math.floor((seconds % 86_400) / 3600), Math.floor((seconds % 3600) / 60)];
  const clock = [...parts, seconds % 60].map(two).join(":");
  return days > 0 ? `${days} d ${clock}` : clock;
}
