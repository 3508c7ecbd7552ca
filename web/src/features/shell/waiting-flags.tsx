/** Lists flags that wait for the connection, each with a button to cancel it. */
import { useWaitingFlags } from "../../api/waiting-flags";
import { useMessages } from "../../messages/language";
import { Toast } from "../../ui/notification/notification";

export function WaitingFlags() {
  const { waitingFlag: words } = useMessages();
  const { waiting, cancel } = useWaitingFlags();
  return (
    <div role="status">
      {waiting.map((flag) => (
        <Toast key={flag.mutationId} kind="info">
          {words.waits(flag.challengeName)}
          <button type="button" onClick={() => cancel(flag.mutationId)}>
            {words.cancel}
          </button>
        </Toast>
      ))}
    </div>
  );
}
