/**
 * The editor of a new or existing challenge: an outline, the form, and a player preview. Each has
 * its own scrolling on a wide page, between a head and a foot that stay in view.
 */
import { Fragment, type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { ListedChallenge } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { useAddress } from "../../../navigate";
import { Field } from "../../../ui/field/field";
import { ListState } from "../frame/list";
import { useMomentText } from "../frame/moment";
import { useAllChallenges, useMayWith, useSource } from "../frame/queries";
import { useView } from "../frame/view";
import { Conflict } from "./draft/conflict";
import { type Kept, useKept } from "./draft/kept";
import { draftName, type Editing, type EditorProps, useEditor } from "./draft/use-editor";
import { FilesPart, withFreeName } from "./files";
import { Foot } from "./layout/foot";
import { Head } from "./layout/head";
import { type Jump, jumpTo, useSectionInView } from "./layout/jump";
import styles from "./layout/layout.module.css";
import { jumpToProblem, Outline, SectionMenu } from "./layout/outline";
import { marksOf, type SectionName, sectionsFor } from "./layout/sections";
import { FlagsPart, HintsPart, RequirementsPart } from "./parts";
import { Preview } from "./preview";
import { faultAt, Problems, problemsAt } from "./problems";
import { ReleasePart } from "./release";
import { ScoringPart } from "./scoring";
import { LineField, Section } from "./section";
import section from "./section.module.css";
import { TextField } from "./text-field";

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
      className={section.code}
      value={id}
      fault={isTaken ? words.idTaken : isWrong ? words.idWrong : null}
      onChange={(event) => draft.set("id", event.currentTarget.value)}
    />
  );
}

function Description({ editing }: { editing: Editing }) {
  const { editor: words } = useOrganizeMessages().pages;
  const { draft, problems, sending } = editing;
  function addImages(images: readonly File[]): readonly string[] {
    const taken = new Set([
      ...draft.values.files.map(({ name }) => name),
      ...sending.sendings.map(({ file }) => file.name),
    ]);
    const named = images.map((file) => {
      const free = withFreeName(file, taken);
      taken.add(free.name);
      return free;
    });
    sending.add(named);
    return named.map(({ name }) => name);
  }
  return (
    <div>
      <TextField
        label={words.labels.description ?? ""}
        hint={words.textHintImages}
        value={draft.values.description}
        fault={faultAt(problems, "description", words.labels)}
        onImages={addImages}
        onChange={(text) => draft.set("description", text)}
      />
      <Problems of={problemsAt(problems, "description")} warningsOnly />
      <Conflict name="description" editing={editing} />
    </div>
  );
}

interface PartProps extends EditorProps {
  editing: Editing;
}

function Text({ editing, present, all }: PartProps) {
  return (
    <Section name="text">
      <Problems of={problemsAt(editing.problems, null)} />
      <div className={section.pair} data-whole={present ? "first" : undefined}>
        <LineField name="name" editing={editing} />
        {!present && <IdField editing={editing} all={all} />}
        <LineField name="category" editing={editing} />
        <LineField name="author" editing={editing} />
        <LineField name="tags" editing={editing} />
        <LineField name="difficulty" editing={editing} />
      </div>
      <Description editing={editing} />
      <LineField name="attribution" editing={editing} />
    </Section>
  );
}

function Parts({ names, ...props }: PartProps & { names: readonly SectionName[] }) {
  const { editing, present, source, all } = props;
  const parts: Readonly<Record<SectionName, () => ReactNode>> = {
    text: () => <Text {...props} />,
    flags: () => <FlagsPart editing={editing} saved={present?.id} />,
    hints: () => <HintsPart editing={editing} source={present && source} />,
    files: () => <FilesPart editing={editing} />,
    scoring: () => <ScoringPart editing={editing} extra={source?.fields?.extra} />,
    requirements: () => (
      <RequirementsPart editing={editing} others={all.filter(({ id }) => id !== editing.id)} />
    ),
    release: () => <ReleasePart editing={editing} present={present} />,
    solution: () => (
      <Section name="solution">
        <LineField name="solution" editing={editing} />
      </Section>
    ),
  };
  return names.map((name) => <Fragment key={name}>{parts[name]()}</Fragment>);
}

