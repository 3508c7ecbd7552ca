/** The reveal as a ceremony: its preparation, and the stage. Full screen, without the frame. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Ceremony } from "../../../api/organize-ceremony";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { Loading } from "../../../ui/loading/loading";
import { useSentence } from "../fault";
import { useMay, useOverview } from "../frame/queries";
import { useLoader } from "./loader";
import { preload } from "./preload";
import { type Options, readSaved, type Saved, save } from "./saved";
import { Setup } from "./setup";
import styles from "./setup.module.css";
import { Stage } from "./stage";

interface ResumeProps {
  saved: Saved;
  onLoaded: (ceremony: Ceremony) => void;
  onCancel: () => void;
}

/** Loads the ranking again after a reload of the tab. */
function Resume({ saved: { options }, onLoaded, onCancel }: ResumeProps) {
  const words = useOrganizeMessages();
  const load = useLoader();
  const sentence = useSentence();
  const [fault, setFault] = useState<string | null>(null);
  const [tries, tryAgain] = useState(0);
  const loaded = useRef(onLoaded);
  loaded.current = onLoaded;
  const isReady = load !== null;
  const latest = useRef(load);
  latest.current = load;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` repeats it.
  useEffect(() => {
    if (!isReady) return;
    let isOver = false;
    const read = latest.current?.(options.mode, options.seed);
    void read?.then(
      (ceremony) => isOver || loaded.current(ceremony),
      (error) => isOver || setFault(sentence(error)),
    );
    return () => {
      isOver = true;
    };
  }, [isReady, options, tries, sentence]);
  return (
    <div className={styles.page}>
      <div className={styles.resume}>
        <h1>{words.ceremony.title}</h1>
        {fault === null ? <Loading label={words.ceremony.loading} /> : <p role="alert">{fault}</p>}
        {fault !== null && (
          <p className={styles.row}>
            <button
              type="button"
              onClick={() => {
                setFault(null);
                tryAgain(tries + 1);
              }}
            >
              {words.ceremony.loadAgain}
            </button>
            <button type="button" onClick={onCancel}>
              {words.ceremony.publish.again}
            </button>
          </p>
        )}
      </div>
    </div>
  );
}

interface Held {
  readonly options: Options;
  readonly ceremony: Ceremony;
  readonly step: number;
}

export default function CeremonyPage() {
  const { pages, ceremony } = useOrganizeMessages();
  const may = useMay();
  const cache = useQueryClient();
  const [held, hold] = useState<Held | null>(null);
  const [kept, setSaved] = useState(readSaved);
  const overview = useOverview();
  const isRehearsal = kept?.options.mode === "rehearsal";
  // After the end, a rehearsal on the projector would pass for the real one.
  const isOver = isRehearsal && overview.data?.status === "ended";
  const saved = isOver ? null : kept;
  // The step at which a ceremony was left, so that it can continue there.
  const [left, setLeft] = useState<Saved | null>(null);
  useEffect(() => void preload(), []);
  useEffect(() => {
    if (!isOver) return;
    save(null);
    setSaved(null);
  }, [isOver]);
  const begin = useCallback((next: Held) => {
    save({ options: next.options, step: next.step });
    hold(next);
  }, []);
  if (!may("event.ceremony")) return <h1>{pages.missing}</h1>;
  if (held) {
    const { options } = held;
    return (
      <Stage
        options={options}
        ceremony={held.ceremony}
        first={held.step}
        onStep={(step) => save({ options, step })}
        onPublished={() => {
          save(null);
          void cache.invalidateQueries();
        }}
        onLeave={(step) => {
          save(null);
          setSaved(null);
          setLeft({ options, step });
          hold(null);
        }}
      />
    );
  }
  // The overview decides which ranking is offered first.
  if (overview.isPending) return <Loading label={ceremony.loading} />;
  if (saved) {
    return (
      <Resume
        saved={saved}
        onLoaded={(ceremony) => begin({ ...saved, ceremony })}
        onCancel={() => {
          save(null);
          setSaved(null);
        }}
      />
    );
  }
  return <Setup left={left} onBegin={begin} />;
}
