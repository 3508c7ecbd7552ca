/** The dialogs of what an owner does with organizers. */
import { useMutation } from "@tanstack/react-query";
import {
  type InvitationLink,
  type Person,
  postAddOrganizer,
  postRemoveOrganizer,
  postResetOrganizer,
  postRoles,
} from "../../api/organize";
import { useOrganizeMessages } from "../../messages/organize/words";
import { Dialog } from "../../ui/dialog/dialog";
import { useSentence } from "./fault";
import { useGate } from "./gate";
import styles from "./organize.module.css";
import { Fault } from "./refused";
import { RightsForm } from "./rights-form";

/** What an owner wants to do. */
export type Asked =
  | { readonly kind: "add" }
  | { readonly kind: "roles" | "reset" | "remove"; readonly person: Person };

interface ConfirmProps {
  note: string;
  button: string;
  send: () => Promise<void>;
  onCancel: () => void;
}

function Confirm({ note, button, send, onCancel }: ConfirmProps) {
  const { cancel } = useOrganizeMessages();
  const sentence = useSentence();
  const sending = useMutation({ mutationFn: send });
  return (
    <div className={styles.stack}>
      <p>{note}</p>
      <Fault text={sending.error && sentence(sending.error)} />
      <div className={styles.row}>
        <button type="button" disabled={sending.isPending} onClick={() => sending.mutate()}>
          {button}
        </button>
        <button type="button" onClick={onCancel}>
          {cancel}
        </button>
      </div>
    </div>
  );
}

interface OrganizerDialogProps {
  asked: Asked;
  onClose: () => void;
  /** With a link if there is a new invitation. */
  onDone: (name: string, invitation: InvitationLink | null) => void;
}

export function OrganizerDialog({ asked, onClose, onDone }: OrganizerDialogProps) {
  const { organizers: words } = useOrganizeMessages();
  const run = useGate();
  if (asked.kind === "add") {
    return (
      <Dialog title={words.add} onClose={onClose}>
        <RightsForm
          organizer={null}
          button={words.addButton}
          send={async (input) => onDone(input.name, await run(() => postAddOrganizer(input)))}
        />
      </Dialog>
    );
  }
  const { person } = asked;
  async function change(call: () => Promise<unknown>) {
    await run(call);
    onDone(person.name, null);
  }
  if (asked.kind === "roles") {
    return (
      <Dialog title={words.changeOf(person.name)} onClose={onClose}>
        <div className={styles.stack}>
          <p>{words.changeNote}</p>
          <RightsForm
            organizer={person}
            button={words.save}
            send={(input) => change(() => postRoles(input))}
          />
        </div>
      </Dialog>
    );
  }
  const isReset = asked.kind === "reset";
  const title = isReset ? words.resetOf(person.name) : words.removeOf(person.name);
  const reset = async () => onDone(person.name, await run(() => postResetOrganizer(person.name)));
  const remove = () => change(() => postRemoveOrganizer(person.name));
  return (
    <Dialog title={title} onClose={onClose}>
      <Confirm
        note={isReset ? words.resetNote : words.removeNote}
        button={isReset ? words.reset : words.remove}
        send={isReset ? reset : remove}
        onCancel={onClose}
      />
    </Dialog>
  );
}
