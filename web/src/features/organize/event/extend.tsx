/** Moves the end alone, by some minutes. */
import type { Overview } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useAsk } from "../change/acting";
import { KeyHint, useShortcut } from "../frame/keys";
import { useMay } from "../frame/reading";
import { MINUTE_MS } from "./line";

interface LaterProps {
  end: number;
  minutes: number;
  name: string;
  /** The key that does the same. */
  shortcut?: string;
}

function Later({ end, minutes, name, shortcut }: LaterProps) {
  const { event: words } = useOrganizeMessages().pages;
  const ask = useAsk();
  const text = words.extend(minutes);
  const at = new Date(end + minutes * MINUTE_MS).toISOString();
  const fixed = { end: at, start: undefined, freeze: undefined };
  const move = () => ask({ kind: "act", act: "event.times", fixed, object: name });
  useShortcut(shortcut ?? text, text, shortcut ? move : undefined);
  return (
    <button type="button" className="org-small" aria-keyshortcuts={shortcut} onClick={move}>
      {text}
      {shortcut && <KeyHint of={shortcut} />}
    </button>
  );
}

export function Extend({ overview }: { overview: Overview }) {
  const may = useMay();
  const { end, name } = overview;
  if (!end || !may("event.times")) return null;
  return (
    <>
      <Later end={end} minutes={15} name={name} shortcut="+" />
      <Later end={end} minutes={30} name={name} />
    </>
  );
}
