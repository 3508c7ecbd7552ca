/** English texts of the editor of challenges. */

/** The known words by name; a name that is missing is shown as it is. */
type Words = Readonly<Record<string, string>>;

const LABELS: Words = {
  name: "Name",
  category: "Category",
  author: "Author",
  description: "Text",
  connection: "Connection",
  flagFormat: "Flag format",
  solution: "Solution",
  position: "Position",
  type: "Kind of points",
  value: "Points",
  initial: "Points of the first solve",
  minimum: "Fewest points",
  decay: "Decay",
  values: "Points by place",
  flags: "Flags",
  hints: "Hints",
  requirements: "Requirements",
  files: "Files",
};

export const editorEn = {
  newTitle: "New challenge",
  edit: "Edit",
  duplicate: "Duplicate",
  copyOf: (name: string) => `${name} 2`,
  back: "Back to the challenges",
  labels: LABELS,
  lineHints: {
    category: "Several with commas between",
    connection: "Shown in a box of its own, to be copied: nc host 1337",
    flagFormat:
      "Shown to a team whose wrong flag lacks it: flag{...}, or words. Empty: what its flags " +
      "have in common.",
    solution: "For organizers: a path or an address. Players never see it.",
    position: "A number: its place among the challenges",
  } as Words,
  id: "Id",
  idHint: "Stays for good: letters, digits, dots, dashes and underscores",
  idTaken: "Another challenge has this id.",
  idWrong: "An id has 1 to 64 letters, digits, dots, dashes and underscores.",
  textHint: "Markdown, as players see it beside or below",

  scoring: "Points",
  type: "Kind",
  types: {
    standard: "the same for everyone",
    static: "the same for everyone",
    dynamic: "fewer with each solve",
    speedrun: "by the place of the solve",
  } as Words,
  typeHints: {
    standard: "Each team gets these points.",
    dynamic: "Every team gets what the challenge is worth by now. Empty: as the event says.",
    speedrun: "The points of the first team, the second and so on, with commas between.",
  } as Words,

  flags: "Flags",
  flag: (number: number) => `Flag ${number}`,
  flagKind: (number: number) => `Kind of flag ${number}`,
  removeFlag: (number: number) => `Remove flag ${number}`,
  addFlag: "Add a flag",
  kinds: {
    static: "exactly this",
    any_case: "this in any case",
    regex: "a pattern",
    regex_any_case: "a pattern in any case",
    team: "another one for each team",
    decoy: "a decoy: wrong, and evidence",
  } as Words,
  kindHints: {
    regex: "A pattern is matched as a whole, without look-around and back-references.",
    team: "Write [TEAM] once: each team has another code there.",
    decoy: "Lay a decoy where only who does not solve the challenge finds it.",
  } as Words,

  hints: "Hints",
  hintsNote: "Free, and for everyone at once. Without a time a hint is shown with the challenge.",
  hint: (number: number) => `Hint ${number}`,
  hintTime: (number: number) => `Time of hint ${number}`,
  removeHint: (number: number) => `Remove hint ${number}`,
  addHint: "Add a hint",
  from: "from",

  requirements: "Requirements",
  requirementsNote: "The challenge is locked for a team until it has solved these.",
  removeRequirement: (name: string) => `Require ${name} no more`,
  addRequirement: "Require another challenge",

  files: {
    title: "Files",
    add: "Add files",
    note: "Or drop them here. At most 1 GiB each. One of the same name is replaced.",
    tooLarge: "This file has more than 1 GiB: give players a link to it in the text.",
    sending: "It can be saved once the files are sent: they are lost if the page is left before.",
    otherNodes: (digest: string) =>
      `Copy files/${digest} to the other nodes before the release, unless they share the folder.`,
    isNew: "not saved yet",
    unknown: "not among the files of the challenge",
    sent: (sent: string, all: string) => `${sent} of ${all}`,
    progress: (name: string) => `How much of ${name} is sent`,
    remove: (name: string) => `Remove ${name}`,
    stop: (name: string) => `Stop sending ${name}`,
    dismiss: (name: string) => `Forget ${name}`,
    again: (name: string) => `Send ${name} again`,
  },

  severities: { error: "Error", warning: "Warning" } as Words,
  preview: "What players will see",
  previewErrors: "There is nothing to show before the errors are mended.",
  previewNothing: "It is shown once the challenge has a name.",
  trialNote: "Tries the flags that are saved.",

  save: "Save",
  discard: "Discard what was typed",
  unchanged: "Nothing is changed.",
  unsaved: "Not saved. It stays in this tab until it is saved or the tab is closed.",
  errors: (count: number) => (count === 1 ? "1 error" : `${count} errors`),
  noPreview: "No preview now.",
  someone: "Somebody else",
  both: (name: string, parts: string) =>
    `${name} has changed this too: ${parts}. What you typed stays; discard it to see theirs.`,
};

/** The shape of a language file. */
export type EditorMessages = typeof editorEn;
