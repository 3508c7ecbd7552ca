/** Branding and sponsors. Values set in the event files are read-only. */
import { useOrganizeMessages, wordFor } from "../../../../messages/organize/words";
import { Field } from "../../../../ui/field/field";
import { optionsOf, Select } from "../../change/fields";
import { Add, Rows } from "../../editor/parts";
import { FilePart } from "../../forms/file-part";
import { type OfSettings, SetFormFrame, useSetForm, WithSettings } from "../../forms/form";
import { Group, Layout } from "../../forms/layout";
import { rowsOfPart, textOfPart, type Value } from "../../forms/values";
import styles from "./brand.module.css";
import { brandNow, brandOf, FONT, LINK, PICTURES, SPONSOR } from "./brand-form";
import { BrandPreview } from "./preview";

/** Color that the picker shows for an empty field: the accent of the site, `--accent-fill`. */
const DEFAULT_ACCENT = "#ffb224";
const PICTURE_TYPES = "image/svg+xml,image/png,image/jpeg,image/webp,image/gif";

interface PartProps {
  name: string;
  value: Value | undefined;
  now: Value | undefined;
  isFixed: boolean;
  onChange: (value: Value) => void;
}

function TextPart({ name, value, isFixed, onChange }: PartProps) {
  const { forms: words } = useOrganizeMessages().pages;
  const text = textOfPart(value);
  const isColor = name.startsWith("accent");
  return (
    <div className={isColor ? styles.color : undefined}>
      <Field
        label={wordFor(words.labels, name)}
        hint={isFixed ? words.fixed : words.hints[name]}
        autoComplete="off"
        spellCheck={!isColor}
        maxLength={500}
        readOnly={isFixed}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {isColor && (
        <input
          type="color"
          aria-label={words.pick(wordFor(words.labels, name))}
          disabled={isFixed}
          value={/^#[0-9a-f]{6}$/i.test(text) ? text : DEFAULT_ACCENT}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </div>
  );
}

function PicturePart({ name, value, now, isFixed, onChange }: PartProps) {
  const { forms: words } = useOrganizeMessages().pages;
  return (
    <FilePart
      label={wordFor(words.labels, name)}
      hint={isFixed ? words.fixed : words.hints[name]}
      accept={PICTURE_TYPES}
      digest={textOfPart(value)}
      saved={textOfPart(now)}
      isFixed={isFixed}
      onChange={onChange}
    />
  );
}

/** The body font, used if no heading font is set. */
const NORMAL = "inter";

function FontPart({ name, value, now, isFixed, onChange }: PartProps) {
  const { forms: words } = useOrganizeMessages().pages;
  const font = textOfPart(value);
  const isOwn = font !== "" && font !== "mono";
  const faces = optionsOf(words.fonts);
  return (
    <div className={styles.font}>
      <Select
        label={wordFor(words.labels, name)}
        value={font === "" ? NORMAL : font}
        disabled={isFixed}
        options={isOwn ? [...faces, [font, words.ownFont]] : faces}
        onChange={(face) => onChange(face === NORMAL ? "" : face)}
      />
      <FilePart
        label={words.ownFont}
        hint={isFixed ? words.fixed : words.hints[name]}
        accept=".woff2,font/woff2"
        digest={isOwn ? font : ""}
        saved={textOfPart(now)}
        isFixed={isFixed}
        isPicture={false}
        onChange={onChange}
      />
    </div>
  );
}

interface RowsProps extends PartProps {
  names: readonly string[];
  labels: Readonly<Record<string, (number: number) => string>>;
  removeLabel: (number: number) => string;
  addLabel: string;
}

function RowsPart({ name, value, now, isFixed, onChange, names, ...words }: RowsProps) {
  const { forms } = useOrganizeMessages().pages;
  const rows = rowsOfPart(value);
  const saved = rowsOfPart(now).map((row) => row.logo ?? "");
  const hint = isFixed ? forms.fixed : forms.hints[name];
  const empty = Object.fromEntries(names.map((one) => [one, ""]));
  return (
    <fieldset className={styles.rows} disabled={isFixed}>
      <legend className="visually-hidden">{wordFor(forms.labels, name)}</legend>
      {hint && <p className="org-note">{hint}</p>}
      <Rows of={rows} onChange={onChange} removeLabel={words.removeLabel}>
        {(row, number, change) =>
          names.map((one) => {
            const label = words.labels[one]?.(number) ?? one;
            const text = row[one] ?? "";
            const set = (next: string) => change({ ...row, [one]: next });
            return one === "logo" ? (
              <FilePart
                key={one}
                label={label}
                accept={PICTURE_TYPES}
                digest={text}
                saved={saved.includes(text) ? text : ""}
                isFixed={isFixed}
                onChange={set}
              />
            ) : (
              <Field
                key={one}
                label={label}
                autoComplete="off"
                maxLength={500}
                value={text}
                onChange={(event) => set(event.currentTarget.value)}
              />
            );
          })
        }
      </Rows>
      <Add label={words.addLabel} onAdd={() => onChange([...rows, empty])} />
    </fieldset>
  );
}

/** Sections of the form, for the outline. */
const GROUPS = ["head", "pictures", "font", "links", "sponsors"] as const;

function BrandForm({ settings, readSettings }: OfSettings) {
  const { forms: words } = useOrganizeMessages().pages;
  const { brand: groups } = useOrganizeMessages().manage;
  const now = brandNow(settings);
  const form = useSetForm({
    key: "form brand",
    now,
    readNow: async () => brandNow(await readSettings()),
    action: (values, changed) => {
      const fixed = { values: brandOf(values, changed) };
      return { action: "brand.set", fixed, object: words.brand };
    },
    shown(name, value) {
      if (typeof value !== "string" || value === "") return null;
      if (name === FONT && value === "mono") return wordFor(words.fonts, value);
      return name === FONT || PICTURES.some((one) => one === name) ? words.otherFile : null;
    },
  });
  const { values, set } = form.draft;
  const part = (name: string) => ({
    name,
    value: values[name],
    now: now[name],
    isFixed: settings.fixed.site?.includes(name) ?? false,
    onChange: (value: Value) => set(name, value),
  });
  const sections = GROUPS.map((id) => ({ id, text: groups[id] }));
  return (
    <Layout sections={sections} aside={<BrandPreview values={values} saved={now} />}>
      <SetFormFrame
        form={form}
        action="brand.set"
        section="brand"
        title={words.brand}
        note={words.brandNote}
      >
        <Group id="head" title={groups.head} note={groups.headNote}>
          <TextPart {...part("banner")} />
          <div className={styles.colors}>
            <TextPart {...part("accent")} />
            <TextPart {...part("accent_dark")} />
          </div>
        </Group>
        <Group id="pictures" title={groups.pictures} note={groups.picturesNote} isPair>
          {PICTURES.map((name) => (
            <PicturePart key={name} {...part(name)} />
          ))}
        </Group>
        <Group id="font" title={groups.font} note={groups.fontNote}>
          <FontPart {...part(FONT)} />
        </Group>
        <Group id="links" title={groups.links} note={groups.linksNote}>
          <TextPart {...part("microblog")} />
          <TextPart {...part("chat")} />
          <RowsPart
            {...part("links")}
            names={LINK}
            labels={{ name: words.linkName, link: words.linkAddress }}
            removeLabel={words.removeLink}
            addLabel={words.addLink}
          />
        </Group>
        <Group id="sponsors" title={groups.sponsors} note={groups.sponsorsNote}>
          <RowsPart
            {...part("sponsors")}
            names={SPONSOR}
            labels={{
              name: words.sponsorName,
              link: words.sponsorAddress,
              tier: words.sponsorTier,
              logo: words.sponsorLogo,
            }}
            removeLabel={words.removeSponsor}
            addLabel={words.addSponsor}
          />
        </Group>
      </SetFormFrame>
    </Layout>
  );
}

export default function BrandTab() {
  return <WithSettings>{(of) => <BrandForm {...of} />}</WithSettings>;
}
