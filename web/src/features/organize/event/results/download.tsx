/** Links to exported lists, and the choice of their format. */
import { apiUrl } from "../../../../api/base";
import { useOrganizeMessages } from "../../../../messages/organize/words";
import { Select } from "../../change/fields";

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
