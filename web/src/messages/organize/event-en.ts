/** English texts of what the page Event sets: settings, rules and pages, the brand. */

/** The known words by name; a name that is missing is shown as it is. */
type Words = Readonly<Record<string, string>>;

/** What a button does to its object. */
export const SET_VERBS: Words = {
  "answers.set": "Save",
  "brand.set": "Save",
  "event.rules": "Save the rules of",
  "page.remove": "Remove",
  "page.set": "Save",
  "settings.set": "Save",
};

/** The short name of an action. */
export const SET_ACTIONS: Words = {
  "answers.set": "Save the ready answers",
  "brand.set": "Save the brand",
  "event.rules": "Save the rules",
  "page.remove": "Remove the page",
  "page.set": "Save the page",
  "settings.set": "Save the settings",
};

export const SET_HINTS: Words = {
  "event.rules": "Players read the new rules at once. An announcement tells them what is new.",
  "settings.set": "It counts at once, on all nodes.",
};

/** What actions are about, for the filter of the log. */
export const SET_KINDS: Words = {
  settings: "settings",
  brand: "the brand",
  page: "pages",
  answers: "ready answers",
};

const LABELS: Words = {
  open: "New teams may sign up",
  confirm_email: "A team plays once its address is confirmed",
  student_label: "Label of the students' checkbox",
  password_min: "Shortest password, in characters",
  refuse_common_passwords: "Common passwords are refused",
  reserved_names: "Names that no team may have",
  members_max: "Most people whose names a team gives",
  local_addresses: "Allow local email addresses",
  trusted_networks: "Networks without these limits",
  trusted_proxies: "Trusted proxies",
  submissions_per_challenge_per_10_s: "Wrong flags for a challenge in 10 seconds",
  submissions_per_team_per_minute: "Wrong flags of a team in a minute",
  signups_per_network_per_hour: "Signups from a network in an hour",
  failed_logins_per_team_per_minute: "Failed logins for a team in a minute",
  mails_per_address_per_hour: "Mails of a kind to an address in an hour",
  mails_per_hour: "All mails in an hour",
  sightings_days: "Days after the end for which networks of teams are kept",
  keep_wrong_texts: "Organizers can read the texts of wrong flags until the end",
  banner: "Line under the name of the event",
  accent: "Accent colour",
  accent_dark: "Accent on the dark ground",
  microblog: "Microblog URL",
  chat: "Address of the chat",
  links: "Links in the footer",
  sponsors: "Sponsors",
  logo: "Logo",
  logo_dark: "Logo on the dark ground",
  favicon: "Icon of the tab",
  hero: "Picture on the home page",
  preview: "Picture for links elsewhere",
  heading_font: "Heading font",
  text: "Text",
  place: "Where its link stands",
  position: "Position",
  slug: "Name in the address",
  answers: "Ready answers",
};

export const eventEn = {
  labels: LABELS,
  hints: {
    student_label: "Empty: the usual text, about polito students.",
    reserved_names: "One in each line; look-alikes are refused, too.",
    members_max: "For prizes. 0 asks for none.",
    local_addresses: "Such as w@localhost; for an event without the internet.",
    trusted_networks: "One in each line, such as 10.0.0.0/8: a campus behind one address.",
    trusted_proxies: "One in each line. Only what these say of the caller's address is believed.",
    sightings_days: "0: it is not recorded.",
    keep_wrong_texts:
      "The rules page says so. Owners and organizers alone see them; a flag is never kept.",
    accent: "Such as #0077cc. Without a dark-theme color, it needs enough contrast in both themes.",
    accent_dark: "Where it is another one. Then each has to stand out from its own ground.",
    logo: "In the bar, in place of the name. At most 512 KiB: SVG, PNG, JPEG, WebP or GIF.",
    logo_dark: "Where it is another one.",
    favicon: "At most 512 KiB.",
    hero: "Above the name of the event. At most 2 MiB.",
    preview: "Best 1200 by 630. At most 2 MiB, no SVG.",
    heading_font: "A custom font must be a WOFF2 file up to 512 KiB.",
    position: "A number; empty: last",
    slug: "Lower case letters, digits and dashes",
  } as Words,
  /** Sections of the settings. */
  sections: { registration: "Registration", limits: "Limits", privacy: "Privacy" } as Words,
  notes: {
    registration: "Who may sign up, and how.",
    limits: "Budgets against guessing and floods. 0 means no limit, empty the usual one.",
    privacy: "How long private data is kept.",
  } as Words,
  owners: "Owners change these.",
  fixed: "From the files: change it in event.toml.",
  fixedPage: "From the files: change it in the event's folder.",
  number: (least: number, most: number) => `A whole number from ${least} to ${most}`,
  becomes: (label: string, before: string, after: string) => `${label}: ${before} → ${after}`,
  nothing: "nothing",
  some: (count: number) => (count === 1 ? "1 entry" : `${count} entries`),
  otherText: "another text",
  otherFile: "another file",

  texts: "Rules and pages",
  rules: "Rules",
  rulesNote:
    "Markdown. {start}, {end}, {freeze}, {length}, {flag_format}, {max} and {min} are filled in.",
  rulesFromFiles:
    "The rules come from rules.md. A text here replaces them until files are applied.",
  newPage: "New page",
  pageNote: "Markdown, which begins with the title: # About us",
  pageTemplate: "# ",
  places: { navigation: "in the navigation", footer: "in the footer" } as Words,
  slugWrong: "A name has 1 to 40 lower case letters, digits and dashes.",
  slugTaken: "Another page has this name.",
  gone: "There is no such page.",
  open: "Open the page",
  preview: "What players will see",
  previewNothing: "It is shown once something is typed.",
  previewErrors: "There is nothing to show before the errors are mended.",

  brand: "Brand",
  brandNote: "How the site looks and whom it thanks. It counts at once, on all nodes.",
  linkName: (number: number) => `Name of link ${number}`,
  linkAddress: (number: number) => `Address of link ${number}`,
  removeLink: (number: number) => `Remove link ${number}`,
  addLink: "Add a link",
  sponsorName: (number: number) => `Name of sponsor ${number}`,
  sponsorAddress: (number: number) => `Address of sponsor ${number}`,
  sponsorTier: (number: number) => `Heading above sponsor ${number}`,
  sponsorLogo: (number: number) => `Logo of sponsor ${number}`,
  removeSponsor: (number: number) => `Remove sponsor ${number}`,
  addSponsor: "Add a sponsor",
  pick: (name: string) => `${name}: pick it`,
  chosen: "A new file, not saved yet",
  present: "There is one.",
  absent: "There is none.",
  remove: "Remove",
  removeFile: (name: string) => `Remove: ${name}`,
  sending: "Sending…",
  fonts: { inter: "Inter, as all texts", mono: "JetBrains Mono" } as Words,
  ownFont: "Custom font",

  answers: "Ready answers",
  answersNote: "For the sheet that answers a question. All organizers have the same.",
  answerTitle: (number: number) => `Title of answer ${number}`,
  answerText: (number: number) => `Text of answer ${number}`,
  removeAnswer: (number: number) => `Remove answer ${number}`,
  addAnswer: "Add an answer",
  insertAnswer: "Insert a ready answer",
  answerLacks: "Each answer needs a title and a text.",
  noAnswers: "No answer is ready.",
};

/** The shape of a language file. */
export type EventMessages = typeof eventEn;
