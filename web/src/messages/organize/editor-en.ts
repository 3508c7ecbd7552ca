/** English messages of the challenge editor. */

/** Texts by name. Unknown names are shown unchanged. */
type Words = Readonly<Record<string, string>>;

const LABELS: Words = {
  name: "Name",
  category: "Category",
  author: "Author",
  description: "Description",
  connection: "Connection info",
  flagFormat: "Flag format",
  solution: "Solution",
  position: "Display order",
  type: "Type",
  value: "Points",
  initial: "Initial value",
  minimum: "Minimum value",
  decay: "Decay",
  values: "Points by position",
  flags: "Flags",
  hints: "Hints",
  requirements: "Requirements",
  files: "Attachments",
};

export const editorEn = {
  newTitle: "New challenge",
  edit: "Edit",
  duplicate: "Duplicate",
  copyOf: (name: string) => `${name} 2`,
  back: "Back to challenges",
  sections: {
    text: "Text",
    flags: "Flags",
    hints: "Hints",
    files: "Files & connection",
    scoring: "Scoring",
    requirements: "Requirements",
    release: "Release",
    solution: "Organizers only",
  } as Words,
  outline: "Sections",
  goToSection: "Go to section",
  goToNext: "Next section",
  goToPrevious: "Previous section",
  goToProblem: "Next problem",
  warnings: (count: number) => (count === 1 ? "1 warning" : `${count} warnings`),
  edited: "edited",
  inConflict: "also changed by a colleague",
  modes: { edit: "Edit", preview: "Preview" },
  labels: LABELS,
  lineHints: {
    category: "Separate several with commas",
    connection: "Shown in a box players can copy: nc host 1337",
    flagFormat:
      "Shown when a submission does not match it. A pattern such as flag{...}, or words. Leave " +
      "empty to use the common parts of the flags.",
    solution: "A path or URL, visible to organizers only.",
    position: "A number that sorts the challenge list",
  } as Words,
  id: "ID",
  idHint: "Cannot be changed later. Letters, digits, dots, dashes and underscores",
  idTaken: "Another challenge already uses this ID.",
  idWrong: "Use 1 to 64 letters, digits, dots, dashes and underscores.",
  textHint: "Markdown, shown in the preview",
  textHintImages: "Markdown. Paste or drop images.",
  addImage: "Add image",

  scoring: "Scoring",
  types: {
    standard: "Static",
    static: "Static",
    dynamic: "Dynamic",
    speedrun: "Speedrun",
  } as Words,
  typeHints: {
    standard: "Every solve is worth the same.",
    dynamic:
      "The value drops with each solve, for every solver. Leave empty for the event default.",
    speedrun: "Points for the 1st, 2nd, 3rd solve and so on, separated by commas.",
  } as Words,
  curve: "Points of each solve",
  afterSolves: (count: number) => (count === 1 ? "1 solve" : `${count} solves`),
  atPosition: (position: number) => `Position ${position}`,

  flags: "Flags",
  flag: (number: number) => `Flag ${number}`,
  flagsChanged: "Earlier submissions keep their verdict until you rejudge them.",
  flagKind: (number: number) => `Type of flag ${number}`,
  removeFlag: (number: number) => `Remove flag ${number}`,
  addFlag: "Add flag",
  kinds: {
    static: "Exact match",
    any_case: "Case-insensitive",
    regex: "Regex",
    regex_any_case: "Regex, case-insensitive",
    team: "Per-team flag",
    decoy: "Decoy (honeypot)",
  } as Words,
  kindHints: {
    static: "The submission must be exactly this text.",
    any_case: "The submission must be this text, in upper or lower case.",
    regex: "The regex must match the whole flag. Look-around and backreferences are not supported.",
    regex_any_case: "A regex that ignores upper and lower case.",
    team: "Write [TEAM] once; each team gets its own code in its place.",
    decoy:
      "Place the decoy where teams find it only if they skip the intended solution. A decoy is " +
      "incorrect, and submitting it is recorded as evidence.",
  } as Words,

  hints: "Hints",
  hintsNote:
    "Hints are free and go to all teams at once. A hint without a time is shown with the " +
    "challenge.",
  hint: (number: number) => `Hint ${number}`,
  hintTime: (number: number) => `Release time of hint ${number}`,
  removeHint: (number: number) => `Remove hint ${number}`,
  addHint: "Add hint",
  from: "from",

  requirements: "Requirements",
  requirementsNote: "A team must solve these to unlock the challenge.",
  removeRequirement: (name: string) => `Remove requirement ${name}`,
  addRequirement: "Add requirement",

  files: {
    title: "Attachments",
    add: "Add attachments",
    note: "Or drop files here. Up to 1 GiB each. A file with the same name is replaced.",
    tooLarge:
      "This file is larger than 1 GiB. Host it elsewhere and link to it in the description.",
    sending: "You can save when the uploads finish. Leaving this page cancels them.",
    otherNodes: (digest: string) =>
      `Copy files/${digest} to the other nodes before the release, unless they share the folder.`,
    isNew: "unsaved",
    unknown: "not attached to this challenge",
    sent: (sent: string, all: string) => `${sent} of ${all}`,
    progress: (name: string) => `Upload progress of ${name}`,
    remove: (name: string) => `Remove ${name}`,
    stop: (name: string) => `Cancel upload of ${name}`,
    dismiss: (name: string) => `Dismiss ${name}`,
    again: (name: string) => `Retry upload of ${name}`,
  },

  severities: { error: "Error", warning: "Warning" } as Words,
  preview: "Preview",
  previewErrors: "Fix the errors to see the preview.",
  previewNothing: "Enter a name to see the preview.",
  previewNote: "The flag field and the files work for players only.",
  trialNote: "Tests the saved flags.",
  newNote: "A new challenge is hidden until you release it.",
  releaseNote: "Release, hide and close have their own actions, with a preview of their effect.",

  save: "Save",
  reviewAndSave: "Review and save",
  reviewAndCreate: "Review and create",
  checking: "Checking…",
  discard: "Discard changes",
  unchanged: "No changes",
  unsaved: "Unsaved changes, kept in this tab until you save or close it.",
  unsavedHere: "Unsaved changes",
  keptHere: "Kept in this browser until you save or discard them",
  kept: (time: string) => `You have unsaved changes from ${time}.`,
  restored: (time: string) => `Your unsaved changes from ${time} are back.`,
  restore: "Restore",
  dropKept: "Discard",
  dismiss: "Dismiss",
  errors: (count: number) => (count === 1 ? "1 error" : `${count} errors`),
  noPreview: "Preview unavailable.",
  someone: "Someone else",
  both: (name: string, parts: string) =>
    `${name} also changed this: ${parts}. Your changes are kept; discard them to see theirs.`,
  bothHere: (name: string, parts: string) =>
    `${name} also changed this: ${parts}. Compare the versions below.`,
  theirsHere: (name: string, parts: string) => `${name} changed ${parts}, now shown in the form.`,
  theirs: (name: string) => `${name} changed this to`,
  nothing: "empty",
  takeTheirs: "Use theirs",
  takeTheirsOf: (field: string) => `Use theirs: ${field}`,
  keepMine: "Keep mine",
  keepMineOf: (field: string) => `Keep mine: ${field}`,
};

/** The shape of a language file. */
export type EditorMessages = typeof editorEn;
