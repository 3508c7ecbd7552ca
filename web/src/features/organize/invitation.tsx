/** A new invitation's link, shown once. */
import { useEffect, useRef } from "react";
import type { InvitationLink } from "../../api/organize";
import { useOrganizeMessages } from "../../messages/organize/words";
import { Field } from "../../ui/field/field";
import { CopyButton } from "./copy-button";
import styles from "./organize.module.css";
import { useTimeText } from "./time";

interface InvitationPanelProps {
  name: string;
  invitation: InvitationLink;
  onDone: () => void;
}

export function InvitationPanel({ name, invitation, onDone }: InvitationPanelProps) {
  const { invitation: words } = useOrganizeMessages();
  const timeText = useTimeText();
  const link = useRef<HTMLInputElement>(null);
  useEffect(() => link.current?.focus(), []);
  return (
    <section aria-label={words.title(name)} className={`${styles.warning} ${styles.stack}`}>
      <h3>{words.title(name)}</h3>
      <p>{words.note(timeText(invitation.expiresAt))}</p>
      <Field
        announced
        ref={link}
        label={words.link}
        value={invitation.link}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton text={invitation.link} label={words.copy}>
        <button type="button" onClick={onDone}>
          {words.done}
        </button>
      </CopyButton>
    </section>
  );
}
