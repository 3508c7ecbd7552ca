/** English messages of the import of teams from a file. */

/** The known words by name; a name that is missing is shown unchanged. */
type Words = Readonly<Record<string, string>>;

const some = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${count} ${many}`;

export const importEn = {
  button: "Import teams…",
  title: "Import teams from a file",
  intro:
    "Take a CSV file. Its first line names the columns: name and email, and if you have them " +
    "country, student and password. You see what the file would do before anything is done.",
  file: "CSV file",
  drop: "You can also drop it here. It has at most 16 MiB.",
  tooLarge:
    "This file has more than 16 MiB, so it was not sent. Split it, or import it on the server " +
    "with flagship team import.",
  unreadable: "The browser cannot read this file. Choose it again.",
  looking: "Looking what the file would do…",
  preview: (file: string) => `What ${file} would do`,

  unread: "The file was not read.",
  line: (line: number) => `Line ${line}`,
  encodings: "In which encoding are these names right?",
  readAs: (label: string) => `Read as ${label}`,
  noEncoding: "If none is right, save the file as UTF-8 and choose it again.",
  found: (encoding: string, separator: string) =>
    `The file is ${encoding}, and its columns are separated by ${separator}.`,
  separators: { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars" } as Words,
  columns: (columns: string) => `Columns: ${columns}.`,
  passedOver: (columns: string) => `Passed over: ${columns}.`,
  isNew: (count: number) => some(count, "new team", "new teams"),
  there: (count: number) => `${count} already there, left out`,
  waiting: (count: number) => `${count} signed up but not confirmed, left out`,
  listed: (count: number) => `${count} did not play according to this list, left out`,
  blank: (count: number) => `${some(count, "blank row", "blank rows")}, passed over`,
  errors: (count: number) => some(count, "error", "errors"),
  refused: "Nothing is imported while a line has an error. Correct the file and choose it again.",
  noneNew: "The file has no new team, so there is nothing to import.",
  problems: "Lines to look at",
  severities: { error: "error", note: "note" } as Words,
  moreProblems: (count: number) => `${some(count, "more error is", "more errors are")} not listed.`,
  rows: "The first new teams",
  allRows: "The new teams",
  team: "Team",
  country: "Country",
  student: "students",
  password: "with password",
  none: "–",

  mail: "E-mail each team a link to set its password",
  mailNote: (days: number) =>
    `Each link works once, within ${days} days. Without a link or a password in the file, a team ` +
    "sets its password through “Forgot”.",
  noMail:
    "No links can be mailed: this server writes its mails to files. A team whose password is not " +
    "in the file cannot log in until mail is set up.",
  submit: (count: number) => `Import ${some(count, "team", "teams")}`,
  importing: "Importing… Passwords in the file take a moment.",

  done: (count: number) => `${some(count, "team is", "teams are")} imported`,
  leftOut: (count: number) => `${some(count, "row was", "rows were")} left out.`,
  mails: (count: number) => `${some(count, "mail waits", "mails wait")} to be sent.`,
  undoNote: "Undo takes all of them back, until one of them has played.",
  undo: "Undo",
  another: "Import another file",
  close: "Close",
};

/** The shape of a language file. */
export type ImportMessages = typeof importEn;
