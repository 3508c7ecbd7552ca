/** Rules and custom pages, each with a player preview. */
import type { ReactNode } from "react";
import type { ActionName } from "../../../api/actions";
import { type Page, postTextPreview, type Settings } from "../../../api/organize-settings";
import { useRules } from "../../../api/queries";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Field } from "../../../ui/field/field";
import { Html } from "../../../ui/html/html";
import { ActionButtons } from "../change/action-buttons";
import { optionsOf, Select } from "../change/fields";
import { useTypedPreview } from "../change/preview";
import { Problems } from "../editor/problems";
import { TextField } from "../editor/text-field";
import { useSentence } from "../fault";
import {
  type OfSettings,
  type SetForm,
  SetFormFrame,
  useSetForm,
  WithSettings,
} from "../forms/form";
import { textOfPart, type Value, type Values } from "../forms/values";
import { Tabs } from "../frame/list";
import { changeView, useView } from "../frame/view";
import { isPosition, isSlug, NEW_PAGE, pageAction, pageNow } from "./page-form";

interface EditorProps {
  form: SetForm;
  action: ActionName;
  title: string;
  note?: string | undefined;
  /** Hint below the label. */
  hint: string;
  /** Page name; undefined for the rules. */
  page?: string;
  /** HTML that players see now, for the preview while nothing is typed. */
  current?: string | undefined;
  children?: ReactNode;
}

function TextEditor({ form, action, title, note, hint, page, current, children }: EditorProps) {
  const { forms: words, editor } = useOrganizeMessages().pages;
  const sentence = useSentence();
  const text = textOfPart(form.draft.values.text);
  const looked = useTypedPreview({
    name: "text",
    typed: { text, page },
    read: ({ text, page }) => postTextPreview(text, page),
    isOn: ({ text }) => text.trim() !== "",
  });
  const shownTitle = looked.data?.title;
  const isEmpty = text.trim() === "";
  const shownHtml = isEmpty ? current : looked.data?.html;
  return (
    <div className="org-editor">
      <SetFormFrame form={form} action={action} section="text" title={title} note={note}>
        {children}
        <TextField
          label={wordFor(words.labels, "text")}
          hint={hint}
          value={text}
          onChange={(next) => form.draft.set("text", next)}
        />
        {!isEmpty && <Problems of={looked.data?.problems ?? []} />}
        {looked.error !== null && (
          <p role="status" className="org-bad">
            {editor.noPreview} {sentence(looked.error)}
          </p>
        )}
      </SetFormFrame>
      <section aria-label={words.preview} className="org-side">
        <h2>{isEmpty && current ? words.currentRules : words.preview}</h2>
        {shownHtml ? (
          <article className="org-card org-preview">
            {shownTitle && !isEmpty && <h3>{shownTitle}</h3>}
            <Html html={shownHtml} />
          </article>
        ) : (
          <p className="org-note">{looked.data ? words.previewErrors : words.previewNothing}</p>
        )}
      </section>
    </div>
  );
}

const rulesNow = ({ rules }: Settings): Values => ({ text: rules ?? "" });

/** Summarizes a changed text as edited, instead of quoting it. */
function useTextShown() {
  const { forms: words } = useOrganizeMessages().pages;
  return (name: string, value: Value) => {
    if (name === "place") return wordFor(words.places, textOfPart(value));
    return name === "text" ? words.otherText : null;
  };
}

function RulesForm({ settings, readSettings }: OfSettings) {
  const { forms: words } = useOrganizeMessages().pages;
  const { event, rulesFromFiles } = settings;
  const current = useRules().data?.html;
  const form = useSetForm({
    key: "form rules",
    now: rulesNow(settings),
    readNow: async () => rulesNow(await readSettings()),
    shown: useTextShown(),
    action(values) {
      const text = textOfPart(values.text);
      if (text.trim() === "" || !event) return null;
      return { action: "event.rules", fixed: { text }, object: event.name };
    },
  });
  return (
    <TextEditor
      form={form}
      action="event.rules"
      title={words.rules}
      note={rulesFromFiles ? words.rulesFromFiles : undefined}
      hint={words.rulesNote}
      current={current}
    />
  );
}

