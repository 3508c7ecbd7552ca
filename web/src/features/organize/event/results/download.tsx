/** Links to exported lists, and the choice of their format. */
import { apiUrl } from "../../../../api/base";
import { useOrganizeMessages } from "../../../../messages/organize/words";
import { Select } from "../../change/fields";
import { useDivisions } from "../../frame/queries";

/** Export formats. XLSX comes first because Excel misreads CSV in many locales. */
const FORMATS = ["xlsx", "csv", "json"] as const;
export type Format = (typeof FORMATS)[number];

interface ChoiceProps {
  value: Format;
  onChange: (format: Format) => void;
}

export function FormatChoice({ value, onChange }: ChoiceProps) {
  const { results: words } = useOrganizeMessages().manage;
  return (
    <Select
      label={words.format}
      value={value}
      options={FORMATS.map((format) => [format, format.toUpperCase()])}
      onChange={(chosen) => onChange(FORMATS.find((format) => format === chosen) ?? "xlsx")}
    />
  );
}

interface DivisionChoiceProps {
  value: string;
  onChange: (division: string) => void;
}

/** Choice of a division, or all teams. Renders nothing for an event without divisions. */
export function DivisionChoice({ value, onChange }: DivisionChoiceProps) {
  const { divisions: words } = useOrganizeMessages().manage;
  const divisions = useDivisions().data ?? [];
  if (divisions.length === 0) return null;
  return (
    <Select
      label={words.one}
      value={value}
      options={[["", words.all], ...divisions.map((one) => [one.id, words.nameOf(one)] as const)]}
      onChange={onChange}
    />
  );
}

/** Path of a list with its query, to which the format is added. */
export function exportPath(
  list: string,
  query: Readonly<Record<string, string | false | undefined>>,
): string {
  const set = Object.entries(query).map(([name, value]) =>
    value ? `${name}=${encodeURIComponent(value)}&` : "",
  );
  return `${list}?${set.join("")}`;
}

interface DownloadProps {
  /** Name of the list. */
  what: string;
  /** Path with a query that the format is added to. */
  path: string;
  format: Format;
}

export function Download({ what, path, format }: DownloadProps) {
  const { results: words } = useOrganizeMessages().manage;
  return (
    <a
      download
      className="button"
      aria-label={words.downloadOf(what, format.toUpperCase())}
      href={apiUrl(`/organize/exports/${path}format=${format}`)}
    >
      {words.download} {format.toUpperCase()}
    </a>
  );
}
