/** The last step: one action publishes the final ranking for everyone. */
import { useEffect, useRef, useState } from "react";
import { ApiError } from "../../../api/client";
import { codeOf } from "../../../api/organize";
import { postAction } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useSentence } from "../fault";
import { useGate } from "../second-factor-gate";
import styles from "./publish.module.css";
import type { Options } from "./saved";

/** True while the browser knows that it has no network. */
function useIsOffline(): boolean {
  const [isOffline, setOffline] = useState(() => !navigator.onLine);
  useEffect(() => {
    const read = () => setOffline(!navigator.onLine);
    window.addEventListener("online", read);
    window.addEventListener("offline", read);
    return () => {
      window.removeEventListener("online", read);
      window.removeEventListener("offline", read);
    };
  }, []);
  return isOffline;
}

type State = "waiting" | "sending" | "offline" | "done" | { readonly fault: string };

/** Publishes once: retries carry the same key, so a lost answer does no harm. */
function usePublish(name: string, onPublished: () => void) {
  const run = useGate();
  const sentence = useSentence();
  const key = useRef(crypto.randomUUID());
  const [state, setState] = useState<State>("waiting");
  async function publish() {
    setState("sending");
    try {
      await run(() => postAction("event.reveal", { name }, {}, key.current));
    } catch (error) {
      if (codeOf(error) !== "nothing_to_change") {
        const isNetwork = error instanceof ApiError && error.status === 0;
        setState(isNetwork ? "offline" : { fault: sentence(error) ?? "" });
        return;
      }
    }
    setState("done");
    onPublished();
  }
  return { state, publish };
}

function Done() {
  const { publish: words } = useOrganizeMessages().ceremony;
  return (
    <div className={styles.publish} data-state="done">
      <svg viewBox="0 0 64 64" aria-hidden="true" focusable="false">
        <circle cx="32" cy="32" r="29" />
        <path d="M19 33.5 28 42.5 45.5 23" />
      </svg>
      <h1>{words.done}</h1>
      <p className={styles.note} role="status">
        {words.doneNote}
      </p>
      <p className={styles.links}>
        <a className="button button-primary" href="/scoreboard">
          {words.scoreboard}
        </a>
        <a className="button" href="/organize">
          {words.console}
        </a>
      </p>
    </div>
  );
}

interface PublishProps {
  options: Options;
  onPublished: () => void;
  onLeave: () => void;
}

function Real({ options, onPublished }: Omit<PublishProps, "onLeave">) {
  const { publish: words } = useOrganizeMessages().ceremony;
  const isOffline = useIsOffline();
  const { state, publish } = usePublish(options.name, onPublished);
  if (state === "done") return <Done />;
  const isSending = state === "sending";
  const note = {
    waiting: isOffline ? words.isOffline : "",
    sending: "",
    offline: words.offline,
  };
  return (
    <div className={styles.publish}>
      <h1>{words.title}</h1>
      <p className={styles.note}>{words.note}</p>
      <button
        type="button"
        className={`button-primary ${styles.button}`}
        aria-disabled={isSending}
        onClick={() => !isSending && void publish()}
      >
        {isSending ? words.sending : words.button}
      </button>
      <p className={styles.state} role="status">
        {typeof state === "object" ? words.failed(state.fault) : note[state]}
      </p>
    </div>
  );
}

export function Publish({ options, onPublished, onLeave }: PublishProps) {
  const { publish: words } = useOrganizeMessages().ceremony;
  if (options.mode === "real") return <Real options={options} onPublished={onPublished} />;
  return (
    <div className={styles.publish}>
      <h1>{words.rehearsed}</h1>
      <p className={styles.note}>{words.rehearsedNote}</p>
      <button type="button" className={styles.button} onClick={onLeave}>
        {words.again}
      </button>
    </div>
  );
}
