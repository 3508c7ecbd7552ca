/** Teams from a file: chosen or dropped, looked at, imported as they were seen, and undone. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type DragEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { codeOf } from "../../../api/organize";
import {
  IMPORT_BYTES_MAX,
  type ImportPreview,
  postImport,
  postImportPreview,
  type TeamsFile,
  type TeamsImported,
} from "../../../api/organize-import";
import { LIVE_KEY } from "../../../api/organize-live";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { Dialog } from "../../../ui/dialog/dialog";
import { useAsk } from "../change/acting";
import { Tick } from "../change/fields";
import { DialogButton } from "../dialog-button";
import { useSentence } from "../fault";
import { useMay } from "../frame/reading";
import { useGate } from "../gate";
import { ImportCounts, ImportProblems, ImportRows, Unread } from "./import-preview";

/** A file that was read, so that what is imported is what was looked at. */
interface Chosen extends TeamsFile {
  readonly name: string;
}

/** A file, and what it would do. */
interface Seen extends Chosen {
  readonly preview: ImportPreview;
}

interface ChooseProps {
  /** A file, or in a sentence why there is none. */
  onChoose: (chosen: Chosen) => void;
  onFault: (fault: string) => void;
}

function useChoose({ onChoose, onFault }: ChooseProps) {
  const { imports: words } = useOrganizeMessages().console;
  const newest = useRef<File | null>(null);
  async function read(file: File) {
    try {
      const bytes = await file.arrayBuffer();
      if (newest.current === file) onChoose({ name: file.name, bytes });
    } catch {
      onFault(words.unreadable);
    }
  }
  return (file: File | undefined) => {
    if (!file) return;
    newest.current = file;
    if (file.size > IMPORT_BYTES_MAX) onFault(words.tooLarge);
    else void read(file);
  };
}

function FileField({ choose }: { choose: (file: File | undefined) => void }) {
  const { imports: words } = useOrganizeMessages().console;
  const id = useId();
  return (
    <div className="org-field">
      <label htmlFor={id}>{words.file}</label>
      <input
        id={id}
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        aria-describedby={`${id}-note`}
        onChange={(event) => {
          const input = event.currentTarget;
          choose(input.files?.[0]);
          // The same one, corrected, can be chosen again.
          input.value = "";
        }}
      />
      <p id={`${id}-note`} className="org-note">
        {words.drop}
      </p>
    </div>
  );
}

interface ConfirmProps {
  seen: Seen;
  onDone: (done: TeamsImported) => void;
  /** The file or the teams have changed. */
  onChanged: () => void;
}

function Confirm({ seen, onDone, onChanged }: ConfirmProps) {
  const { imports: words } = useOrganizeMessages().console;
  const run = useGate();
  const sentence = useSentence();
  const [mail, setMail] = useState(false);
  const { preview } = seen;
  const { seal, sendsMail, mailDays } = preview;
  const importing = useMutation({
    networkMode: "always",
    mutationFn: (seal: string) => run(() => postImport(seen, seal, mail && sendsMail)),
    onSuccess: onDone,
    onError: (error) => {
      if (codeOf(error) === "import_changed") onChanged();
    },
  });
  const fault = importing.error && sentence(importing.error);
  if (!seal) return null;
  return (
    <>
      {sendsMail ? (
        <div>
          <Tick label={words.mail} on={mail} onChange={setMail} />
          <p className="org-note">{words.mailNote(mailDays)}</p>
        </div>
      ) : (
        <p className="org-note">{words.noMail}</p>
      )}
      <div role="alert">{fault && <p className="org-fault">{fault}</p>}</div>
      <div className="org-actions">
        <button
          type="button"
          className="org-do"
          aria-disabled={importing.isPending}
          onClick={() => importing.isPending || importing.mutate(seal)}
        >
          {words.submit(preview.new)}
        </button>
        <span role="status" className="org-note">
          {importing.isPending && words.importing}
        </span>
      </div>
    </>
  );
}

interface ResultProps {
  done: TeamsImported;
  onAnother: () => void;
  onClose: () => void;
}

