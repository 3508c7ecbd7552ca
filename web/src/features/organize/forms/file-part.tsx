/** File field: uploads on selection, previews saved images, and allows removal. */
import { useEffect, useId, useRef } from "react";
import { sendFile } from "../../../api/organize-sources";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useSentence } from "../fault";
import { useCall } from "../second-factor-gate";
import styles from "./file-part.module.css";
import { keepPicture, pictureAddress } from "./sent-files";

interface FilePartProps {
  label: string;
  hint?: string | undefined;
  accept: string;
  /** Digest of the file; empty if there is none. */
  digest: string;
  saved: string;
  isFixed: boolean;
  isPicture?: boolean;
  onChange: (digest: string) => void;
}

/** Uploads a file; unmounting aborts the upload. */
function useSend(isPicture: boolean, onSent: (digest: string) => void) {
  const abort = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    abort.current = controller;
    return () => controller.abort();
  }, []);
  async function send(file: File) {
    const { digest } = await sendFile(file, () => {}, abort.current.signal);
    if (isPicture) await keepPicture(digest, file);
    return digest;
  }
  return useCall(send, { onSuccess: onSent });
}

export function FilePart(props: FilePartProps) {
  const { label, hint, accept, digest, saved, isFixed, isPicture = true, onChange } = props;
  const { forms: words } = useOrganizeMessages().pages;
  const { manage } = useOrganizeMessages();
  const sentence = useSentence();
  const id = useId();
  const sending = useSend(isPicture, onChange);
  const isSaved = digest !== "" && digest === saved;
  const picture = isPicture ? pictureAddress(digest, isSaved) : null;
  const state = digest === "" ? words.absent : isSaved ? words.present : words.chosen;
  return (
    <div className={`org-field ${styles.part}`}>
      {isFixed ? <p className="org-note">{label}</p> : <label htmlFor={id}>{label}</label>}
      <div className={styles.file}>
        {isPicture && (
          <span className={styles.picture}>{picture && <img src={picture} alt="" />}</span>
        )}
        <div>
          <p role="status" className="org-note">
            {sending.isPending ? words.sending : state}
          </p>
          {!isFixed && (
            <div className="org-actions">
              <span className={`button ${styles.choose}`}>
                <span aria-hidden="true">
                  {digest === "" ? manage.chooseFile : manage.replaceFile}
                </span>
                <input
                  id={id}
                  type="file"
                  accept={accept}
                  aria-describedby={hint ? `${id}-note` : undefined}
                  onChange={(event) => {
                    const input = event.currentTarget;
                    const file = input.files?.[0];
                    if (file) sending.mutate(file);
                    // Allows selecting the same file again.
                    input.value = "";
                  }}
                />
              </span>
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
        </div>
      </div>
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
