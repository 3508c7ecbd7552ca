/** Buttons for touch and mouse: shown while the pointer moves, or one of them has the focus. */
import { useEffect, useState } from "react";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { CrossIcon } from "../../../ui/icons/icons";
import styles from "./stage.module.css";

/** Time after which a resting pointer disappears. */
const REST_MS = 2500;

function useIsPointing(): boolean {
  const [isPointing, setPointing] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onMove = () => {
      setPointing(true);
      clearTimeout(timer);
      timer = setTimeout(() => setPointing(false), REST_MS);
    };
    document.addEventListener("pointermove", onMove);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("pointermove", onMove);
    };
  }, []);
  return isPointing;
}

interface ControlsProps {
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onFull: () => void;
  onKeys: () => void;
  onLeave: () => void;
}

export function Controls({ onPrevious, onNext, onFull, onKeys, onLeave }: ControlsProps) {
  const { control: words } = useOrganizeMessages().ceremony;
  const isPointing = useIsPointing();
  return (
    <div className={styles.controls} data-on={isPointing}>
      <button type="button" aria-label={words.previous} disabled={!onPrevious} onClick={onPrevious}>
        <span aria-hidden="true">←</span>
      </button>
      <button type="button" aria-label={words.next} disabled={!onNext} onClick={onNext}>
        <span aria-hidden="true">→</span>
      </button>
      <button type="button" aria-label={words.full} aria-keyshortcuts="f" onClick={onFull}>
        <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
          <path d="M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10" />
        </svg>
      </button>
      <button type="button" aria-label={words.keys} aria-keyshortcuts="?" onClick={onKeys}>
        <span aria-hidden="true">?</span>
      </button>
      <button type="button" aria-label={words.leave} aria-keyshortcuts="Escape" onClick={onLeave}>
        <CrossIcon />
      </button>
    </div>
  );
}
