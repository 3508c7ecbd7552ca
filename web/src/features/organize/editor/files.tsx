/** Challenge attachments: selected or dropped, uploaded at once with progress, and removed. */
import { useEffect, useRef, useState } from "react";
import { FILE_BYTES_MAX, sendFile } from "../../../api/organize-sources";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useSentence } from "../fault";
import { FileInput, useDrop } from "../forms/file-input";
import { useGate } from "../second-factor-gate";
import { Conflict } from "./draft/conflict";
import type { Editing } from "./draft/use-editor";
import type { EditorDraft, FileOf } from "./form";
import { Remove } from "./parts";
import { Problems, problemsAt } from "./problems";
import { LineField, Section } from "./section";
import styles from "./section.module.css";
import { useSizeText } from "./size";

/** An upload in progress or failed. */
interface Sending {
  readonly id: number;
  readonly file: File;
  readonly sent: number;
  readonly fault: string | null;
  readonly abort: AbortController;
}

/** Number of digest digits shown, enough to tell two files apart. */
const DIGEST_SHOWN = 12;

const baseName = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** Adds a file. It replaces a file of the same name, keeping the path. */
export function withFile(files: readonly FileOf[], added: FileOf): readonly FileOf[] {
  const isSame = ({ name }: FileOf) => baseName(name) === baseName(added.name);
  const before = files.find(isSame);
  if (!before) return [...files, added];
  const { name, isPerTeam = false } = before;
  const replaced = isPerTeam ? { ...added, name, isPerTeam } : { ...added, name };
  return files.map((one) => (one === before ? replaced : one));
}

/** The file with a name that no other file has: screenshots are all called `image.png`. */
export function withFreeName(file: File, taken: ReadonlySet<string>): File {
  const [, stem = file.name, ending = ""] = /^(.*?)(\.\w+)?$/.exec(file.name) ?? [];
  // Spaces would end the address in the text.
  const plain = stem.replace(/[^\p{L}\p{N}._-]+/gu, "-");
  for (let number = 1; ; number++) {
    const name = number === 1 ? plain + ending : `${plain}-${number}${ending}`;
    if (!taken.has(name)) return new File([file], name, { type: file.type });
  }
}

function stop(sendings: readonly Sending[]): void {
  for (const { abort } of sendings) abort.abort();
}

let ids = 0;

/** Uploads files one at a time and adds them to the draft. */
export function useSending(draft: EditorDraft) {
  const { files: words } = useOrganizeMessages().pages.editor;
  const run = useGate();
  const sentence = useSentence();
  const [sendings, setSendings] = useState<readonly Sending[]>([]);
  const queue = useRef(Promise.resolve());
  const latest = useRef({ update: draft.update, sendings });
  useEffect(() => {
    latest.current = { update: draft.update, sendings };
  });
  useEffect(() => () => stop(latest.current.sendings), []);
  const change = (id: number, more: Partial<Sending>) =>
    setSendings((before) => before.map((one) => (one.id === id ? { ...one, ...more } : one)));
  function drop({ id, abort }: Sending) {
    abort.abort();
    setSendings((before) => before.filter((one) => one.id !== id));
  }
  async function sendOne(sending: Sending) {
    const { id, file, abort } = sending;
    if (abort.signal.aborted) return;
    try {
      const onSent = (sent: number) => change(id, { sent });
      const { digest, otherNodes } = await run(() => sendFile(file, onSent, abort.signal));
      if (abort.signal.aborted) return;
      const added = { name: file.name, digest, bytes: file.size, isNew: true, otherNodes };
      latest.current.update("files", (files) => withFile(files, added));
      drop(sending);
    } catch (error) {
      change(id, { fault: sentence(error) ?? "" });
    }
  }
  function add(files: readonly File[]) {
    for (const file of files) {
      const isLarge = file.size > FILE_BYTES_MAX;
      const fault = isLarge ? words.tooLarge : null;
      const sending = { id: ++ids, file, sent: 0, fault, abort: new AbortController() };
      setSendings((before) => [...before, sending]);
      if (!isLarge) queue.current = queue.current.then(() => sendOne(sending));
    }
  }
  function retry(sending: Sending) {
    drop(sending);
    add([sending.file]);
  }
  function dropAll() {
    stop(sendings);
    setSendings([]);
  }
  const isSending = sendings.some(({ fault }) => fault === null);
  return { sendings, isSending, add, drop, dropAll, retry };
}

