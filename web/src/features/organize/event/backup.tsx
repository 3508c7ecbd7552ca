/** Age of the last backup, and the download of a new one. */
import { useQueryClient } from "@tanstack/react-query";
import { postBackup } from "../../../api/organize";
import type { Overview } from "../../../api/organize-lists";
import { LIVE_KEY } from "../../../api/organize-live";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useNotify } from "../../../ui/notification/notification";
import { DialogButton } from "../dialog-button";
import { useFaultText } from "../fault";
import { DialogFoot } from "../forms/dialog-parts";
import { useMay } from "../frame/queries";
import { save } from "../save";
import { useCall } from "../second-factor-gate";
import { useEventTimeText } from "../time-field";

function MakeBackup({ onDone }: { onDone: () => void }) {
  const { backup: words } = useOrganizeMessages().console;
  const cache = useQueryClient();
  const faultText = useFaultText();
  const { notify } = useNotify();
  const making = useCall(postBackup, {
    onSuccess: ({ blob, name, leftOut }) => {
      save(blob, name);
      const kind = leftOut > 0 ? "error" : "success";
      notify(kind, { message: leftOut > 0 ? words.leftOut(leftOut) : words.done(name) });
      void cache.invalidateQueries({ queryKey: LIVE_KEY });
      onDone();
    },
  });
  const fault = making.error && faultText(making.error);
  return (
    <div className="org-stack">
      <p>{words.note}</p>
      <p>{words.wait}</p>
      <div role="alert">{fault !== null && <p className="org-fault">{fault}</p>}</div>
      <div role="status">{making.isPending && words.making}</div>
      <DialogFoot>
        <button
          type="button"
          className="org-do"
          aria-disabled={making.isPending}
          onClick={() => !making.isPending && making.mutate()}
        >
          {words.download}
        </button>
      </DialogFoot>
    </div>
  );
}

export function BackupButton({ className }: { className: string }) {
  const { backup: words } = useOrganizeMessages().console;
  return (
    <DialogButton text={words.button} className={className} title={words.title}>
      {(close) => <MakeBackup onDone={close} />}
    </DialogButton>
  );
}

/** Shown only to owners, because other roles cannot act on it. */
export function LastBackup({ overview: { health } }: { overview: Overview }) {
  const { backup: words } = useOrganizeMessages().console;
  const may = useMay();
  const text = useEventTimeText();
  if (!health || !may("event.backup")) return null;
  const { lastBackupAt: at } = health;
  return (
    <>
      <p className="org-note">
        {typeof at === "number" ? `${words.last} ${text(at)}.` : words.none} {words.how}{" "}
        <code>flagship backup FILE</code>
      </p>
      <BackupButton className="org-small" />
    </>
  );
}
