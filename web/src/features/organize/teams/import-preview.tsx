/** Preview of a team import: detected format, new, skipped and invalid rows. */
import { useId } from "react";
import type { ImportPreview } from "../../../api/organize-import";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { type Column, Table } from "../frame/table";

type Unreadable = NonNullable<ImportPreview["unread"]>;

interface UnreadProps {
  of: Unreadable;
  onRead: (encoding: string) => void;
}

/** Explains why a file is not valid text, and offers other encodings with sample names. */
export function Unread({ of, onRead }: UnreadProps) {
  const { imports: words } = useOrganizeMessages().console;
  const id = useId();
  const { message, line, readings } = of;
  return (
    <>
      <p className="org-bad">
        {typeof line === "number" && `${words.line(line)}: `}
        <span lang="en">{message}</span>
      </p>
      {readings.length > 0 && (
        <section className="org-stack" aria-labelledby={id}>
          <h3 id={id}>{words.encodings}</h3>
          <ul className="org-import-list">
            {readings.map(({ label, names }) => (
              <li key={label}>
                <bdi>{names.join(", ")}</bdi>
                <button type="button" className="org-small" onClick={() => onRead(label)}>
                  {words.readAs(label)}
                </button>
              </li>
            ))}
          </ul>
          <p className="org-note">{words.noEncoding}</p>
        </section>
      )}
    </>
  );
}

/** Detected format of the file, and the number of teams per result. */
export function ImportCounts({ file, of }: { file: string; of: ImportPreview }) {
  const { imports: words } = useOrganizeMessages().console;
  const { encoding, separator, columns, passedOver, errors } = of;
  const counts = [
    words.isNew(of.new),
    of.there > 0 && words.there(of.there),
    of.waiting > 0 && words.waiting(of.waiting),
    of.listed > 0 && words.listed(of.listed),
    of.blank > 0 && words.blank(of.blank),
    errors > 0 && words.errors(errors),
  ].filter((one) => one !== false);
  return (
    <div className="org-stack">
      <h3>
        <bdi>{words.preview(file)}</bdi>
      </h3>
      {of.unread ? (
        <p>{words.unread}</p>
      ) : (
        <>
          <ul>
            {counts.map((count) => (
              <li key={count}>{count}</li>
            ))}
          </ul>
          <p className="org-note">
            {words.found(encoding ?? "", wordFor(words.separators, separator ?? ""))}{" "}
            {columns.length > 0 && words.columns(columns.join(", "))}{" "}
            {passedOver.length > 0 && words.passedOver(passedOver.join(", "))}
          </p>
          {errors > 0 && <p className="org-bad">{words.refused}</p>}
          {errors === 0 && of.new === 0 && <p>{words.noneNew}</p>}
        </>
      )}
    </div>
  );
}

/** Invalid, skipped and suspicious lines. */
export function ImportProblems({ of }: { of: ImportPreview }) {
  const { imports: words } = useOrganizeMessages().console;
  const id = useId();
  const { problems, errors } = of;
  if (problems.length === 0) return null;
  const listed = problems.filter(({ severity }) => severity === "error").length;
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{words.problems}</h3>
      <ul className="org-import-list">
        {problems.map(({ line, severity, message }) => (
          <li key={`${line} ${message}`} className={severity === "error" ? "org-bad" : undefined}>
            <strong>
              {words.line(line)}, {wordFor(words.severities, severity)}
            </strong>
            : <span lang="en">{message}</span>
          </li>
        ))}
      </ul>
      {errors > listed && <p className="org-bad">{words.moreProblems(errors - listed)}</p>}
    </section>
  );
}

export function ImportRows({ of }: { of: ImportPreview }) {
  const { imports: words } = useOrganizeMessages().console;
  const { rows } = of;
  if (rows.length === 0) return null;
  const columns: readonly Column<ImportPreview["rows"][number]>[] = [
    {
      word: words.team,
      isName: true,
      classOf: () => "org-import-team",
      cell: ({ teamName, email, student, hasPassword }) => (
        <>
          <bdi>{teamName}</bdi>
          <span className="org-note">
            {[email, student && words.student, hasPassword && words.password]
              .filter((one) => one !== false)
              .join(", ")}
          </span>
        </>
      ),
    },
    { word: words.country, cell: ({ country }) => (country === "UN" ? words.none : country) },
  ];
  return (
    <Table columns={columns} rows={rows} keyOf={({ line }) => line}>
      <caption>{rows.length < of.new ? words.rows : words.allRows}</caption>
    </Table>
  );
}