function SlugField({ form, pages }: { form: SetForm; pages: readonly Page[] }) {
  const { forms: words } = useOrganizeMessages().pages;
  const slug = textOfPart(form.draft.values.slug);
  const isTaken = pages.some((page) => page.slug === slug);
  const isWrong = slug !== "" && !isSlug(slug);
  return (
    <Field
      announced
      label={wordFor(words.labels, "slug")}
      hint={wordFor(words.hints, "slug")}
      fault={isTaken ? words.slugTaken : isWrong ? words.slugWrong : null}
      autoComplete="off"
      spellCheck={false}
      value={slug}
      onChange={(event) => form.draft.set("slug", event.currentTarget.value)}
    />
  );
}

function PageForm({ page, settings, readSettings }: OfSettings & { page: Page | null }) {
  const { forms: words } = useOrganizeMessages().pages;
  const { pages } = settings;
  const slugOf = (values: Values) => page?.slug ?? textOfPart(values.slug);
  const nowIn = (all: readonly Page[]) =>
    pageNow(page && (all.find(({ slug }) => slug === page.slug) ?? null), words.pageTemplate);
  const form = useSetForm({
    key: `form page ${page?.slug ?? NEW_PAGE}`,
    now: nowIn(pages),
    readNow: async () => nowIn((await readSettings()).pages),
    shown: useTextShown(),
    action: (values) => pageAction(slugOf(values), values, page ? [] : pages),
    ...(page ? {} : { onMade: (values: Values) => changeView({ page: slugOf(values) }) }),
  });
  const { values, set } = form.draft;
  const [slug, position] = [slugOf(values), textOfPart(values.position)];
  return (
    <>
      {page && (
        <div className="org-bar">
          <ActionButtons
            name={page.title}
            actions={[
              {
                action: "page.remove",
                fixed: { page: page.slug },
                object: page.title,
              },
            ]}
          />
          <a href={`/pages/${page.slug}`}>{words.open}</a>
        </div>
      )}
      <TextEditor
        form={form}
        action="page.set"
        title={page ? page.title : words.newPage}
        hint={words.pageNote}
        page={isSlug(slug) ? slug : "page"}
      >
        <div className="org-pair">
          {!page && <SlugField form={form} pages={pages} />}
          <Select
            label={wordFor(words.labels, "place")}
            value={textOfPart(values.place)}
            options={optionsOf(words.places)}
            onChange={(place) => set("place", place)}
          />
          <Field
            label={wordFor(words.labels, "position")}
            hint={wordFor(words.hints, "position")}
            fault={isPosition(position) ? null : wordFor(words.hints, "position")}
            inputMode="numeric"
            autoComplete="off"
            value={position}
            onChange={(event) => set("position", event.currentTarget.value)}
          />
        </div>
      </TextEditor>
    </>
  );
}

function FilePage({ page }: { page: Page }) {
  const { forms: words } = useOrganizeMessages().pages;
  return (
    <section className="org-card">
      <h2>
        <bdi>{page.title}</bdi>
      </h2>
      <p className="org-note">{words.fixedPage}</p>
      <p>
        <a href={`/pages/${page.slug}`}>{words.open}</a>
      </p>
    </section>
  );
}

function Chosen({ name, ...of }: OfSettings & { name: string }) {
  const { forms: words } = useOrganizeMessages().pages;
  if (name === "") return <RulesForm {...of} />;
  if (name === NEW_PAGE) return <PageForm page={null} {...of} />;
  const page = of.settings.pages.find(({ slug }) => slug === name);
  if (!page) return <p role="status">{words.gone}</p>;
  if ((page.text ?? null) === null) return <FilePage page={page} />;
  return <PageForm page={page} {...of} />;
}

export default function TextsTab() {
  const { forms: words } = useOrganizeMessages().pages;
  const name = useView()("page");
  const tab = (page: string, text: string) => ({ name: page, text, changes: { page } });
  return (
    <WithSettings>
      {(of) => (
        <>
          <Tabs
            label={words.texts}
            tabs={[
              tab("", words.rules),
              ...of.settings.pages.map(({ slug, title }) => tab(slug, title)),
              tab(NEW_PAGE, words.newPage),
            ]}
            open={name}
          />
          <Chosen key={name} name={name} {...of} />
        </>
      )}
    </WithSettings>
  );
}
