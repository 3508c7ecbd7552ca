/**
 * The editor of a challenge, a new one or one that is there, with what players will see beside it.
 * What is saved goes through the sheet of the action, which says who moves.
 */
import { useEffect } from "react";
import { useDraft } from "../../../api/drafts";
import type { ListedChallenge } from "../../../api/organize-lists";
import { type Change, postPreview, type Source } from "../../../api/organize-sources";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { go, useAddress } from "../../../navigate";
import { Field, Form } from "../../../ui/field/field";
import { actionsOf, editAddress, idFor } from "../challenges/actions";
import { Trial } from "../challenges/trial";
import { useActing } from "../change/acting";
import { ActionButtons } from "../change/action-buttons";
import { AtOnce } from "../change/at-once";
import type { Order } from "../change/order";
import { useTypedPreview } from "../change/preview";
import { useSentence } from "../fault";
import { saveOnKey, useLeaving } from "../forms/form";
import { ListState } from "../frame/list";
import { Moment } from "../frame/moment";
import { useEveryChallenge, useMayWith, useSource } from "../frame/reading";
import { PageLink, useView } from "../frame/view";
import { FilesPart, useSending } from "./files";
import { changedFields, EMPTY, formOf, newFields, type TextName, type Typed } from "./form";
import { FlagsPart, HintsPart, RequirementsPart } from "./parts";
import { Preview } from "./preview";
import { faultAt, type Place, Problems, problemsAt } from "./problems";
import { ScoringPart } from "./scoring";
import { TextField } from "./text-field";

interface EditorProps {
  /** The challenge, or null for a new one. */
  present: ListedChallenge | null;
  /** Its file, or that of the challenge that the new one is made like. */
  source: Source | null;
  readSource: () => Promise<Source | undefined>;
  all: readonly ListedChallenge[];
}

function nowOf({ present, source, all }: EditorProps, copyOf: (name: string) => string): Typed {
  if (!source) return { ...EMPTY, id: "" };
  const form = formOf(source.fields ?? {}, source.files, all);
  return { ...form, name: present ? form.name : copyOf(form.name), id: "" };
}

function useBoth(both: readonly string[], source: Source | null): string | null {
  const { editor: words } = useOrganizeMessages().pages;
  if (both.length === 0) return null;
  const parts = both.map((part) => wordFor(words.labels, part)).join(", ");
  return words.both(source?.changedBy ?? words.someone, parts);
}

function useEditor(props: EditorProps) {
  const { present, source, readSource, all } = props;
  const { editor: words } = useOrganizeMessages().pages;
  const { ask, renew } = useActing();
  const from = present ? undefined : source?.challenge;
  const key = `edit ${JSON.stringify(present ? [present.id] : ["", from ?? ""])}`;
  const draft = useDraft("organize", key, nowOf(props, words.copyOf));
  const sending = useSending(draft);
  const { values: form } = draft;
  const before = source?.fields ?? {};
  const id = present?.id ?? (form.id || idFor(form.name));
  // A copy begins with another name, which is no change of it yet.
  const typed = changedFields(form, draft.base, before);
  const isChanged = form.id !== "" || Object.keys(typed).length > 0;
  const copied = () => changedFields(form, formOf(before, source?.files ?? [], all), before);
  const fields = present ? typed : source ? copied() : newFields(form);
  const warning = useBoth(draft.both, source);
  const order: Order = {
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
  // What the server makes of the draft, asked again if the file changes, too.
  const looked = useTypedPreview({
    name: "editor",
    typed: { id, change, version: source?.text ?? "" },
    read: ({ id, change }) => postPreview(id, change),
    isOn: ({ id }) => id !== "",
  });
  // Somebody else may change the file while the sheet is open.
  useEffect(() => {
    if (canSave) renew(order);
  });
  useLeaving(isChanged || sending.isSending);
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
    warning,
    looked,
    /** Those of the newest text that the server has seen. */
    problems: looked.data?.problems ?? [],
    discard,
    order,
    save: () => ask(order),
  };
}

type Editing = ReturnType<typeof useEditor>;

function LineField({ name, editing }: { name: TextName & Place; editing: Editing }) {
  const { editor: words } = useOrganizeMessages().pages;
  const { problems } = editing;
  const { values, set } = editing.draft;
  return (
    <div>
      <Field
        label={wordFor(words.labels, name)}
        hint={words.lineHints[name]}
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

function SaveBar({ editing, isNew }: { editing: Editing; isNew: boolean }) {
  const { editor: words, sheet } = useOrganizeMessages().pages;
  const sentence = useSentence();
  const { sending, isChanged, canSave, order, warning, looked, problems } = editing;
  const isUnsaved = isChanged || sending.isSending;
  const errors = problems.filter(({ severity }) => severity === "error").length;
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

interface LinesProps extends EditorProps {
  editing: Editing;
}

function Lines({ editing, present, source, all }: LinesProps) {
  const { editor: words } = useOrganizeMessages().pages;
  // Authors change nothing that moves points.
  const movesPoints = useMayWith()("challenge.edit");
  const { draft, problems } = editing;
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
        <LineField name="name" editing={editing} />
        {!present && <IdField editing={editing} all={all} />}
        <LineField name="category" editing={editing} />
        <LineField name="author" editing={editing} />
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
      <LineField name="flagFormat" editing={editing} />
      <FilesPart {...part} sending={editing.sending} />
      <HintsPart {...part} />
      <LineField name="connection" editing={editing} />
      {movesPoints && (
        <>
          <ScoringPart {...part} extra={source?.fields?.extra} />
          <RequirementsPart {...part} others={all.filter(({ id }) => id !== editing.id)} />
        </>
      )}
      <div className="org-pair">
        {movesPoints && <LineField name="position" editing={editing} />}
        <LineField name="solution" editing={editing} />
      </div>
    </div>
  );
}

function Side({ editing, present, all }: LinesProps) {
  const { editor: words } = useOrganizeMessages().pages;
  const { data } = editing.looked;
  const card = data?.card;
  const nameOf = (id: string) => all.find((one) => one.id === id)?.challengeName ?? id;
  return (
    <section aria-label={words.preview} className="org-side">
      <h2>{words.preview}</h2>
      {card ? (
        <Preview card={card} nameOf={nameOf} />
      ) : (
        <p className="org-note">{data ? words.previewErrors : words.previewNothing}</p>
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
  const editing = useEditor(props);
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
        <PageLink to="/organize/challenges" query={{ open: present?.id }}>
          {words.back}
        </PageLink>
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
          <Lines editing={editing} {...props} />
          <SaveBar editing={editing} isNew={!present} />
        </Form>
        <Side editing={editing} {...props} />
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
  // A new challenge that is like no other has no file.
  const file = wanted === "" ? { ...source, data: null } : source;
  return (
    <ListState of={challenges}>
      {(all) => (
        <ListState of={file}>
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