/** Notes above the form: a draft to restore, a colleague's changes. */
function Notes({ editing, kept }: { editing: Editing; kept: Kept }) {
  const { editor: words } = useOrganizeMessages().pages;
  const time = useMomentText();
  const { warning, theirs, changedBy } = editing;
  const { offered, restoredAt } = kept;
  const parts = theirs.names.map((name) => wordFor(words.labels, name)).join(", ");
  return (
    <>
      <div role="status" className={styles.notes}>
        {offered && (
          <p className={styles.note}>
            <span>{words.kept(time(offered.at))}</span>
            <button type="button" onClick={kept.restore}>
              {words.restore}
            </button>
            <button type="button" onClick={kept.dismiss}>
              {words.dropKept}
            </button>
          </p>
        )}
        {restoredAt !== null && (
          <p className={styles.note}>
            <span>{words.restored(time(restoredAt))}</span>
            <button type="button" onClick={kept.dismiss}>
              {words.dismiss}
            </button>
          </p>
        )}
        {theirs.names.length > 0 && (
          <p className={styles.note}>
            <span>{words.theirsHere(changedBy, parts)}</span>
            <button type="button" onClick={theirs.dismiss}>
              {words.dismiss}
            </button>
          </p>
        )}
      </div>
      <div role="alert" className={styles.notes}>
        {warning !== null && <p className={`${styles.note} ${styles.conflict}`}>{warning}</p>}
      </div>
    </>
  );
}

type Mode = "edit" | "preview";
const MODES: readonly Mode[] = ["edit", "preview"];

function Modes({ mode, onMode }: { mode: Mode; onMode: (mode: Mode) => void }) {
  const { editor: words } = useOrganizeMessages().pages;
  return (
    <div className={styles.modes}>
      {MODES.map((one) => (
        <button key={one} type="button" aria-pressed={one === mode} onClick={() => onMode(one)}>
          {words.modes[one]}
        </button>
      ))}
    </div>
  );
}

/** Saves on Ctrl or Cmd with S or Enter. */
function useSaveKey(press: () => void) {
  return (event: KeyboardEvent) => {
    const isSave = event.key === "Enter" || event.key.toLowerCase() === "s";
    if (!isSave || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    press();
  };
}

function Editor({ kept, ...props }: EditorProps & { kept: Kept }) {
  const { present, source, all } = props;
  const { editor: words } = useOrganizeMessages().pages;
  const editing = useEditor(props, kept);
  // Authors cannot change anything that affects points.
  const names = sectionsFor(useMayWith()("challenge.edit"));
  const column = useRef<HTMLDivElement>(null);
  const current = useSectionInView(names, column);
  const [mode, setMode] = useState<Mode>("edit");
  const { problems, draft, isChanged, save } = editing;
  const state = { problems, changed: isChanged ? draft.changed : [], both: draft.both };
  const marks = (name: SectionName) => marksOf(name, state);
  const jump: Jump = (name, how) => {
    // The form must be in view before it scrolls.
    flushSync(() => setMode("edit"));
    jumpTo(name, how);
  };
  const outline = { names, current, marks, jump };
  const showProblem = () => jumpToProblem(outline);
  const onKeyDown = useSaveKey(save.mode === "faulty" ? showProblem : save.press);
  const modes = <Modes mode={mode} onMode={setMode} />;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the fields inside take the keys.
    <div className={styles.page} data-mode={mode} onKeyDown={onKeyDown}>
      <Head present={present} source={source} isChanged={isChanged} modes={modes} />
      <div className={styles.body}>
        <div className={styles.strip}>
          <SectionMenu {...outline} />
          {modes}
        </div>
        <Outline {...outline} />
        <div ref={column} className={styles.form}>
          <div>
            <Notes editing={editing} kept={kept} />
            <Parts {...props} editing={editing} names={names} />
          </div>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the column. */}
        <section aria-label={words.preview} className={styles.preview} tabIndex={0}>
          <h2>{words.preview}</h2>
          <Preview editing={editing} present={present} all={all} />
        </section>
      </div>
      <Foot editing={editing} isNew={!present} onProblem={showProblem} />
    </div>
  );
}

/** The editor with the draft of a closed tab. Restoring it remounts the form. */
function EditorWithKept(props: EditorProps) {
  const kept = useKept(draftName(props));
  return <Editor key={kept.turn} {...props} kept={kept} />;
}

/** Challenge ID in an editor path; null for a new challenge. */
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
  const challenges = useAllChallenges();
  // A new challenge that is not a copy has no source.
  const file = wanted === "" ? { ...source, data: null } : source;
  return (
    <ListState of={challenges}>
      {(all) => (
        <ListState of={file}>
          {(source) => {
            const present = id === null ? null : all.find((one) => one.id === id);
            if (present === undefined) return <h1>{pages.missing}</h1>;
            return <EditorWithKept key={wanted} {...{ present, source, readSource, all }} />;
          }}
        </ListState>
      )}
    </ListState>
  );
}