export type FileSending = ReturnType<typeof useSending>;

function SendingRow(props: { sending: Sending; onDrop: () => void; onRetry: () => void }) {
  const { files: words } = useOrganizeMessages().pages.editor;
  const size = useSizeText();
  const { file, sent, fault } = props.sending;
  return (
    <li className={styles.file}>
      <div>
        <bdi>{file.name}</bdi>
        {fault === null ? (
          <>
            <progress aria-label={words.progress(file.name)} value={sent} max={file.size || 1} />
            <span className="org-note">{words.sent(size(sent), size(file.size))}</span>
          </>
        ) : (
          <>
            <span role="alert" className="org-fault">
              {fault}
            </span>
            {file.size <= FILE_BYTES_MAX && (
              <button type="button" className="org-small" onClick={props.onRetry}>
                {words.again(file.name)}
              </button>
            )}
          </>
        )}
      </div>
      <Remove
        label={fault === null ? words.stop(file.name) : words.dismiss(file.name)}
        onRemove={props.onDrop}
      />
    </li>
  );
}

interface FileRowProps {
  file: FileOf;
  onPerTeam: (isPerTeam: boolean) => void;
  onRemove: () => void;
}

function FileRow({ file, onPerTeam, onRemove }: FileRowProps) {
  const { files: words } = useOrganizeMessages().pages.editor;
  const size = useSizeText();
  const { name, digest, bytes, isNew, isPerTeam = false, otherNodes = false } = file;
  return (
    <li className={styles.file}>
      <div>
        <bdi>{name}</bdi>
        <span className="org-note">
          {digest === "" ? (
            words.unknown
          ) : (
            <>
              {size(bytes)}, SHA-256 <code title={digest}>{digest.slice(0, DIGEST_SHOWN)}…</code>
            </>
          )}
          {isNew && (
            <>
              {" · "}
              <span className={styles.new}>{words.isNew}</span>
            </>
          )}
          {otherNodes && (
            <>
              <br />
              {words.otherNodes(digest)}
            </>
          )}
        </span>
        <label className="org-note">
          <input
            type="checkbox"
            checked={isPerTeam}
            onChange={(event) => onPerTeam(event.currentTarget.checked)}
          />{" "}
          {words.perTeam(name)}
        </label>
      </div>
      <Remove label={words.remove(name)} onRemove={onRemove} />
    </li>
  );
}

export function FilesPart({ editing }: { editing: Editing }) {
  const { editor: words } = useOrganizeMessages().pages;
  const { draft, problems } = editing;
  const { files } = draft.values;
  const { sendings, add, drop, retry } = editing.sending;
  return (
    <Section name="files">
      <ul className={styles.files}>
        {files.map((file) => (
          <FileRow
            key={file.name}
            file={file}
            onPerTeam={(isPerTeam) =>
              draft.update("files", (all) =>
                all.map((one) => (one.name === file.name ? { ...one, isPerTeam } : one)),
              )
            }
            onRemove={() =>
              draft.update("files", (all) => all.filter(({ name }) => name !== file.name))
            }
          />
        ))}
        {sendings.map((sending) => (
          <SendingRow
            key={sending.id}
            sending={sending}
            onDrop={() => drop(sending)}
            onRetry={() => retry(sending)}
          />
        ))}
      </ul>
      <Problems of={problemsAt(problems, "files")} />
      <Conflict name="files" editing={editing} />
      <div className={styles.drop} {...useDrop(add)}>
        <FileInput
          data-add
          multiple
          label={words.files.add}
          hint={words.files.note}
          onFiles={add}
        />
      </div>
      <LineField name="connection" editing={editing} isCode />
    </Section>
  );
}
