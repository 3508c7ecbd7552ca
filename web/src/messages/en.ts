/**
 * The texts of the interface in English. Every other language has exactly these keys; texts with
 * numbers or names are functions. Sentences of the server pass through `translate`.
 */

/** An English sentence of the server or of the client. */
export interface Sentence {
  readonly message: string;
  /** The error code, if it is an error of the server. */
  readonly code?: string | undefined;
}

/** Groups thousands without `Intl`, whose first use costs as much as rendering a page. */
function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

function count(number: number, one: string, many: string): string {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}

const ORDINALS: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd" };

/** 1st, 2nd, 3rd, 4th. */
function ordinal(number: number): string {
  const rule = new Intl.PluralRules("en", { type: "ordinal" }).select(number);
  return `${grouped(number)}${ORDINALS[rule] ?? "th"}`;
}

export const en = {
  /** For `Intl`: dates, times, names of countries, order of names. */
  locale: "en-GB",
  /** Looks up the code, then the message; an unknown sentence stays in English. */
  translate: ({ message }: Sentence): string => message,

  navigation: {
    main: "Main",
    scoreboard: "Scoreboard",
    challenges: "Challenges",
    rules: "Rules",
    login: "Login",
    signup: "Signup",
    logout: "Logout",
    skip: "Skip to content",
    organizers: "Organizers",
    organizersIn: "The organizers' pages are in English and Italian only.",
  },
  brand: { sponsors: "Sponsors", more: "More about the event" },
  settings: {
    language: "Language",
    theme: "Theme",
    themes: { auto: "As the device", dark: "Dark", light: "Light" },
    zone: "Times",
    zones: { mine: "My time zone", event: (zone: string) => `The event's: ${zone}` },
    keys: "Keyboard shortcuts",
  },
  keys: {
    sheet: "This list",
    home: "Home page",
    onScoreboard: (what: string) => `${what}, on the scoreboard`,
    letters: "Shortcuts of one key",
    lettersHint: "Switch them off if they get in the way of speech input or of typing.",
  },
  notification: { dismiss: "Dismiss" },
  waitingFlag: {
    waits: (challenge: string) =>
      `You are offline. Your flag for ${challenge} is sent when the connection is back.`,
    cancel: "Cancel",
  },
  statusBanner: {
    unknown: null,
    not_started: "CTF not started",
    running: null,
    frozen: "Scoreboard frozen",
    ended: "CTF ended",
  },
  freezeNote: {
    untilTime: (time: string) => `until ${time}`,
    untilReveal: "until the organizers show it",
    team: (until: string) =>
      `What other teams solve is hidden ${until}. Your own solves still count, and you see them.`,
    visitor: (until: string) => `What teams solve now is hidden ${until}. It still counts.`,
    ended: "The scoreboard is still frozen. The organizers will show the whole ranking.",
    ownRank: "Your rank counts your own solves since the freeze, without others' hidden solves.",
  },
  clock: {
    left: (time: string) => `${time} left`,
    untilStart: (time: string) => `Starts in ${time}`,
    untilFreeze: (time: string) => `freeze in ${time}`,
    days: (number: number) => `${number} d`,
  },
  live: {
    online: "Live",
    connecting: "Connecting",
    offline: (time: string) => `Offline: the board of ${time}, trying again`,
    paused: "Live updates are paused; the board is refreshed every half minute",
  },
  loading: {
    graph: "Loading the graph",
    team: "Loading the team",
    page: "Loading the page",
    challenges: "Loading the challenges",
    scoreboard: "Loading the scoreboard",
    rules: "Loading the rules",
  },
  problem: {
    nothingHere: "Nothing here",
    leadsNowhere: "This address leads nowhere.",
    toHome: "To the home page",
    pageBroke: "This page broke",
    connectionDown: "The connection may be down.",
    offline:
      "You are offline, and this page has not been loaded yet. " +
      "It opens when the connection is back.",
    stillDown: "Still no connection.",
    back: "Back",
    ourFault: "That is our fault, not yours.",
    retry: "Retry",
  },

  home: {
    titleDefault: "Capture the flag",
    notSetUp: "The event is not set up yet. Please come back later.",
    untilStart: "Time until the start",
    units: { days: "days", hours: "hours", minutes: "minutes", seconds: "seconds" },
    timeLeft: ({ days, hours, minutes }: { days: number; hours: number; minutes: number }) =>
      `There are ${days} days, ${hours} hours and ${minutes} minutes left.`,
    play: "Press play to compete.",
    ended: "The CTF has ended.",
    frozenScoreboard: "See the scoreboard",
    finalScoreboard: "See the final scoreboard",
    signUp: "Sign up your team",
    calendar: "Add it to your calendar",
    standing: "Your team",
    rank: (rank: number, teams: number) => `${ordinal(rank)} of ${count(teams, "team", "teams")}`,
    continue: "Continue",
    firstTime: "Never played?",
    steps: (flag: string | null) => [
      "Open a challenge: it has a task, perhaps with files or an address.",
      flag === null
        ? "Somewhere in it is a flag, a secret text. Find it."
        : `Somewhere in it is a flag, a text such as ${flag}. Find it.`,
      "Type the flag into the challenge. If it is right, your team has the points.",
    ],
    social: "Social",
    microblog: "Microblog",
    chat: "Chat",
  },

  rules: {
    title: "Rules",
    keepsWrongTexts: "Organizers can read the texts of wrong flags until the end of the event.",
  },

  board: {
    title: "Scoreboard",
    snapshot: "Scoreboard snapshot",
    standing: (rank: number, teams: number, points: number) =>
      `Scoreboard: ${ordinal(rank)} of ${grouped(teams)}, ${count(points, "point", "points")}`,
    teams: (number: number) => count(number, "team", "teams"),
    noTeam: "No team yet.",
    country: "Country",
    team: "Team",
    score: "Score",
    yourTeam: "(your team)",
    withoutHidden: "without others' hidden solves",
    frozenStanding: (points: number) =>
      `Scoreboard: ${count(points, "point", "points")}, without others' hidden solves`,
    yourTeamLater: "(your team, without others' hidden solves)",
    speedrunColumn: (name: string) => `${name}, speedrun`,
    valueColumn: (name: string, points: number) => `${name}, ${points} points`,
    firstBlood: "first blood",
    solved: "solved",
    solvedInPlace: ["solved first", "solved second", "solved third"],
    pages: "Pages of the scoreboard",
    page: (page: number) => `Page ${page}`,
    pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
    previous: "Previous",
    next: "Next",
  },

  challenges: {
    copyLink: "Copy the link",
    linkCopied: "The link is copied.",
    title: "Challenges",
    list: "Challenge list",
    hideCategories: "Hide Categories",
    everyHidden: "Every category is hidden.",
    atTheStart: "The challenges appear here at the start.",
    none: "No challenge yet.",
    points: (number: number) => `${number} points`,
    solves: (number: number) => count(number, "solve", "solves"),
    locked: "Locked",
    solved: "Solved",
    solvedAt: (time: string) => `Your team solved it at ${time}.`,
    solvedNow: (name: string) => `${name} is solved.`,
    solveFirst: (names: string) => `Solve first: ${names}`,
    attachments: "Attachments",
    copyDigest: (file: string) => `Copy the SHA-256 of ${file}`,
    connection: "Connection",
    copyConnection: "Copy the connection",
    flagOf: (name: string) => `Flag of ${name}`,
    flag: "flag",
    eventOver: "The CTF has ended: flags are not accepted any more.",
    submit: "Submit",
    wait: (seconds: number) => `Wait ${seconds} s`,
    wrongFlag: "Wrong flag.",
    flagsLookLike: (format: string) => `Wrong flag. Flags look like ${format}`,
    wrapperMissing: (format: string) =>
      `Wrong flag: the wrapper is missing. Flags look like ${format}`,
    notJudged: {
      ended:
        "The CTF has ended: this flag was not judged. Nothing is lost: what your team has solved " +
        "before counts. See the scoreboard.",
      notStarted:
        "The CTF has not started yet: this flag was not judged. Nothing is lost: it stays here. " +
        "Send it again after the start.",
      paused:
        "The CTF is paused: this flag was not judged. Nothing is lost: it stays here. " +
        "Send it again when the CTF goes on.",
      locked:
        "This challenge is locked now: this flag was not judged. Nothing is lost: it stays here. " +
        "Solve the required challenges, then send it again.",
      closed:
        "This challenge takes no flags any more: this one was not judged. Nothing is lost: " +
        "your points stay. Try another challenge.",
      gone:
        "This challenge is hidden now: this flag was not judged. Nothing is lost: it stays here. " +
        "Try another challenge, or ask the organizers.",
      tooFast:
        "Too many wrong flags: this one was not judged. Nothing is lost: it stays here. " +
        "Send it again when the button is ready.",
      busy:
        "The server is busy: this flag was not judged. Nothing is lost: it stays here. " +
        "Send it again in a moment.",
      noAnswer:
        "No answer came: the connection may be down. Nothing is lost: the flag stays here. " +
        "Check the connection and send it again; a right flag counts once.",
      other: (sentence: string) =>
        `${sentence} This flag was not judged. Nothing is lost: it stays here.`,
    },
  },

  find: {
    search: "Find a challenge",
    more: "Filter and order",
    show: "Show",
    shown: { all: "All", unsolved: "Unsolved", solved: "Solved" },
    order: "Order",
    orders: { place: "By category", points: "Fewest points first", solves: "Most solved first" },
    everyCategory: "All challenges",
    noCategory: "Other",
    progress: (solved: number, all: number) => `${solved} of ${all} solved`,
    none: "No challenge fits these filters.",
  },

  moment: {
    gained: ({ points, rank, up }: { points: number; rank: number; up: number }) =>
      `+${grouped(points)}, now ${ordinal(rank)}${up > 0 ? ` (up ${up})` : ""}`,
    gainedFrozen: (points: number) => `+${grouped(points)}, without others' hidden solves`,
    unlocked: "Unlocked:",
    next: "Next challenge",
    nothingLeft: "There is no other challenge to solve now.",
  },

  account: {
    countries: "All countries",
    noCountry: "No country has this in its name.",
    team: "Team",
    teamName: "Team name",
    email: "E-mail",
    country: "Country",
    password: "Password",
    captcha: "Captcha",
    login: "Login",
    signup: "Signup",
    noTeamYet: "No team yet? Sign up",
    forgotPassword: "Forgot the password?",
    confirmationAgain: "Send the confirmation mail again",
    haveTeam: "Already signed up? Log in",
    eventOver: "The CTF has ended. A new team can no longer compete and is not on the scoreboard.",
    registrationClosed: "Registration is closed.",
    nameHint: (min: number, max: number) => `${min} to ${max} characters`,
    nameFault: (min: number, max: number) => `The team name has ${min} to ${max} characters.`,
    passwordHint: (min: number) => `At least ${min} characters`,
    passwordShort: (min: number) => `The password has at least ${min} characters.`,
    passwordLong: (max: number) => `The password has at most ${max} characters.`,
    backToLogin: "Back to login",
    confirmTitle: "Confirm your e-mail",
    confirmNote: "One click and your team is in.",
    confirmButton: "Confirm the e-mail",
    resendTitle: "Confirmation mail",
    resendButton: "Send it again",
    forgotTitle: "Forgot the password",
    forgotButton: "Send a reset link",
    resetTitle: "New password",
    resetButton: "Set the password",
    haveCode: "The organizers told me a code",
    code: "Code from the organizers",
    checkMailTitle: "Check your mail",
    checkMail: (email: string) =>
      `A link is on its way to ${email}. Open it and confirm, and your team plays.`,
    checkMailNote: "It works for 24 hours. If it does not come, look into the spam folder.",
    otherAddress: "Use another address",
    otherAddressButton: "Send the link there",
    createdTitle: "Your team is there",
    lastStep: "One step is left: type your team's password.",
    stopTitle: "Keep your address",
    stopNote:
      "Your team's address is being changed. If that was not you, stop it: this stays its " +
      "address, and everyone is logged out.",
    stopButton: "Stop the change",
    stopMissing: "Open the link that is in the mail about your address.",
  },

  own: {
    title: "Your team",
    loading: "Loading your team's account",
    publicPage: "See your team as everyone sees it",
    progress: "Progress",
    emailWaits: (email: string) =>
      `A link was sent to ${email}. Mails go to the address above until it is opened.`,
    newEmail: "New e-mail",
    emailNote:
      "A link is sent to the new address. This one is told, and can take the change back " +
      "for a day.",
    changeEmail: "Send a link to the new e-mail",
    presentPassword: "Present password",
    passwordNote:
      "Everyone else who is logged in as your team is logged out, and links from mails end.",
    changePassword: "Change the password",
    saveCountry: "Save the country",
    countryNote: "Everyone sees it. It can be changed three times a day.",
    members: "People of the team",
    membersNote: "For prizes, if you like. Only the organizers see the names.",
    member: (number: number) => `Name ${number}`,
    saveMembers: "Save the names",
    sessions: "Where you are logged in",
    thisSession: "this one",
    unknownBrowser: "Unknown browser",
    begun: (time: string) => `since ${time}`,
    seen: (time: string) => `last seen ${time}`,
    end: "End",
    endOf: (browser: string, time: string) => `End the login with ${browser} of ${time}`,
    addressTitle: "Your team's new e-mail",
    addressNote: "One click, and your team's mails come to this address.",
    addressButton: "Use this address",
  },

  team: {
    rank: "Rank",
    ofTeams: (number: number) => `of ${count(number, "team", "teams")}`,
    points: "Points",
    solves: "Solves",
    award: "Award",
    overTime: "Score over time",
    graphLabel: "Score over time; the table of solves below has the same numbers",
    noSolve: "No solve yet.",
    solvesTable: "Solves of the team",
    challenge: "Challenge",
    category: "Category",
    position: "Position",
    pointsNow: "Points now",
    scoreThen: "Score then",
    time: "Time",
    missing: "No such team",
    missingNote: "No team of this name is on the scoreboard.",
    toScoreboard: "To the scoreboard",
  },

  graph: {
    toggle: "Score graph",
    title: "The top ten over time",
    label: "Scores of the top ten over time; the table below has the same numbers",
    table: "Scores of the top ten, moment by moment",
    line: "Line",
    now: "Now",
    moment: "Moment",
  },

  solvers: {
    of: (name: string) => `Solvers of ${name}`,
    ofValue: (name: string, points: number) => `${points} points, solvers of ${name}`,
    ofSpeedrun: (name: string) => `– speedrun, solvers of ${name}`,
    title: (number: number) => `Solvers (${number})`,
    none: "Nobody has solved it yet.",
    showAll: (number: number) => `Show all ${number}`,
  },

  search: {
    label: "Find a team",
    found: (number: number) => `${count(number, "team", "teams")} found`,
    none: "No team has this in its name.",
  },

  stage: {
    open: "Projector view",
    top: "The ten first",
    others: "The others",
    untilStart: "Starts in",
    timeLeft: "Time left",
    pause: "Pause",
    fullScreen: "Full screen",
    leave: "Leave",
  },

  firstBlood: {
    title: "First blood",
    solvedFirst: (challenge: string) => `First to solve ${challenge}`,
  },

  news: {
    title: "News",
    notices: "Notices",
    none: "No notice yet. What the organizers tell everyone appears here.",
    loading: "Loading the notices",
    unread: (number: number) => `(${number} unread)`,
    fresh: "New",
    urgent: "Urgent",
    corrected: (time: string) => `corrected at ${time}`,
    withdrawn: (posted: string, time: string) => `A notice of ${posted}, withdrawn at ${time}.`,
    all: "All news",
    more: (number: number) => `${number} more`,
  },

  questions: {
    title: "Questions to the organizers",
    own: "Your team's questions",
    loading: "Loading your questions",
    about: (challenge: string) => `Your team's questions about ${challenge}`,
    onCard: (asked: number, answered: number) =>
      asked === 0 ? "Ask the organizers" : `Questions: ${asked}, answered: ${answered}`,
    ask: "Ask about something else than a challenge",
    askAbout: (challenge: string) => `Ask about ${challenge}`,
    note: "Your team and the organizers alone see it. Do not write your flag.",
    full: "Three of your questions wait for an answer. You can ask again when one has it.",
    send: "Send the question",
    sent: "The organizers have your question. The answer appears here.",
    received: (time: string) => `Received at ${time}, not answered yet`,
    answered: (asked: string, time: string) => `Asked at ${asked}, answered at ${time}`,
    closed: (asked: string, time: string) => `Asked at ${asked}, closed at ${time}`,
    told: (time: string) => `From the organizers, at ${time}`,
    logIn: "Log in to ask the organizers something",
  },

  challengeStatus: {
    looked_at: "Looked at",
    broken: "Broken",
    fixed: "Fixed",
    notes: {
      looked_at: "The organizers are looking at this challenge.",
      broken: "This challenge is broken. The organizers know.",
      fixed: "This challenge was broken, and works again.",
    },
  },

  hints: {
    list: "Hints",
    title: (number: number) => `Hint ${number}`,
    at: (number: number, time: string) => `Hint ${number} at ${time}`,
  },

  paused: {
    short: "CTF paused",
    banner: "The CTF is paused: no flag counts until it goes on.",
    beforeFlag: "The CTF is paused: no flag counts now. Send it when the CTF goes on.",
  },

  dialog: { close: "Close" },
  html: { table: "Table", copyCode: "Copy the code" },
  copy: { copy: "Copy", copied: "Copied", failed: "Not copied: select it by hand" },
};

/** The shape of a language file. */
export type Messages = typeof en;
