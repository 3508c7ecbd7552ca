/** Whether organizers have paused the event while it runs. */
import { useStatus } from "./clock";
import { useCtf } from "./queries";

/** Before the start and after the end, no flag counts anyway. */
export function useIsPaused(): boolean {
  const status = useStatus();
  const isPaused = useCtf().data?.info.paused === true;
  return isPaused && status !== "not_started" && status !== "ended";
}
