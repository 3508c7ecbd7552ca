/**
 * The editor of Markdown, a chunk of its own. It is in a shadow tree, where its style sheets are
 * objects: the policy of the site allows no inline styles.
 */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { markdown } from "@codemirror/lang-markdown";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { Annotation, Compartment, EditorState } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const THEME = EditorView.theme({
  "&": { backgroundColor: "var(--field)", color: "var(--text)", fontSize: "0.9375rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-content": {
    minHeight: "14rem",
    padding: "0.5rem 0",
    fontFamily: "var(--font-mono)",
    caretColor: "var(--text)",
  },
  ".cm-line": { padding: "0 0.75rem" },
  ".cm-cursor": { borderInlineStartColor: "var(--text)" },
});

const COLOURS = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "700" },
  { tag: tags.strong, fontWeight: "700" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: [tags.link, tags.url], color: "var(--link)" },
  { tag: tags.monospace, color: "var(--success)" },
  { tag: [tags.processingInstruction, tags.meta, tags.comment], color: "var(--muted)" },
]);

/** Marks a change that comes from the page. */
const SHOWN = Annotation.define<boolean>();

interface Options {
  readonly text: string;
  readonly label: string;
  onChange(text: string): void;
}

export type Editor = ReturnType<typeof mount>;

export function mount(host: HTMLElement, { text, label, onChange }: Options) {
  const described = new Compartment();
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const extensions = [
    history(),
    // Tab is not taken: it leads on. Mod-Enter is the form's.
    keymap.of([{ key: "Mod-Enter", run: () => true }, ...defaultKeymap, ...historyKeymap]),
    markdown(),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "true" }),
    described.of([]),
    EditorView.updateListener.of(({ docChanged, state, transactions }) => {
      const isShown = transactions.some((one) => one.annotation(SHOWN) === true);
      if (docChanged && !isShown) onChange(state.doc.toString());
    }),
    syntaxHighlighting(COLOURS),
    THEME,
  ];
  const view = new EditorView({ state: EditorState.create({ doc: text, extensions }), root });
  root.append(view.dom);
  return {
    /** Shows another text, of which `onChange` is not told; the same one changes nothing. */
    show(next: string) {
      if (view.state.doc.toString() === next) return;
      const changes = { from: 0, to: view.state.doc.length, insert: next };
      view.dispatch({ changes, annotations: SHOWN.of(true) });
    },
    /** Says what is below the field, which is in another tree than it. */
    describe(note: string, isWrong: boolean) {
      const attributes = { "aria-description": note, "aria-invalid": String(isWrong) };
      const extension = EditorView.contentAttributes.of(attributes);
      view.dispatch({ effects: described.reconfigure(extension) });
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}
