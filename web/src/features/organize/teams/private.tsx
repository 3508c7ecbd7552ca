/** What is kept about a team, and its erasure, which is confirmed by the name. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { getPrivate, type PrivateData, postErase } from "../../../api/organize";
import { LIVE_KEY } from "../../../api/organize-live";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { Dialog } from "../../../ui/dialog/dialog";
import { Field, Form } from "../../../ui/field/field";
import { useNotify } from "../../../ui/notification/notification";
import { Tick } from "../change/fields";
import { DialogButton } from "../dialog-button";
import { useFaultText } from "../fault";
import { ListState } from "../frame/list";
import { useMay } from "../frame/reading";
import { useGate } from "../gate";
import { useTimeText } from "../time";

type Kept = PrivateData["kept"][number];

function useUntil(): (kept: Kept) => string {
  const { privacy: words } = useOrganizeMessages().console;
  const timeText = useTimeText();
  return ({ stays, hours, until }) => {
    if (stays) return words.stays;
    if (typeof hours === "number") return words.hours(hours);
    return typeof until === "number" ? words.until(timeText(until)) : words.erased;
  };
}

function KeptTable({ kept }: { kept: readonly Kept[] }) {
  const { privacy: words } = useOrganizeMessages().console;
  const untilOf = useUntil();
  const rows = kept.filter(({ rows }) => rows > 0);
  return (
    <table className="org-table">
      <thead>
        <tr>
          <th scope="col">{words.what}</th>
          <th scope="col">{words.rows}</th>
          <th scope="col">{words.kept}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={`${row.table} ${row.what}`}>
            <th scope="row" lang="en">
              {row.what} <span className="org-note">({row.table})</span>
            </th>
            <td className="org-number">{row.rows}</td>
            <td>{untilOf(row)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface EraseProps {
  data: PrivateData;
  /** What is typed to confirm: the name of the team, or of the event for all teams. */
  name: string;
  /** What is lost before the end, which a box has to be ticked for. */
  beforeEnd: string;
  /** The text of the button. */
  action: string;
  erase: (confirm: string, beforeEnd: boolean) => Promise<{ rows: number }>;
  onDone: () => void;
  children: ReactNode;
}

/** Shows what is kept, and erases it. */
export function EraseForm({ data, name, action, erase, onDone, ...texts }: EraseProps) {
  const { privacy: words } = useOrganizeMessages().console;
  const run = useGate();
  const cache = useQueryClient();
  const { notify } = useNotify();
  const faultText = useFaultText();
  const [typed, setTyped] = useState("");
  const [beforeEnd, setBeforeEnd] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const { isOver } = data;
  const erasing = useMutation({
    networkMode: "always",
    mutationFn: () => run(() => erase(typed, beforeEnd)),
    onMutate: () => setFault(null),
    onSuccess: ({ rows }) => {
      notify("success", { message: words.done(rows) });
      void cache.invalidateQueries({ queryKey: LIVE_KEY });
      onDone();
    },
    onError: (error) => setFault(faultText(error)),
  });
  function submit() {
    if (typed !== name) return setFault(words.nameFault);
    if (!isOver && !beforeEnd) return setFault(words.beforeEndFault);
    if (!erasing.isPending) erasing.mutate();
  }
  return (
    <Form className="org-stack" noValidate onSubmit={submit}>
      <KeptTable kept={data.kept} />
      {texts.children}
      {!isOver && <Tick label={texts.beforeEnd} on={beforeEnd} onChange={setBeforeEnd} />}
      <Field
        label={words.confirm(name)}
        value={typed}
        autoComplete="off"
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <div role="alert">{fault !== null && <p className="org-fault">{fault}</p>}</div>
      <button type="submit" className="org-do" aria-disabled={erasing.isPending}>
        {action}
      </button>
    </Form>
  );
}

/** What is kept about a team, or about all. */
export function usePrivate(team: string | null) {
  const run = useGate();
  return useQuery({
    queryKey: ["organize", "private", team],
    queryFn: () => run(() => getPrivate(team)),
    gcTime: 0,
  });
}

function PrivateDialog({ team, onClose }: { team: string; onClose: () => void }) {
  const { privacy: words } = useOrganizeMessages().console;
  const data = usePrivate(team);
  return (
    <Dialog title={words.title(team)} onClose={onClose}>
      <ListState of={data}>
        {(kept) => (
          <EraseForm
            data={kept}
            name={team}
            beforeEnd={words.beforeEnd}
            action={words.erase(team)}
            erase={(confirm, beforeEnd) => postErase(team, confirm, beforeEnd)}
            onDone={onClose}
          >
            <p>{words.note}</p>
          </EraseForm>
        )}
      </ListState>
    </Dialog>
  );
}

/** The button that opens the dialog, for owners. */
export function PrivateButton({ team }: { team: string }) {
  const { privacy: words } = useOrganizeMessages().console;
  const may = useMay();
  if (!may("privacy.show") || !may("privacy.erase")) return null;
  return (
    <DialogButton text={words.button} className="org-small">
      {(close) => <PrivateDialog team={team} onClose={close} />}
    </DialogButton>
  );
}
