/**
 * A Markdown field: a plain text area until the editor chunk loads, and permanently if that fails.
 */
import { type ClipboardEvent, type DragEvent, useEffect, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { LongField, type LongProps } from "../change/fields";
import type { Editor } from "./code-mirror";
import { echoes } from "./echo";
import styles from "./section.module.css";

type TextFieldProps = Omit<LongProps, "maxLength" | "rows" | "readOnly"> & {
  hint: string;
  /** Takes images that are added to the text, and returns their names. */
  onImages?: (files: readonly File[]) => readonly string[];
};

/** Maximum description length in characters; the server counts bytes. */
const TEXT_MAX = 65_536;

/** Kinds of images that descriptions show. */
const IMAGES = "image/png,image/jpeg,image/webp,image/gif";

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
        // Keep the focus of a user who was typing in the plain field.
        if (isTyped) editor.focus();
      },
      () => undefined, // keep the plain field
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

const imagesOf = (files: Iterable<File>) =>
  [...files].filter(({ type }) => IMAGES.split(",").includes(type));

/** Adds pasted, dropped and selected images to the text, where the cursor is. */
function useImages({ value, onChange, onImages }: TextFieldProps, editor: Editor | null) {
  function add(files: readonly File[]) {
    const names = onImages?.(files) ?? [];
    const text = names.map((name) => `![${name.replace(/\.\w+$/, "")}](${name})`).join("\n\n");
    if (text === "") return;
    if (editor) editor.insert(text);
    else onChange(`${value.trimEnd()}\n\n${text}\n`.trimStart());
  }
  function take(event: ClipboardEvent | DragEvent, files: Iterable<File>) {
    const images = onImages ? imagesOf(files) : [];
    if (images.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    add(images);
  }
  return {
    add,
    props: {
      onPasteCapture: (event: ClipboardEvent) => take(event, event.clipboardData.files),
      onDropCapture: (event: DragEvent) => take(event, event.dataTransfer.files),
    },
  };
}

function ImageButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const { editor: words } = useOrganizeMessages().pages;
  return (
    <label className={styles.image}>
      {words.addImage}
      <input
        type="file"
        accept={IMAGES}
        multiple
        onChange={(event) => {
          onFiles(imagesOf(event.currentTarget.files ?? []));
          event.currentTarget.value = "";
        }}
      />
    </label>
  );
}

export function TextField(props: TextFieldProps) {
  const { onImages, ...field } = props;
  const { label, hint, fault } = field;
  const id = useId();
  const { host, editor } = useEditor(props);
  const images = useImages(props, editor);
  return (
    <div className="org-field" {...images.props}>
      {editor ? (
        <>
          <div className={styles.textHead}>
            {/* biome-ignore lint/a11y/noStaticElementInteractions: acts like a label. */}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: Tab reaches the field. */}
            <span onClick={() => editor.focus()}>{label}</span>
            {onImages && <ImageButton onFiles={images.add} />}
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
        <LongField {...field} maxLength={TEXT_MAX} rows={10} />
      )}
      {/* The attribute keeps input from triggering keyboard shortcuts of the page. */}
      <div ref={host} contentEditable={false} className="org-markdown" hidden={!editor} />
    </div>
  );
}
