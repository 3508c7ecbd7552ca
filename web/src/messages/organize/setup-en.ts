/** English texts of the steps that set an event up. */

/** The known words by name; a name that is missing is shown as it is. */
type Words = Readonly<Record<string, string>>;

export const setupEn = {
  title: "Set the event up",
  progress: "Steps",
  count: (done: number, all: number) => `${done} of ${all} steps are done. Each can wait.`,
  done: "done",
  save: "Save and continue",
  skip: "Skip",
  fixed: "event.toml sets this; change it there.",
  secrets: {
    set: "It is set. Left empty, it stays.",
    environment: "The environment of the server has it.",
    unset: "It is kept sealed and never shown again.",
  } as Words,

  name: {
    title: "Name and times",
    note: "What players see first. All of it can be changed later.",
    event: "Name of the event",
    start: "Start",
    end: "End",
    freeze: "Freeze (optional)",
    freezeHint: "From here on the scoreboard hides the solves of others until the end.",
    timezone: "Time zone",
    timezoneHint: "The zone in which players read times, such as Europe/Rome",
    flagFormat: "What a flag looks like",
  },

  rules: {
    title: "Rules",
    note: "The page that players read before they begin.",
    fromFiles: "The rules come from rules.md. A text here replaces them.",
    text: "Rules",
    hint: "Markdown. {start}, {end}, {freeze}, {length} and {flag_format} are filled in.",
    template:
      "# Rules\n\nThe event begins at {start} and lasts {length}.\n\nA flag looks like " +
      "`{flag_format}`.\n\n- Do not share flags or solutions before the end.\n- Do not attack " +
      "the platform or other teams.\n- Ask the organizers if something is unclear.\n",
  },

  mail: {
    title: "Mail",
    note: "Teams confirm their address by a link, and get a new password by one.",
    transport: "How mail is sent",
    file: "Written to files on the server, for a trial",
    smtp: "By a mail server (SMTP)",
    from: "Sender",
    fromHint: "An address, or a name with one: Our CTF <ctf@example.org>",
    host: "Mail server",
    tls: "Encryption",
    starttls: "STARTTLS",
    tlsAlways: "TLS from the first byte",
    noTls: "none",
    port: "Port",
    portHint: "Empty: the usual one",
    username: "User name (optional)",
    password: "Password",
    test: "Try it",
    testTo: "Send a test mail to",
    testSend: "Send the test mail",
    testing: "Sending …",
    sent: "The test mail is sent.",
    written: "The test mail is a file in data/mail now. No mail leaves this machine.",
    notSent: "The test mail was not sent. The reason:",
  },

  captcha: {
    title: "Captcha",
    note: "It keeps scripts from signing up and guessing passwords.",
    provider: "Captcha",
    altcha: "Built in: the browser solves a small puzzle",
    off: "None",
    offNote: "Without one anyone can sign up by script.",
    siteKey: "Site key",
    secret: "Secret",
  },

  challenge: {
    title: "First challenge",
    note: "Players see it from the start on. More are made in files or on the page Challenges.",
    name: "Name of the challenge",
    category: "Category",
    text: "Text",
    textHint: "Markdown",
    flag: "Flag",
    points: "Points",
    button: "Make and release it",
  },

  start: {
    title: "Start",
    unnamed: "The event has no name and no times yet.",
    note: (at: string) => `The event starts by itself on ${at}.`,
    now: "Start the event now",
    wait: "Wait for its time: to the organizers' pages",
    started: (name: string) => `${name} runs.`,
    players: "What players see",
    pages: "The organizers' pages",
  },
};

/** The shape of a language file. */
export type SetupMessages = typeof setupEn;
