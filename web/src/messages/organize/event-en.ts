/** English messages of the Event page: settings, rules, pages and branding. */

/** Texts by name. Unknown names are shown unchanged. */
type Words = Readonly<Record<string, string>>;

/** Verbs of submit buttons, followed by the object. */
export const SET_VERBS: Words = {
  "answers.set": "Update",
  "brand.set": "Save",
  "event.rules": "Save rules for",
  "page.remove": "Remove",
  "page.set": "Save",
  "settings.set": "Save",
};

/** Labels of buttons that open a dialog. */
export const SET_ACTIONS: Words = {
  "answers.set": "Save replies",
  "brand.set": "Save branding",
  "event.rules": "Save rules",
  "page.remove": "Remove page",
  "page.set": "Save page",
  "settings.set": "Save settings",
};

/** Explanations of actions, shown in their dialogs. */
export const SET_HINTS: Words = {
  "event.rules": "Players see the new rules immediately. Post a notice to tell them what changed.",
  "settings.set": "Takes effect immediately on all nodes.",
};

/** Categories of actions, for the audit log filter. */
export const SET_KINDS: Words = {
  settings: "settings",
  brand: "branding",
  page: "pages",
  answers: "saved replies",
};

const LABELS: Words = {
  open: "Registration open",
  opens: "Opens",
  closes: "Closes",
  max_teams: "Maximum number of teams",
  waiting_list: "Waiting list",
  email_domains: "Allowed email domains",
  codes: "Signup codes",
  fields: "Questions at signup",
  confirm_email: "Require email confirmation",
  student_label: "Student checkbox label",
  password_min: "Minimum password length",
  refuse_common_passwords: "Reject common passwords",
  reserved_names: "Reserved team names",
  members_max: "Maximum member names per team",
  local_addresses: "Allow local email addresses",
  trusted_networks: "Trusted networks",
  trusted_proxies: "Trusted proxies",
  submissions_per_challenge_per_10_s: "Incorrect flags per challenge, per 10 seconds",
  submissions_per_team_per_minute: "Incorrect flags per team, per minute",
  signups_per_network_per_hour: "Signups per network, per hour",
  failed_logins_per_team_per_minute: "Failed logins per team, per minute",
  mails_per_address_per_hour: "Emails of one type per address, per hour",
  mails_per_hour: "All emails, per hour",
  sightings_days: "Days to keep team network records after the end",
  keep_wrong_texts: "Keep the text of incorrect flags until the end",
  banner: "Tagline",
  accent: "Accent color",
  accent_dark: "Accent color, dark theme",
  microblog: "Microblog URL",
  chat: "Chat URL",
  links: "Footer links",
  sponsors: "Sponsors",
  logo: "Logo",
  logo_dark: "Logo, dark theme",
  favicon: "Favicon",
  hero: "Home page image",
  preview: "Link preview image",
  heading_font: "Heading font",
  text: "Content",
  place: "Link location",
  position: "Display order",
  slug: "URL slug",
  answers: "Saved replies",
};

