/** A file of a form: chosen and sent at once, shown if it is a picture that is saved, removed. */
import { useEffect, useId, useRef } from "react";
import { sendFile } from "../../../api/organize-sources";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useSentence } from "../fault";
import { useCall } from "../gate";

interface FilePartProps {
  label: string;
  hint?: string | undefined;
  accept: string;
  /** Empty without a file. */
  digest: string;
  saved: string;
  isFixed: boolean;
  isPicture?: boolean;
  onChange: (digest: string) => void;
}

/** Sends a file; leaving ends it. */
function useSend(onSent: (digest: string) => void) {
  const abort = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    abort.current = controller;
    return () => controller.abort();
  }, []);
  return useCall((file: File) => sendFile(file, () => {}, abort.current.signal), {
    onSuccess: ({ digest }) => onSent(digest),
  });
}

export function FilePart(props: FilePartProps) {
  const { label, hint, accept, digest, saved, isFixed, isPicture = true, onChange } = props;
  const { forms: words } = useOrganizeMessages().pages;
  const sentence = useSentence();
  const id = useId();
  const sending = useSend(onChange);
  const isSaved = digest !== "" && digest === saved;
  const state = digest === "" ? words.absent : isSaved ? words.present : words.chosen;
  return (
    <div className="org-field">
      {isFixed ? <p className="org-note">{label}</p> : <label htmlFor={id}>{label}</label>}
      {isPicture && isSaved && <img className="org-picture" src={`/brand/${digest}`} alt="" />}
      <p role="status" className="org-note">
        {sending.isPending ? words.sending : state}
      </p>
      {!isFixed && (
        <div className="org-actions">
          <input
            id={id}
            type="file"
            accept={accept}
            aria-describedby={hint ? `${id}-note` : undefined}
            onChange={(event) => {
              const input = event.currentTarget;
              const file = input.files?.[0];
              if (file) sending.mutate(file);
              // The same one can be chosen again.
              input.value = "";
            }}
          />
          {digest !== "" && (
            <button
              type="button"
              className="org-small"
              aria-label={words.removeFile(label)}
              onClick={() => onChange("")}
            >
              {words.remove}
            </button>
          )}
        </div>
      )}
      {hint && (
        <p id={`${id}-note`} className="org-note">
          {hint}
        </p>
      )}
      <div role="alert">
        {sending.error && <p className="org-fault">{sentence(sending.error)}</p>}
      </div>
    </div>
  );
}
