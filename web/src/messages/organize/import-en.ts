/** English messages of the team import. */

/** Texts by name. Unknown names are shown unchanged. */
type Words = Readonly<Record<string, string>>;

const some = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${count} ${many}`;

export const importEn = {
  button: "Import teams…",
  title: "Import teams from a file",
  intro:
    "Choose a CSV file. Its first line names the columns: name and email, and optionally " +
    "country, student and password. You see a preview before anything is imported.",
  file: "CSV file",
  drop: "Or drop the file here. Up to 16 MiB.",
  tooLarge:
    "This file is larger than 16 MiB, so it was not uploaded. Split it, or import it on the " +
    "server with flagship team import.",
  unreadable: "The browser cannot read this file. Choose it again.",
  looking: "Loading the preview…",
  preview: (file: string) => `Preview of ${file}`,

  unread: "The file could not be read.",
  line: (line: number) => `Line ${line}`,
  encodings: "Which encoding shows these names correctly?",
  readAs: (label: string) => `Read as ${label}`,
  noEncoding: "If none is correct, save the file as UTF-8 and choose it again.",
  found: (encoding: string, separator: string) =>
    `Encoding: ${encoding}. Columns are separated by ${separator}.`,
  separators: { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars" } as Words,
  columns: (columns: string) => `Columns: ${columns}.`,
  passedOver: (columns: string) => `Ignored: ${columns}.`,
  isNew: (count: number) => some(count, "new team", "new teams"),
  there: (count: number) => `${some(count, "existing team", "existing teams")}, skipped`,
  waiting: (count: number) => `${some(count, "unconfirmed team", "unconfirmed teams")}, skipped`,
  listed: (count: number) =>
    `${some(count, "team", "teams")} listed as banned, hidden or unconfirmed, skipped`,
  blank: (count: number) => `${some(count, "empty row", "empty rows")}, skipped`,
  errors: (count: number) => some(count, "error", "errors"),
  refused: "Nothing is imported while any line has an error. Fix the file and choose it again.",
  noneNew: "The file has no new teams, so there is nothing to import.",
  problems: "Lines with problems",
  severities: { error: "error", note: "note" } as Words,
  moreProblems: (count: number) => `${some(count, "more error is", "more errors are")} not listed.`,
  rows: "First new teams",
  allRows: "New teams",
  team: "Team",
  country: "Country",
  student: "students",
  password: "with password",
  none: "–",

  mail: "Email each team a link to set its password",
  mailNote: (days: number) =>
    `Each link works once and expires in ${days} days. A team without a link and without a ` +
    "password in the file sets its password with “Forgot your password?”.",
  noMail:
    "No links can be sent: this server writes emails to files. Teams without a password in the " +
    "file cannot log in until email is set up.",
  submit: (count: number) => `Import ${some(count, "team", "teams")}`,
  importing: "Importing… This takes longer if the file has passwords.",

  done: (count: number) => `${some(count, "team", "teams")} imported`,
  leftOut: (count: number) => `${some(count, "row", "rows")} skipped.`,
  mails: (count: number) => `${some(count, "email", "emails")} queued.`,
  undoNote: "Undo removes all of them. It works until one of them has played.",
  undo: "Undo",
  another: "Import another file",
  close: "Close",
};

/** The shape of a language file. */
export type ImportMessages = typeof importEn;