function Result({ done, onAnother, onClose }: ResultProps) {
  const { imports: words } = useOrganizeMessages().console;
  const ask = useAsk();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const { action, sentence, leftOut, mails } = done;
  function undo(id: number) {
    onClose();
    ask({ kind: "undo", id, sentence });
  }
  return (
    <div className="org-stack">
      <h3 ref={title} tabIndex={-1}>
        {words.done(done.teams)}
      </h3>
      {leftOut > 0 && <p>{words.leftOut(leftOut)}</p>}
      {mails > 0 && <p>{words.mails(mails)}</p>}
      {typeof action === "number" && <p className="org-note">{words.undoNote}</p>}
      <div className="org-actions">
        {typeof action === "number" && (
          <button type="button" onClick={() => undo(action)}>
            {words.undo}
          </button>
        )}
        <button type="button" onClick={onAnother}>
          {words.another}
        </button>
        <button type="button" onClick={onClose}>
          {words.close}
        </button>
      </div>
    </div>
  );
}

/** The file that is looked at, and what it would do. */
function useFile() {
  const run = useGate();
  const sentence = useSentence();
  const [seen, setSeen] = useState<Seen | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  function refuse(text: string | null) {
    setSeen(null);
    setFault(text);
  }
  const looking = useMutation({
    networkMode: "always",
    mutationFn: async (chosen: Chosen): Promise<Seen> => ({
      ...chosen,
      preview: await run(() => postImportPreview(chosen)),
    }),
  });
  function look(chosen: Chosen) {
    setFault(null);
    // Those of the newest call alone: an answer about the file before comes too late.
    const onError = (error: unknown) => refuse(sentence(error));
    looking.mutate(chosen, { onSuccess: setSeen, onError });
  }
  function begin(chosen: Chosen) {
    setSeen(null);
    look(chosen);
  }
  return { seen, fault, refuse, look, begin, isLooking: looking.isPending };
}

interface DropProps {
  onDrop: (file: File | undefined) => void;
  children: ReactNode;
}

function DropArea({ onDrop, children }: DropProps) {
  const [isOver, setOver] = useState(false);
  function over(event: DragEvent) {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setOver(true);
  }
  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    onDrop(event.dataTransfer.files[0]);
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field in it does the same.
    <div
      className="org-stack org-import"
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {children}
    </div>
  );
}

function Steps({ onDone }: { onDone: (done: TeamsImported) => void }) {
  const { imports: words } = useOrganizeMessages().console;
  const { seen, fault, refuse, look, begin, isLooking } = useFile();
  const choose = useChoose({ onChoose: begin, onFault: refuse });
  return (
    <DropArea onDrop={choose}>
      <p>{words.intro}</p>
      <FileField choose={choose} />
      <div role="alert">{fault && <p className="org-fault">{fault}</p>}</div>
      <div role="status">
        {isLooking && <p className="org-note">{words.looking}</p>}
        {seen && !isLooking && <ImportCounts file={seen.name} of={seen.preview} />}
      </div>
      {seen && (
        <>
          {seen.preview.unread && (
            <Unread of={seen.preview.unread} onRead={(encoding) => look({ ...seen, encoding })} />
          )}
          <ImportProblems of={seen.preview} />
          <ImportRows of={seen.preview} />
          <Confirm seen={seen} onDone={onDone} onChanged={() => look(seen)} />
        </>
      )}
    </DropArea>
  );
}

function ImportDialog({ onClose }: { onClose: () => void }) {
  const { imports: words } = useOrganizeMessages().console;
  const cache = useQueryClient();
  const [done, setDone] = useState<TeamsImported | null>(null);
  function finish(imported: TeamsImported) {
    void cache.invalidateQueries({ queryKey: LIVE_KEY });
    setDone(imported);
  }
  return (
    <Dialog title={words.title} onClose={onClose}>
      {done ? (
        <Result done={done} onAnother={() => setDone(null)} onClose={onClose} />
      ) : (
        <Steps onDone={finish} />
      )}
    </Dialog>
  );
}

/** The button that opens the dialog, for those who run the contest. */
export function ImportTeams() {
  const { imports: words } = useOrganizeMessages().console;
  const may = useMay();
  if (!may("team.import")) return null;
  return (
    <DialogButton text={words.button} className="org-small">
      {(close) => <ImportDialog onClose={close} />}
    </DialogButton>
  );
}
