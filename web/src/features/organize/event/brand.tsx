/** How the site looks and whom it thanks. What files set is shown and cannot be changed. */
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Field } from "../../../ui/field/field";
import { optionsOf, Select } from "../change/fields";
import { Add, Rows } from "../editor/parts";
import { FilePart } from "../forms/file-part";
import { type OfSettings, SetFormFrame, useSetForm, WithSettings } from "../forms/form";
import { rowsOfPart, textOfPart, type Value } from "../forms/values";
import { brandNow, brandOf, FONT, LINK, PICTURES, SPONSOR, TEXTS } from "./brand-form";

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
  const isColour = name.startsWith("accent");
  return (
    <div className={isColour ? "org-colour" : undefined}>
      <Field
        label={wordFor(words.labels, name)}
        hint={isFixed ? words.fixed : words.hints[name]}
        autoComplete="off"
        spellCheck={!isColour}
        maxLength={500}
        readOnly={isFixed}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {isColour && (
        <input
          type="color"
          aria-label={words.pick(wordFor(words.labels, name))}
          disabled={isFixed}
          value={/^#[0-9a-f]{6}$/i.test(text) ? text : "#000000"}
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

/** The face of all texts, which is not set. */
const NORMAL = "inter";

function FontPart({ name, value, now, isFixed, onChange }: PartProps) {
  const { forms: words } = useOrganizeMessages().pages;
  const font = textOfPart(value);
  const isOwn = font !== "" && font !== "mono";
  const faces = optionsOf(words.fonts);
  return (
    <div className="org-stack">
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
    <fieldset className="org-part" disabled={isFixed}>
      <legend>{wordFor(forms.labels, name)}</legend>
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

function BrandForm({ settings, readSettings }: OfSettings) {
  const { forms: words } = useOrganizeMessages().pages;
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
  return (
    <SetFormFrame form={form} action="brand.set" title={words.brand} note={words.brandNote}>
      <div className="org-pair">
        {TEXTS.map((name) => (
          <TextPart key={name} {...part(name)} />
        ))}
      </div>
      <div className="org-pair">
        {PICTURES.map((name) => (
          <PicturePart key={name} {...part(name)} />
        ))}
        <FontPart {...part(FONT)} />
      </div>
      <RowsPart
        {...part("links")}
        names={LINK}
        labels={{ name: words.linkName, link: words.linkAddress }}
        removeLabel={words.removeLink}
        addLabel={words.addLink}
      />
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
    </SetFormFrame>
  );
}

export default function BrandTab() {
  return <WithSettings>{(of) => <BrandForm {...of} />}</WithSettings>;
}
