/** Team import from a selected or dropped file: preview, import and undo. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
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
import { useOpenAction } from "../change/action-dialog";
import { Tick } from "../change/fields";
import { DialogButton } from "../dialog-button";
import { useSentence } from "../fault";
import { DialogFoot } from "../forms/dialog-parts";
import { FileInput, useDrop } from "../forms/file-input";
import { useMay } from "../frame/queries";
import { useCall } from "../second-factor-gate";
import { ImportCounts, ImportProblems, ImportRows, Unread } from "./import-preview";

/** The file contents, read once so that the import matches the preview. */
interface Chosen extends TeamsFile {
  readonly name: string;
}

interface Seen extends Chosen {
  readonly preview: ImportPreview;
}

interface ConfirmProps {
  seen: Seen;
  onDone: (done: TeamsImported) => void;
  /** Called when the file or the teams have changed. */
  onChanged: () => void;
}

function Confirm({ seen, onDone, onChanged }: ConfirmProps) {
  const { imports: words } = useOrganizeMessages().console;
  const sentence = useSentence();
  const [mail, setMail] = useState(false);
  const { preview } = seen;
  const { seal, sendsMail, mailDays } = preview;
  const importing = useCall((seal: string) => postImport(seen, seal, mail && sendsMail), {
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
      <DialogFoot>
        <button
          type="button"
          className="button-primary org-do"
          aria-disabled={importing.isPending}
          onClick={() => importing.isPending || importing.mutate(seal)}
        >
          {words.submit(preview.new)}
        </button>
        <span role="status" className="org-note">
          {importing.isPending && words.importing}
        </span>
      </DialogFoot>
    </>
  );
}

function Result(props: { done: TeamsImported; onAnother: () => void; onClose: () => void }) {
  const { done, onAnother, onClose } = props;
  const { imports: words } = useOrganizeMessages().console;
  const ask = useOpenAction();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const { action, sentence, leftOut, mails } = done;
  function undo(id: number) {
    onClose();
    ask({ action: "undo", id, sentence });
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

function useFile() {
  const { imports: words } = useOrganizeMessages().console;
  const sentence = useSentence();
  const [seen, setSeen] = useState<Seen | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const newest = useRef<File | null>(null);
  function refuse(text: string | null) {
    setSeen(null);
    setFault(text);
  }
  const looking = useCall(async (chosen: Chosen): Promise<Seen> => {
    return { ...chosen, preview: await postImportPreview(chosen) };
  });
  function look(chosen: Chosen) {
    setFault(null);
    // Handles only errors of the latest call: a response about the previous file is outdated.
    const onError = (error: unknown) => refuse(sentence(error));
    looking.mutate(chosen, { onSuccess: setSeen, onError });
  }
  async function read(file: File) {
    try {
      const bytes = await file.arrayBuffer();
      if (newest.current !== file) return;
      setSeen(null);
      look({ name: file.name, bytes });
    } catch {
      refuse(words.unreadable);
    }
  }
  function choose([file]: readonly File[]) {
    if (!file) return;
    newest.current = file;
    if (file.size > IMPORT_BYTES_MAX) refuse(words.tooLarge);
    else void read(file);
  }
  return { seen, fault, look, choose, isLooking: looking.isPending };
}

function Steps({ onDone }: { onDone: (done: TeamsImported) => void }) {
  const { imports: words } = useOrganizeMessages().console;
  const { seen, fault, look, choose, isLooking } = useFile();
  return (
    <div className="org-stack org-import" {...useDrop(choose)}>
      <p>{words.intro}</p>
      <FileInput
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        label={words.file}
        hint={words.drop}
        onFiles={choose}
      />
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
    </div>
  );
}

function Import({ onClose }: { onClose: () => void }) {
  const cache = useQueryClient();
  const [done, setDone] = useState<TeamsImported | null>(null);
  function finish(imported: TeamsImported) {
    void cache.invalidateQueries({ queryKey: LIVE_KEY });
    setDone(imported);
  }
  if (!done) return <Steps onDone={finish} />;
  return <Result done={done} onAnother={() => setDone(null)} onClose={onClose} />;
}

/** Button that opens the dialog, if the role can import teams. */
export function ImportTeams() {
  const { imports: words } = useOrganizeMessages().console;
  const may = useMay();
  if (!may("team.import")) return null;
  return (
    <DialogButton text={words.button} className="org-small" title={words.title}>
      {(close) => <Import onClose={close} />}
    </DialogButton>
  );
}
