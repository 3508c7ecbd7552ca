/** The private data of all teams, which an owner erases after the event. */
import { type PrivateData, postErase } from "../../../api/organize";
import type { Overview } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { Dialog } from "../../../ui/dialog/dialog";
import { DialogButton } from "../dialog-button";
import { ListState } from "../frame/list";
import { useMay } from "../frame/reading";
import { EraseForm, usePrivate } from "../teams/private";

/** The number of rows that an erasure takes. */
function erasedRows({ kept }: PrivateData): number {
  return kept.reduce((sum, { rows, stays }) => sum + (stays ? 0 : rows), 0);
}

function AllDialog({ event, onClose }: { event: string; onClose: () => void }) {
  const { privacyOfAll: words } = useOrganizeMessages().console;
  const data = usePrivate(null);
  return (
    <Dialog title={words.title} onClose={onClose}>
      <ListState of={data}>
        {(kept) => (
          <EraseForm
            data={kept}
            name={event}
            beforeEnd={words.beforeEnd}
            action={words.erase}
            erase={(confirm, beforeEnd) => postErase(null, confirm, beforeEnd)}
            onDone={onClose}
          >
            <p>{words.count(kept.teams, erasedRows(kept))}</p>
            <p>{words.note}</p>
          </EraseForm>
        )}
      </ListState>
    </Dialog>
  );
}

/** For owners, once the event has a name to confirm with. */
export function PrivateDataOfAll({ overview: { name } }: { overview: Overview }) {
  const { privacyOfAll: words } = useOrganizeMessages().console;
  const may = useMay();
  if (!may("privacy.show") || !may("privacy.erase") || !name) return null;
  return (
    <section className="org-card">
      <h2>{words.title}</h2>
      <p className="org-note">{words.about}</p>
      <div className="org-actions">
        <DialogButton text={words.button}>
          {(close) => <AllDialog event={name} onClose={close} />}
        </DialogButton>
      </div>
    </section>
  );
}
