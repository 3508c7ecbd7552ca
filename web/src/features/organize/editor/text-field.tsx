/**
 * A field of Markdown: a plain one until the editor's chunk is there, and for good where it does
 * not load.
 */
import { useEffect, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { LongField, type LongProps } from "../change/fields";
import type { Editor } from "./code-mirror";
import { echoes } from "./echo";

type TextFieldProps = Omit<LongProps, "maxLength" | "rows" | "readOnly"> & { hint: string };

/** The longest text of a challenge, in characters; the server counts bytes. */
const TEXT_MAX = 65_536;

function useEditor(props: TextFieldProps) {
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor | null>(null);
  const [echo] = useState(echoes);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    let made: Editor | undefined;
    let isOver = false;
    import("./code-mirror").then(
      ({ mount }) => {
        if (isOver || !host.current) return;
        const { label, value } = latest.current;
        const isTyped = host.current.parentElement?.contains(document.activeElement) === true;
        const editor = mount(host.current, {
          label,
          text: value,
          onChange(text) {
            echo.sent(text);
            latest.current.onChange(text);
          },
        });
        made = editor;
        flushSync(() => setEditor(editor));
        // Who types in the plain field goes on in this one.
        if (isTyped) editor.focus();
      },
      () => undefined, // the plain field stays
    );
    return () => {
      isOver = true;
      made?.destroy();
    };
  }, [echo]);
  useEffect(() => {
    if (!echo.isEcho(props.value)) editor?.show(props.value);
  }, [echo, editor, props.value]);
  const { hint, fault } = props;
  useEffect(() => editor?.describe(fault ?? hint, Boolean(fault)), [editor, hint, fault]);
  return { host, editor };
}

export function TextField(props: TextFieldProps) {
  const { label, hint, fault } = props;
  const id = useId();
  const { host, editor } = useEditor(props);
  return (
    <div className="org-field">
      {editor ? (
        <>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: as a label does. */}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field itself is reached by keys. */}
          <div className="org-note" onClick={() => editor.focus()}>
            {label}
          </div>
          <p
            id={id}
            className={fault ? "org-fault" : "org-note"}
            role={fault ? "alert" : undefined}
          >
            {fault ?? hint}
          </p>
        </>
      ) : (
        <LongField {...props} maxLength={TEXT_MAX} rows={10} />
      )}
      {/* Marked, so that letters that are typed there are no keys of the page. */}
      <div ref={host} contentEditable={false} className="org-markdown" hidden={!editor} />
    </div>
  );
}
