/**
 * The editor of a challenge, a new one or one that is there, with what players will see beside it.
 * What is saved goes through the sheet of the action, which says who moves.
 */
import { useEffect } from "react";
import { useDraft } from "../../../api/drafts";
import type { ListedChallenge } from "../../../api/organize-lists";
import { useLive } from "../../../api/organize-live";
import {
  type Change,
  type Fields,
  getSource,
  postPreview,
  type Source,
} from "../../../api/organize-sources";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { go, useAddress } from "../../../navigate";
import { Field, Form } from "../../../ui/field/field";
import { actionsOf, editAddress } from "../challenges/actions";
import { Trial } from "../challenges/trial";
import { useAsk, useRenew } from "../change/acting";
import { ActionButtons } from "../change/action-buttons";
import { AtOnce } from "../change/at-once";
import type { Order } from "../change/order";
import { useSentence } from "../fault";
import { saveOnKey, useLeaving } from "../forms/form";
import { ListState } from "../frame/list";
import { Moment } from "../frame/moment";
import { useEveryChallenge, useMayWith } from "../frame/reading";
import { pageAddress, useView, useWhose } from "../frame/view";
import { useGate } from "../gate";
import { FilesPart, useSending } from "./files";
import { changedFields, EMPTY, formOf, idFor, newFields, type TextName, type Typed } from "./form";
import { FlagsPart, HintsPart, RequirementsPart } from "./parts";
import { Preview } from "./preview";
import { faultAt, type Place, Problems, problemsAt } from "./problems";
import { ScoringPart } from "./scoring";
import { TextField } from "./text-field";
import { useTypedPreview } from "./typed-preview";

const LIST = "/organize/challenges";

function useSource(id: string) {
  const run = useGate();
  return useLive(["source", id], () => run(() => getSource(id)), { isOn: id !== "" });
}

/** What the server makes of the draft, asked again if the file changes, too. */
function usePreview(id: string, change: Change, version: string) {
  return useTypedPreview({
    name: "editor",
    typed: { id, change, version },
    read: ({ id, change }) => postPreview(id, change),
    isOn: ({ id }) => id !== "",
  });
}

interface EditorProps {
  /** The challenge, or null for a new one. */
  present: ListedChallenge | null;
  /** Its file, or that of the challenge that the new one is made like. */
  source: Source | null;
  /** Reads the file again. */
  readSource: () => Promise<Source | undefined>;
  all: readonly ListedChallenge[];
}

const asFields = (source: Source | null): Fields => source?.fields ?? {};

/** What the file holds, or what a new challenge begins with. */
function nowOf({ present, source, all }: EditorProps, copyOf: (name: string) => string): Typed {
  if (!source) return { ...EMPTY, id: "" };
  const form = formOf(asFields(source), source.files, all);
  return { ...form, name: present ? form.name : copyOf(form.name), id: "" };
}

/** What somebody else has changed too, in a sentence; null if there is nothing. */
function useBoth(both: readonly string[], source: Source | null): string | null {
  const { editor: words } = useOrganizeMessages().pages;
  if (both.length === 0) return null;
  const parts = both.map((part) => wordFor(words.labels, part)).join(", ");
  return words.both(source?.changedBy ?? words.someone, parts);
}

/** The draft, the change that it is, and its action. */
function useEditor(props: EditorProps) {
  const { present, source, readSource, all } = props;
  const { editor: words } = useOrganizeMessages().pages;
  const ask = useAsk();
  const renew = useRenew();
  const from = present ? undefined : source?.challenge;
  const key = `edit ${JSON.stringify(present ? [present.id] : ["", from ?? ""])}`;
  const draft = useDraft("organize", key, nowOf(props, words.copyOf));
  const sending = useSending(draft);
  const { values: form } = draft;
  const before = asFields(source);
  const id = present?.id ?? (form.id || idFor(form.name));
  // A copy begins with another name, which is no change of it yet.
  const typed = changedFields(form, draft.base, before);
  const isChanged = form.id !== "" || Object.keys(typed).length > 0;
  const copied = () => changedFields(form, formOf(before, source?.files ?? [], all), before);
  const fields = present ? typed : source ? copied() : newFields(form);
  const warning = useBoth(draft.both, source);
  const order: Order = {
    kind: "action",
    ...(present
      ? { action: "challenge.edit", fixed: { challenge: id, fields } }
      : { action: "challenge.create", fixed: { challenge: id, fields, from } }),
    object: present?.challengeName ?? form.name,
    onDone() {
      if (present) return draft.saved();
      draft.discard();
      go(editAddress(id), { replace: true });
    },
    madeOf: source
      ? { version: source.text, read: async () => (await readSource())?.text ?? "", warning }
      : undefined,
  };
  const change: Change = { fields, isNew: !present, from };
  // What is on its way would not be in what is saved.
  const canSave = !sending.isSending && (present ? isChanged : id !== "");
  // Somebody else may change the file while the sheet is open.
  useEffect(() => {
    if (canSave) renew(order);
  });
  function discard() {
    sending.dropAll();
    draft.discard();
  }
  return {
    draft,
    sending,
    id,
    isChanged,
    canSave,
    change,
    warning,
    discard,
    order,
    save: () => ask(order),
  };
}

