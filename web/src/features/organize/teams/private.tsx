/** Personal data stored about a team, and its erasure, confirmed by typing the name. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { getPrivate, type PrivateData, postErase } from "../../../api/organize";
import type { Overview } from "../../../api/organize-lists";
import { LIVE_KEY } from "../../../api/organize-live";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { Field, Form } from "../../../ui/field/field";
import { useNotify } from "../../../ui/notification/notification";
import { Tick } from "../change/fields";
import { DialogButton } from "../dialog-button";
import { useFaultText } from "../fault";
import { DialogFoot } from "../forms/dialog-parts";
import { ListState } from "../frame/list";
import { useMay } from "../frame/queries";
import { type Column, Table } from "../frame/table";
import { useCall, useGate } from "../second-factor-gate";
import { useTimeText } from "../time-field";

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
  const columns: readonly Column<Kept>[] = [
    {
      word: words.what,
      isName: true,
      cell: ({ what, table }) => (
        <span lang="en">
          {what} <span className="org-note">({table})</span>
        </span>
      ),
    },
    { word: words.rows, classOf: () => "org-number", cell: ({ rows }) => rows },
    { word: words.kept, cell: untilOf },
  ];
  const rows = kept.filter(({ rows }) => rows > 0);
  return <Table columns={columns} rows={rows} keyOf={({ table, what }) => `${table} ${what}`} />;
}

interface EraseProps {
  /** Team name; null for all teams. */
  team: string | null;
  /** Name to type as confirmation: of the team, or of the event for all teams. */
  name: string;
  words: {
    /** Label of the required checkbox about data that is lost before the end. */
    readonly beforeEnd: string;
    readonly note: string;
  };
  action: string;
  onDone: () => void;
  /** Additional notes about the stored data. */
  about?: (data: PrivateData) => ReactNode;
}

function EraseForm(props: EraseProps & { data: PrivateData }) {
  const { data, team, name, action, onDone, about } = props;
  const { privacy: words } = useOrganizeMessages().console;
  const cache = useQueryClient();
  const { notify } = useNotify();
  const faultText = useFaultText();
  const [typed, setTyped] = useState("");
  const [beforeEnd, setBeforeEnd] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const { isOver } = data;
  const erasing = useCall(() => postErase(team, typed, beforeEnd), {
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
      {about?.(data)}
      <p>{props.words.note}</p>
      {!isOver && <Tick label={props.words.beforeEnd} on={beforeEnd} onChange={setBeforeEnd} />}
      <Field
        label={words.confirm(name)}
        value={typed}
        autoComplete="off"
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <div role="alert">{fault !== null && <p className="org-fault">{fault}</p>}</div>
      <DialogFoot>
        <button type="submit" className="org-do" aria-disabled={erasing.isPending}>
          {action}
        </button>
      </DialogFoot>
    </Form>
  );
}

function Erase(props: EraseProps) {
  const { team } = props;
  const run = useGate();
  const data = useQuery({
    queryKey: ["organize", "private", team],
    queryFn: () => run(() => getPrivate(team)),
    gcTime: 0,
  });
  return <ListState of={data}>{(data) => <EraseForm {...props} data={data} />}</ListState>;
}

export function PrivateButton({ team }: { team: string }) {
  const { privacy: words } = useOrganizeMessages().console;
  const may = useMay();
  if (!may("privacy.show") || !may("privacy.erase")) return null;
  return (
    <DialogButton text={words.button} className="org-small" title={words.title(team)}>
      {(close) => (
        <Erase team={team} name={team} words={words} action={words.erase(team)} onDone={close} />
      )}
    </DialogButton>
  );
}

/**
 * Card to erase the personal data of all teams. Shown only to owners, and only if the event has a
 * name, which they type to confirm.
 */
export function PrivateDataOfAll({ overview: { name } }: { overview: Overview }) {
  const { privacyOfAll: words } = useOrganizeMessages().console;
  const may = useMay();
  if (!may("privacy.show") || !may("privacy.erase") || !name) return null;
  return (
    <section className="org-card">
      <h2>{words.title}</h2>
      <p className="org-note">{words.about}</p>
      <div className="org-actions">
        <DialogButton text={words.button} title={words.title}>
          {(close) => (
            <Erase
              team={null}
              name={name}
              words={words}
              action={words.erase}
              onDone={close}
              about={({ kept, teams }) => {
                const erased = kept.reduce((sum, { rows, stays }) => sum + (stays ? 0 : rows), 0);
                return <p>{words.count(teams, erased)}</p>;
              }}
            />
          )}
        </DialogButton>
      </div>
    </section>
  );
}
