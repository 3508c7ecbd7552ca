/** English messages of the setup steps. */

/** Texts by name. Unknown names are shown unchanged. */
type Words = Readonly<Record<string, string>>;

export const setupEn = {
  title: "Set up your event",
  progress: "Steps",
  count: (done: number, all: number) => `${done} of ${all} steps done. You can skip any step.`,
  done: "done",
  save: "Save and continue",
  skip: "Skip",
  fixed: "Set in event.toml. Change it there.",
  secrets: {
    set: "Already set. Leave empty to keep it.",
    environment: "Set by an environment variable on the server.",
    unset: "Stored encrypted and never shown again.",
  } as Words,

  preview: {
    title: "Preview",
    show: "Show preview",
    hide: "Hide preview",
    note: "The home page, as players see it before the start",
    of: (name: string, dates: string) => `Home page of ${name}. ${dates}`,
    unnamed: "Event name",
  },

  name: {
    title: "Name and times",
    note: "Shown to players first. You can change all of this later.",
    event: "Event name",
    start: "Start",
    end: "End",
    freeze: "Freeze",
    freezeAsk: "Freeze the scoreboard before the end?",
    freezeModes: { no: "No", hour: "One hour before the end", time: "At another time" },
    freezeNotes: {
      no: "Teams see every solve until the end.",
      hour: "In the last hour, the scoreboard hides other teams' new solves.",
      time: "From that time until the end, the scoreboard hides other teams' new solves.",
    } as Words,
    revealAsk: "Show the final ranking at a ceremony?",
    revealModes: { auto: "No, at the end of the event", manual: "Yes, an organizer reveals it" },
    timezone: "Event time zone",
    timezoneHint: "The time zone shown to players, such as Europe/Rome",
    flagFormat: "Flag format",
    look: "Look of the home page (optional)",
    banner: "Tagline",
    accent: "Accent color",
    accentHint: "Such as #0077cc. Logo, pictures and sponsors are under Event › Branding.",
    accentFault: "A color has # and six digits or letters from a to f, such as #0077cc.",
  },

  rules: {
    title: "Rules",
    note: "Shown on the rules page.",
    fromFiles: "The rules come from rules.md. Text entered here replaces them.",
    text: "Rules",
    hint: "Markdown. {start}, {end}, {freeze}, {length} and {flag_format} are filled in.",
    template:
      "# Rules\n\nThe event begins at {start} and lasts {length}.\n\nA flag looks like " +
      "`{flag_format}`.\n\n- Do not share flags or solutions before the end.\n- Do not attack " +
      "the platform or other teams.\n- Ask the organizers if something is unclear.\n",
  },

  mail: {
    title: "Email",
    note: "Used for confirmation and password reset links.",
    transport: "Delivery",
    file: "Write to files on the server (for testing)",
    smtp: "SMTP server",
    from: "Sender",
    fromHint: "An address, optionally with a name: Our CTF <ctf@example.org>",
    host: "SMTP host",
    tls: "Encryption",
    starttls: "STARTTLS",
    tlsAlways: "TLS (implicit)",
    noTls: "None",
    port: "Port",
    portHint: "Leave empty for the default",
    username: "Username (optional)",
    password: "Password",
    test: "Test",
    testTo: "Send a test email to",
    testSend: "Send test email",
    testing: "Sending…",
    sent: "Test email sent.",
    written: "The test email was written to data/mail. No email leaves this machine.",
    notSent: "The test email was not sent:",
  },

  players: {
    title: "Players",
    note: "How teams get in, and how bots are kept out.",
    signupAsk: "Who may sign up?",
    signupModes: { open: "Any team", closed: "Nobody: organizers add the teams" },
    signupNotes: {
      open: "Teams sign up on the site, until you close the signup.",
      closed: "The signup page is closed. Import teams on the Teams page.",
    } as Words,
    opens: "From (optional)",
    closes: "Until (optional)",
    maxTeams: "At most this many teams (optional)",
    waitingList: "Waiting list",
    waitingListNote: "While the event is full, teams can sign up and wait for a place.",
    domains: "Only with email addresses of these domains (optional)",
    domainsNote: "Such as students.example.org. Separate several with spaces.",
    confirm: "Teams confirm their email address",
    confirmNote: "A team plays after it opens a link in its email. This needs a mail server.",
    studentLabel: "Text of the checkbox for students",
    studentNote: "Teams may tick it at the signup, for a student ranking. Empty: the text shown.",
    codesNote:
      "Create the codes on the Event page, under Registration, before you announce the signup.",
    networkAsk: "Are most teams in one network, such as a campus or the venue?",
    networkModes: { no: "No", yes: "Yes, they share one address" },
    networkNotes: {
      no: "At most 20 signups an hour from one network.",
      yes: "Signups per network are not limited.",
    } as Words,
    captcha: "Captcha",
    captchaNote: "Keeps bots from signing up and guessing passwords.",
    altcha: "Built in (ALTCHA proof of work)",
    off: "None",
    offNote: "Without a captcha, bots can sign up.",
    siteKey: "Site key",
    secret: "Secret",
  },

  challenge: {
    title: "First challenge",
    note: "Visible to players from the start. Add more in files or on the Challenges page.",
    name: "Challenge name",
    category: "Category",
    text: "Description",
    textHint: "Markdown",
    flag: "Flag",
    points: "Points",
    button: "Create and release",
  },

  start: {
    title: "Start",
    unnamed: "Set the event name and times first.",
    note: (at: string) => `The event starts automatically on ${at}.`,
    now: "Start event now",
    wait: "Wait for the start time",
    started: (name: string) => `${name} is running.`,
    ended: (name: string) => `${name} has ended.`,
    players: "Player site",
    pages: "Organizer pages",
  },
};

/** The shape of a language file. */
export type SetupMessages = typeof setupEn;