type Editing = ReturnType<typeof useEditor>;
type Looked = ReturnType<typeof usePreview>;

/** The problems of the newest text that the server has seen. */
const problemsOf = (looked: Looked) => looked.data?.problems ?? [];

function LineField(props: { name: TextName & Place; editing: Editing; looked: Looked }) {
  const { name, editing, looked } = props;
  const { editor: words } = useOrganizeMessages().pages;
  const { values, set } = editing.draft;
  const problems = problemsOf(looked);
  const hint = wordFor(words.lineHints, name);
  return (
    <div>
      <Field
        label={wordFor(words.labels, name)}
        hint={hint === name ? undefined : hint}
        autoComplete="off"
        value={values[name]}
        fault={faultAt(problems, name, words.labels)}
        onChange={(event) => set(name, event.currentTarget.value)}
      />
      <Problems of={problemsAt(problems, name)} warningsOnly />
    </div>
  );
}

function IdField({ editing, all }: { editing: Editing; all: readonly ListedChallenge[] }) {
  const { editor: words } = useOrganizeMessages().pages;
  const { id, draft } = editing;
  const isTaken = all.some((one) => one.id === id);
  const isWrong = id !== "" && !/^[A-Za-z0-9._-]{1,64}$/.test(id);
  return (
    <Field
      announced
      label={words.id}
      hint={words.idHint}
      autoComplete="off"
      spellCheck={false}
      value={id}
      fault={isTaken ? words.idTaken : isWrong ? words.idWrong : null}
      onChange={(event) => draft.set("id", event.currentTarget.value)}
    />
  );
}

/** Whether there is something to save, and what stands against it. */
function SaveBar({ editing, looked, isNew }: { editing: Editing; looked: Looked; isNew: boolean }) {
  const { editor: words, sheet } = useOrganizeMessages().pages;
  const sentence = useSentence();
  const { sending, isChanged, canSave, order, warning } = editing;
  const isUnsaved = isChanged || sending.isSending;
  const errors = problemsOf(looked).filter(({ severity }) => severity === "error").length;
  const unsaved = sending.isSending ? words.files.sending : words.unsaved;
  return (
    <div className="org-wave org-save">
      <button type="submit" disabled={!canSave}>
        {isNew ? wordFor(sheet.actions, "challenge.create") : words.save}
      </button>
      {/* What somebody else changed too is for the sheet to say. */}
      {warning === null && (
        <AtOnce order={order} isReady={canSave && looked.isCurrent && errors === 0} />
      )}
      {isUnsaved && (
        <button type="button" className="org-small" onClick={editing.discard}>
          {words.discard}
        </button>
      )}
      <span role="status">
        {isUnsaved ? unsaved : words.unchanged}{" "}
        {errors > 0 && <span className="org-bad">{words.errors(errors)}</span>}
        {looked.error !== null && (
          <span className="org-bad">
            {" "}
            {words.noPreview} {sentence(looked.error)}
          </span>
        )}
      </span>
    </div>
  );
}

