/** Printable join cards, for the selected teams or for all. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { postCards } from "../../../api/organize";
import { LIVE_KEY } from "../../../api/organize-live";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useNotify } from "../../../ui/notification/notification";
import { LongField } from "../change/fields";
import { DialogButton } from "../dialog-button";
import { useFaultText } from "../fault";
import { DialogFoot } from "../forms/dialog-parts";
import { useMay } from "../frame/queries";
import barStyles from "../lists/selection-bar.module.css";
import { save } from "../save";
import { useCall } from "../second-factor-gate";

const FILE = "cards.html";
/** Maximum length of a reason, as for actions. */
const REASON_MAX = 500;

interface Props {
  /** Names of the teams; all confirmed teams if undefined. */
  teams?: readonly string[];
}

function MakeCards({ teams, onDone }: Props & { onDone: () => void }) {
  const { cards: words } = useOrganizeMessages().console;
  const { sheet } = useOrganizeMessages().pages;
  const cache = useQueryClient();
  const faultText = useFaultText();
  const { notify } = useNotify();
  const [reason, setReason] = useState("");
  const making = useCall(() => postCards(teams, reason.trim()), {
    onSuccess: (file) => {
      save(file, FILE);
      notify("success", { message: words.done });
      void cache.invalidateQueries({ queryKey: LIVE_KEY });
      onDone();
    },
  });
  const fault = making.error && faultText(making.error);
  return (
    <form
      className="org-stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!making.isPending) making.mutate();
      }}
    >
      <p>{words.note(teams?.length ?? 0)}</p>
      <p>{words.use}</p>
      <p>{words.secret}</p>
      <LongField
        label={sheet.reason}
        value={reason}
        hint={sheet.reasonHint}
        maxLength={REASON_MAX}
        rows={2}
        onChange={setReason}
      />
      <div role="alert">{fault && <p className="org-fault">{fault}</p>}</div>
      <div role="status">{making.isPending && words.making}</div>
      <DialogFoot>
        <button type="submit" className="org-do" aria-disabled={making.isPending}>
          {words.download}
        </button>
      </DialogFoot>
    </form>
  );
}

/** Button that opens the dialog, if the role can make cards. */
export function JoinCards({ teams }: Props) {
  const { cards: words } = useOrganizeMessages().console;
  const may = useMay();
  if (!may("team.cards")) return null;
  return (
    <DialogButton
      text={teams ? words.buttonOf(teams.length) : words.button}
      className={teams ? (barStyles.quiet ?? "") : "org-small"}
      title={words.title}
    >
      {(close) => <MakeCards {...(teams && { teams })} onDone={close} />}
    </DialogButton>
  );
}