export const eventEn = {
  labels: LABELS,
  hints: {
    opens: "Leave empty for no opening time.",
    closes: "Leave empty for no closing time.",
    max_teams:
      "0 for no maximum. Imported teams count; hidden and banned ones do not. A signup that is " +
      "not confirmed yet holds a place.",
    waiting_list: "While the event is full, teams can sign up and wait for a place.",
    email_domains:
      "One per line, such as students.example.org, without subdomains. Leave empty to allow all.",
    student_label: "Leave empty for the default text about polito students.",
    reserved_names: "One per line. Look-alike names are rejected too.",
    members_max: "For prizes. 0 turns this off.",
    local_addresses: "Such as w@localhost, for events without internet access.",
    trusted_networks:
      "One per line, such as 10.0.0.0/8, for a campus behind one address. Exempt from " +
      "per-network limits.",
    trusted_proxies: "One per line. Client addresses are accepted only from these proxies.",
    sightings_days: "0 records nothing.",
    keep_wrong_texts:
      "Visible only to owners and organizers, and announced on the rules page. Text that " +
      "contains a flag is never kept.",
    accent: "Such as #0077cc. Without a dark-theme color, it needs enough contrast in both themes.",
    accent_dark: "Optional. Each color then needs enough contrast only in its own theme.",
    logo: "Replaces the name in the navigation bar. SVG, PNG, JPEG, WebP or GIF, up to 512 KiB.",
    logo_dark: "Optional.",
    favicon: "Up to 512 KiB.",
    hero: "Behind the event name, as wide as the page. 2400 by 1200 works best; up to 2 MiB.",
    preview: "1200 × 630 works best. Up to 2 MiB, no SVG.",
    heading_font: "A custom font must be a WOFF2 file up to 512 KiB.",
    position: "A number; empty means last",
    slug: "Lowercase letters, digits and dashes",
  } as Words,
  /** Values of the signup code setting. */
  choices: { none: "Not used", optional: "Optional", required: "Required" } as Words,
  /** Settings sections by name. */
  sections: { registration: "Registration", limits: "Rate limits", privacy: "Privacy" } as Words,
  notes: {
    registration: "Who can sign up, and how.",
    limits: "Limits against guessing and flooding. 0 means no limit; empty means the default.",
    privacy: "How long private data is kept.",
  } as Words,
  owners: "Only owners can change these.",
  fixed: "Set in event.toml. Change it there.",
  fixedPage: "Set in the event folder. Change it there.",
  number: (least: number, most: number) => `A whole number from ${least} to ${most}`,
  becomes: (label: string, before: string, after: string) => `${label}: ${before} → ${after}`,
  nothing: "empty",
  some: (count: number) => (count === 1 ? "1 entry" : `${count} entries`),
  otherText: "new text",
  otherFile: "new file",

  texts: "Rules and pages",
  rules: "Rules",
  rulesNote:
    "Markdown. {start}, {end}, {freeze}, {length}, {flag_format}, {max} and {min} are filled in.",
  rulesFromFiles:
    "The rules come from rules.md. Text entered here replaces them until files are next applied.",
  newPage: "New page",
  pageNote: "Markdown, starting with the title: # About us",
  pageTemplate: "# ",
  places: { navigation: "in the navigation", footer: "in the footer" } as Words,
  slugWrong: "Use 1 to 40 lowercase letters, digits and dashes.",
  slugTaken: "Another page already uses this slug.",
  gone: "Page not found.",
  open: "Open page",
  preview: "Preview",
  currentRules: "Current rules",
  previewNothing: "Start typing to see the preview.",
  previewErrors: "Fix the errors to see the preview.",

  brand: "Branding",
  brandNote: "Logo, colors, links and sponsors. Takes effect immediately on all nodes.",
  linkName: (number: number) => `Link ${number} name`,
  linkAddress: (number: number) => `Link ${number} URL`,
  removeLink: (number: number) => `Remove link ${number}`,
  addLink: "Add link",
  sponsorName: (number: number) => `Sponsor ${number} name`,
  sponsorAddress: (number: number) => `Sponsor ${number} URL`,
  sponsorTier: (number: number) => `Sponsor ${number} tier`,
  sponsorLogo: (number: number) => `Sponsor ${number} logo`,
  removeSponsor: (number: number) => `Remove sponsor ${number}`,
  addSponsor: "Add sponsor",
  pick: (name: string) => `Choose file: ${name}`,
  chosen: "New file, not saved yet",
  present: "File set",
  absent: "No file",
  remove: "Remove",
  removeFile: (name: string) => `Remove ${name}`,
  sending: "Uploading…",
  fonts: { inter: "Inter (body font)", mono: "JetBrains Mono" } as Words,
  ownFont: "Custom font",

  answers: "Saved replies",
  answersNote: "Available when you answer a question. Shared by all organizers.",
  answerTitle: (number: number) => `Reply ${number} title`,
  answerText: (number: number) => `Reply ${number} text`,
  removeAnswer: (number: number) => `Remove reply ${number}`,
  addAnswer: "Add reply",
  insertAnswer: "Insert a saved reply",
  answerLacks: "Each reply needs a title and text.",
  answerName: (number: number) => `Reply ${number}`,
  noAnswers: "No saved replies yet",
  noAnswersNote: "Save the answers that you write often, and insert them into the next ones.",
};

/** The shape of a language file. */
export type EventMessages = typeof eventEn;
