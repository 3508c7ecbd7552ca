/**
 * The Markdown editor, in its own chunk. It lives in a shadow tree so that it can use constructed
 * style sheets: the site's content security policy forbids inline styles.
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
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "1.6" },
  ".cm-content": {
    minHeight: "14rem",
    padding: "0.625rem 0",
    caretColor: "var(--accent-text)",
  },
  ".cm-line": { padding: "0 0.875rem" },
  ".cm-line::selection, .cm-line ::selection": { backgroundColor: "var(--accent-line)" },
  ".cm-cursor": { borderInlineStartColor: "var(--accent-text)" },
});

const COLORS = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "700" },
  { tag: tags.strong, fontWeight: "700" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.quote, color: "var(--muted)" },
  { tag: tags.list, color: "var(--text)" },
  { tag: [tags.link, tags.url], color: "var(--link)" },
  { tag: tags.monospace, color: "var(--hl-string)" },
  { tag: [tags.processingInstruction, tags.meta, tags.comment], color: "var(--muted)" },
]);

/** Marks a change made by the page instead of the user. */
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
    // Tab still moves the focus, and Mod-Enter submits the form.
    keymap.of([{ key: "Mod-Enter", run: () => true }, ...defaultKeymap, ...historyKeymap]),
    markdown(),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "true" }),
    described.of([]),
    EditorView.updateListener.of(({ docChanged, state, transactions }) => {
      const isShown = transactions.some((one) => one.annotation(SHOWN) === true);
      if (docChanged && !isShown) onChange(state.doc.toString());
    }),
    syntaxHighlighting(COLORS),
    THEME,
  ];
  const view = new EditorView({ state: EditorState.create({ doc: text, extensions }), root });
  root.append(view.dom);
  return {
    /** Replaces the text without calling `onChange`. The same text changes nothing. */
    show(next: string) {
      if (view.state.doc.toString() === next) return;
      const changes = { from: 0, to: view.state.doc.length, insert: next };
      view.dispatch({ changes, annotations: SHOWN.of(true) });
    },
    /** Replaces the selection, like typed text. */
    insert(text: string) {
      view.dispatch(view.state.replaceSelection(text));
      view.focus();
    },
    /** Sets the accessible description, because the note below is in another tree. */
    describe(note: string, isWrong: boolean) {
      const attributes = { "aria-description": note, "aria-invalid": String(isWrong) };
      const extension = EditorView.contentAttributes.of(attributes);
      view.dispatch({ effects: described.reconfigure(extension) });
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}
