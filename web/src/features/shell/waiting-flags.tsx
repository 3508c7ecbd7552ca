/** Says of each flag that waits for the connection that it will be sent, and can cancel it. */
import { useWaitingFlags } from "../../api/waiting-flags";
import { useMessages } from "../../messages/language";
import { Bar } from "../../ui/notification/notification";

export function WaitingFlags() {
  const { waitingFlag: words } = useMessages();
  const { waiting, cancel } = useWaitingFlags();
  return (
    <div role="status">
      {waiting.map((flag) => (
        <Bar key={flag.mutationId} kind="info" text={words.waits(flag.challengeName)}>
          <button type="button" onClick={() => cancel(flag.mutationId)}>
            {words.cancel}
          </button>
        </Bar>
      ))}
    </div>
  );
}
