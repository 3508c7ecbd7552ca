/** English messages of the Event and account pages: layout, checks, commands and roles. */

/** Texts by name. Unknown names are shown unchanged. */
type Words = Readonly<Record<string, string>>;

export const manageEn = {
  outline: "On this page",
  chooseFile: "Choose file",
  replaceFile: "Replace file",
  unsaved: (count: number) => (count === 1 ? "1 unsaved change" : `${count} unsaved changes`),
  nothingToSave: "No unsaved changes",
  theyChanged: "Someone else saved while you edited. Your values are kept:",
  was: (label: string, before: string, now: string) => `${label}: ${before} → ${now}`,
  /** Groups of settings: title and explanation. */
  groups: {
    signup: ["New teams", "Who can sign up, and when."],
    places: ["Number of teams", "Places for teams, and the waiting list."],
    addresses: ["Email addresses", "Addresses that teams can sign up with or change to."],
    passwords: ["Passwords", "For new and changed passwords."],
    names: ["Names", "Names of teams and of their members."],
    questions: ["Questions", "Asked at signup. Only organizers see the answers."],
    flags: ["Flags", "How often incorrect flags may be submitted."],
    accounts: ["Accounts", "Signups and failed logins."],
    mails: ["Emails", "Protects addresses and your mail server."],
    networks: ["Networks", "Networks without limits, and proxies whose client addresses count."],
    kept: ["Retention", "Records about teams, and how long they are kept."],
  } as Readonly<Record<string, readonly [string, string]>>,
  signupFields: {
    label: (number: number) => `Question ${number}`,
    id: (number: number) => `ID of question ${number}, for exports`,
    type: (number: number) => `Answer to question ${number}`,
    types: { text: "One line of text", choice: "One of several", consent: "Consent (checkbox)" },
    choices: (number: number) => `Choices of question ${number}, separated by semicolons`,
    required: (number: number) => `Question ${number} is required`,
    remove: (number: number) => `Remove question ${number}`,
    add: "Add question",
  },
  codes: {
    title: "Signup codes",
    note: "Each code lets a set number of teams sign up, if registration uses codes.",
    object: "signup codes",
    make: "Create codes",
    none: "No codes yet",
    code: "Code",
    label: "Label",
    uses: "Teams",
    usesOf: (used: number, uses: number) => `${used} of ${uses}`,
    made: "Created",
    revoked: "Revoked",
    revoke: "Revoke",
    revokeOf: (code: string) => `Revoke ${code}`,
    copy: (count: number) => (count === 1 ? "Copy 1 valid code" : `Copy ${count} valid codes`),
  },
  divisions: {
    title: "Divisions",
    note: "Set in event.toml. A team is in at most one division of each group.",
    name: "Name",
    nameOf: ({ name, private: isPrivate }: { name: string; private: boolean }) =>
      isPrivate ? `${name} (private)` : name,
    id: "ID",
    group: "Group",
    join: "Teams join",
    joins: {
      open: "freely",
      code: "with a code",
      domain: "with an email address of",
      organizers: "only by organizers",
    },
    teams: "Teams",
    one: "Division",
    all: "All teams",
    loading: "Loading divisions…",
  },
  more: "More settings",
  moreNote: "Saved by the setup steps. They can be opened again at any time.",
  openStep: (step: string) => `Open: ${step}`,
  open: "Open",

  brand: {
    head: "Name and colors",
    headNote: "The line below the event's name, and the color of buttons and links.",
    pictures: "Pictures",
    picturesNote: "SVG, PNG, JPEG, WebP or GIF. Each has a default.",
    font: "Font",
    fontNote: "For headings only. Text stays in Inter.",
    links: "Links",
    linksNote: "Shown in the footer, with the microblog and the chat.",
    sponsors: "Sponsors",
    sponsorsNote: "Shown on the home page, grouped by tier.",
    preview: "Live preview",
    previewNote: "Players see it after you save.",
    light: "Light theme",
    dark: "Dark theme",
    example: "Press play to compete",
    contrast: (theme: string, ratio: string, verdict: string) =>
      `${theme}: contrast ${ratio}:1, ${verdict}`,
    good: "easy to see",
    enough: "enough",
    low: "too low; 3:1 is required",
  },

  times: {
    ahead: (time: string) => `in ${time}`,
    ago: (time: string) => `${time} ago`,
    now: "now",
    waves: "Scheduled",
    more: "More ways to extend",
    modes: { auto: "show the result", manual: "wait for the ceremony" } as Words,
    backup: "Backup",
  },

  results: {
    reveal: "Reveal",
    revealNote: {
      later: (time: string) =>
        `From ${time} on, players see a frozen ranking until the reveal. You can rehearse the ` +
        "ceremony now.",
      frozen:
        "The scoreboard is frozen. The ceremony shows the hidden solves place by place, and " +
        "publishes the final scoreboard at its end. Reveal scoreboard publishes it at once.",
      done: "The final scoreboard is public.",
    },
    ceremony: "Open ceremony",
    rehearse: "Rehearse ceremony",
    format: "Format",
    download: "Download",
    downloadOf: (what: string, format: string) => `Download ${what} as ${format}`,
    /** Content of each list. */
    contents: {
      standings: "Rank, team, country and points",
      solves: "Every solve with its time",
      teams: "All teams with their status; no email addresses",
      challenges: "Value, solves, attempts and status",
      overview: "Health figures and warnings of this node",
      flags: "Every submission with its result; no texts",
      evidence: "Signals of flag sharing, each with an innocent explanation",
      teamFlags: "Each team's flag for one challenge with per-team flags",
    } as Words,
    teamFlags: "Team flags",
    teamFlagsOf: "Challenge of the team flags",
    noTeamFlags: "This challenge has no per-team flags.",
    journal: "Public journal",
    journalNote:
      "Every solve in a signed chain, which anyone can verify. Publish it with the results.",
    journalLater: "Available after the end and the reveal.",
    winnersNote: "For prizes. Email addresses need a two-factor code.",
    archive: "Archive",
    archiveNote: "The whole event in one file, to keep or to restore elsewhere.",
  },

  files: {
    object: "Edited",
    times: "Times of the event",
    by: "By",
    when: "When",
    lines: (added: number, removed: number) => `+${added} −${removed}`,
    show: (name: string) => `Show the changes of ${name}`,
    sameNote: "The event folder and the site agree.",
    edited: (count: number) => (count === 1 ? "1 live edit" : `${count} live edits`),
    commands: "Commands",
    commandsNote: "Run them in a shell, where the event folder is.",
  },

  people: {
    name: "Name",
    roles: "Roles",
    factor: "Two-factor",
    factorOn: "set up",
    login: "Last login",
    noLogin: "not in the last 12 hours",
    pending: "invitation pending",
    sessions: "Sessions",
    tokens: "API tokens",
    actionsOf: (name: string) => `Actions for ${name}`,
    /** Explanation of each role, for the form that assigns roles. */
    roleNotes: {
      observer: "Sees the public view with counts. Changes nothing.",
      author: "Writes the chosen challenges and sees their submissions. No other challenge.",
      support:
        "Helps teams: answers, messages, email addresses, reset emails, names, challenge status. " +
        "No bans, points, reset codes or notices.",
      organizer: "Runs the event: challenges, teams, times, reveal and settings to read.",
      owner: "Everything, including organizers, settings, secrets, backups and personal data.",
    } as Words,
  },

  account: {
    permissions: (count: number) => `Your permissions (${count})`,
    /** Topics of permissions: the part of an action's name before the dot. */
    topics: {
      account: "Your account",
      organizer: "People",
      event: "Event",
      settings: "Settings",
      mail: "Email",
      brand: "Branding",
      page: "Pages",
      challenge: "Challenges",
      file: "Files",
      flag: "Flags",
      solve: "Solves",
      evidence: "Evidence",
      team: "Teams",
      notice: "Notices",
      question: "Questions",
      answers: "Saved replies",
      action: "Audit log",
      list: "Exports",
      privacy: "Personal data",
    } as Words,
    other: "Other",
  },

  commands: {
    checks: "Checks",
    checksNote:
      "The part of flagship doctor that needs no shell: journal, audit log, mail server, " +
      "address, disk and clock. Changes nothing and sends no email.",
    run: "Run checks",
    runAgain: "Run again",
    running: "Checking…",
    sound: "No problems found.",
    warnings: (count: number) => `No problems, ${count === 1 ? "1 warning" : `${count} warnings`}.`,
    problems: (count: number) => (count === 1 ? "1 problem found." : `${count} problems found.`),
    states: { ok: "ok", warning: "warning", problem: "problem" } as Words,
    /** Results by code. `detail` is a number, address or reason. */
    found: {
      journal_intact: (detail: string) => `Journal: ${detail} entries, hash chain intact`,
      journal_altered: (detail: string) => `Journal: modified by another program (${detail})`,
      audit_log_intact: (detail: string) => `Audit log: ${detail} actions, not modified`,
      audit_log_altered: (detail: string) => `Audit log: modified (${detail})`,
      mail_ready: (detail: string) => `Email: ${detail} responds`,
      mail_to_files: () => "Email: written to files on the server, not sent",
      mail_never_sent: () =>
        "Email: written to files, so teams never receive their confirmation link. Set up SMTP",
      mail_unreachable: (detail: string) => `Email: ${detail}`,
      site_https: (detail: string) => `Address: ${detail} is protected by TLS`,
      site_local: (detail: string) => `Address: ${detail} works on this machine only`,
      site_plain: (detail: string) => `Address: ${detail} does not use TLS. Use https`,
      proxies_trusted: (detail: string) => `Proxies: ${detail} trusted`,
      proxies_missing: () =>
        "Proxies: none is trusted, so all players share one network's limits. List the proxy " +
        "under Rate limits",
      certificate_valid: (detail: string) =>
        detail === "" ? "TLS certificate: none yet" : `TLS certificate: valid until ${detail}`,
      certificate_fails: (detail: string) =>
        detail === ""
          ? "TLS certificate: could not be obtained. The server's log has the reason"
          : `TLS certificate: could not be renewed, valid until ${detail}. The server's log has ` +
            "the reason",
      disk_free: (detail: string) => `Disk: ${detail} MiB free`,
      disk_low: (detail: string) => `Disk: only ${detail} MiB free. Free some space`,
      disk_unknown: () => "Disk: free space unknown",
      clock_steady: () => "Clock: steady",
      clock_jumped: (detail: string) => `Clock: the system clock jumped by ${detail} s`,
      backup_made: (detail: string) => `Backup: last one ${detail}`,
      backup_missing: () => "Backup: none yet",
    } as Readonly<Record<string, (detail: string) => string>>,
    shell: "Only on the server",
    shellNote: "These need files of the machine, or a stopped server. Run them in a shell there.",
    console: "Also in the console",
    consoleNote: "Each page, and the commands that do the same.",
    groups: {
      folder: { title: "Event folder", note: "The files are on your machine." },
      server: { title: "Server", note: "They start the server, or need its machine." },
      scripts: { title: "Scripts and shells", note: "For programs, and for your shell." },
    },
    copyOf: (command: string) => `Copy ${command}`,
    copied: (command: string) => `Copied: ${command}`,
    /** Purpose of each command that only exists in a shell. */
    purposes: {
      serve: "Starts the server. This page exists only while it runs.",
      init: "Creates an event folder from a template.",
      check: "Checks the event files, each problem with its line.",
      apply: "Applies the event files, after showing the changes.",
      pull: "Writes live edits back to the event files, keeping comments and order.",
      restore: "Restores a backup. The data folder must be empty, so no server runs on it yet.",
      rehearse:
        "Load-tests a temporary copy with simulated players. It needs the machine to itself.",
      doctor:
        "Also checks file modes, the secret and uploads through the proxy. The rest is under " +
        "Checks.",
      health: "Checks that the server responds, for health checks of containers.",
      action:
        "Runs any action by its name, for scripts. Here, each action is a button of its page.",
      completions: "Prints completions for your shell, where the command line is.",
      openapi: "Prints the description of the API, for programmers.",
      "attachments move":
        "Moves attachments to a folder, the database or a bucket. Stop the servers first.",
      "pass verify": "Shows which team and challenge a team pass belongs to.",
      "pass secret":
        "Prints the key with which a challenge's service computes the teams' flags. Keep it on " +
        "that service.",
      "journal head":
        "Prints the journal's head, to verify a later copy against it. Keep it off this machine.",
    } as Words,
  },
};

/** The shape of a language file. */
export type ManageMessages = typeof manageEn;