function Lines({
  editing,
  looked,
  props,
}: {
  editing: Editing;
  looked: Looked;
  props: EditorProps;
}) {
  const { editor: words } = useOrganizeMessages().pages;
  // Authors change nothing that moves points.
  const movesPoints = useMayWith()("challenge.edit");
  const { draft } = editing;
  const { present, source, all } = props;
  const problems = problemsOf(looked);
  const part = { draft, problems };
  return (
    <div className="org-stack">
      {editing.warning !== null && (
        <p role="alert" className="org-bad">
          {editing.warning}
        </p>
      )}
      <Problems of={problemsAt(problems, null)} />
      <div className="org-pair">
        <LineField name="name" editing={editing} looked={looked} />
        {!present && <IdField editing={editing} all={all} />}
        <LineField name="category" editing={editing} looked={looked} />
        <LineField name="author" editing={editing} looked={looked} />
      </div>
      <div>
        <TextField
          label={words.labels.description ?? ""}
          hint={words.textHint}
          value={draft.values.description}
          fault={faultAt(problems, "description", words.labels)}
          onChange={(text) => draft.set("description", text)}
        />
        <Problems of={problemsAt(problems, "description")} warningsOnly />
      </div>
      <FlagsPart {...part} />
      <LineField name="flagFormat" editing={editing} looked={looked} />
      <FilesPart {...part} sending={editing.sending} />
      <HintsPart {...part} />
      <LineField name="connection" editing={editing} looked={looked} />
      {movesPoints && (
        <>
          <ScoringPart {...part} extra={asFields(source).extra} />
          <RequirementsPart {...part} others={all.filter(({ id }) => id !== editing.id)} />
        </>
      )}
      <div className="org-pair">
        {movesPoints && <LineField name="position" editing={editing} looked={looked} />}
        <LineField name="solution" editing={editing} looked={looked} />
      </div>
    </div>
  );
}

function Side({ looked, props }: { looked: Looked; props: EditorProps }) {
  const { editor: words } = useOrganizeMessages().pages;
  const { present, all } = props;
  const card = looked.data?.card;
  const nameOf = (id: string) => all.find((one) => one.id === id)?.challengeName ?? id;
  return (
    <section aria-label={words.preview} className="org-side">
      <h2>{words.preview}</h2>
      {card ? (
        <Preview card={card} nameOf={nameOf} />
      ) : (
        <p className="org-note">{looked.data ? words.previewErrors : words.previewNothing}</p>
      )}
      {present && (
        <div className="org-card">
          <Trial challenge={present.id} />
          <p className="org-note">{words.trialNote}</p>
        </div>
      )}
    </section>
  );
}

function Editor(props: EditorProps) {
  const { present, source } = props;
  const { editor: words, challenges } = useOrganizeMessages().pages;
  const whose = useWhose();
  const editing = useEditor(props);
  const looked = usePreview(editing.id, editing.change, source?.text ?? "");
  useLeaving(editing.isChanged || editing.sending.isSending);
  return (
    <>
      <div className="org-bar">
        <h1>
          {present ? (
            <>
              {words.edit} <bdi>{present.challengeName}</bdi>
            </>
          ) : (
            words.newTitle
          )}
        </h1>
        <a href={pageAddress(LIST, whose, { open: present?.id })}>{words.back}</a>
      </div>
      {present && <ActionButtons name={present.challengeName} actions={actionsOf(present)} />}
      {present && (
        <p className="org-note">
          {wordFor(challenges.states, present.state)}
          {source?.changedBy && (
            <>
              {" · "}
              {challenges.changed}: <bdi>{source.changedBy}</bdi>, <Moment ms={source.changedAt} />
            </>
          )}
        </p>
      )}
      <div className="org-editor">
        <Form
          className="org-stack"
          noValidate
          onSubmit={() => editing.canSave && editing.save()}
          onKeyDown={saveOnKey}
        >
          <Lines editing={editing} looked={looked} props={props} />
          <SaveBar editing={editing} looked={looked} isNew={!present} />
        </Form>
        <Side looked={looked} props={props} />
      </div>
    </>
  );
}

/** The id in the path of an editor; null on that of a new challenge. */
function idAt(path: string): string | null {
  const encoded = /^\/organize\/challenges\/([^/]+)\/edit$/.exec(path)?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

export default function EditorPage() {
  const { pages } = useOrganizeMessages();
  const { path } = useAddress();
  const id = idAt(path);
  const from = useView()("from");
  const wanted = id ?? from;
  const source = useSource(wanted);
  const readSource = async () => (await source.refetch({ throwOnError: true })).data;
  const challenges = useEveryChallenge();
  if (wanted === "") {
    return (
      <ListState of={challenges}>
        {(all) => <Editor present={null} source={null} readSource={readSource} all={all} />}
      </ListState>
    );
  }
  return (
    <ListState of={challenges}>
      {(all) => (
        <ListState of={source}>
          {(source) => {
            const present = id === null ? null : all.find((one) => one.id === id);
            if (present === undefined) return <h1>{pages.missing}</h1>;
            return <Editor key={wanted} {...{ present, source, readSource, all }} />;
          }}
        </ListState>
      )}
    </ListState>
  );
}
