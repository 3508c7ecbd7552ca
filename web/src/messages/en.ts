/**
 * English messages. Every other language has exactly these keys; texts with numbers or names are
 * functions. Sentences from the server pass through `translate`.
 */

/** An English sentence from the server or the client. */
export interface Sentence {
  readonly message: string;
  /** Error code, for an error from the server. */
  readonly code?: string | undefined;
}

/** Groups thousands without `Intl`, whose first use takes as long as rendering a page. */
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
  /** Locale for `Intl`: dates, times, country names, collation. */
  locale: "en-GB",
  /** Translates a sentence by its code, then its text; unknown sentences stay in English. */
  translate: ({ message }: Sentence): string => message,

  navigation: {
    main: "Main",
    scoreboard: "Scoreboard",
    challenges: "Challenges",
    rules: "Rules",
    login: "Login",
    signup: "Signup",
    logout: "Logout",
    more: "More",
    skip: "Skip to content",
    organizers: "Organizers",
    organizersIn: "The organizer pages are only available in English and Italian.",
  },
  brand: { sponsors: "Sponsors", more: "More about the event" },
  settings: {
    title: "Preferences",
    language: "Language",
    theme: "Theme",
    themes: { auto: "System", dark: "Dark", light: "Light" },
    zone: "Time zone",
    zones: { mine: "Local", event: (zone: string) => `Event (${zone})` },
    keys: "Keyboard shortcuts",
  },
  keys: {
    sheet: "Show shortcuts",
    home: "Home",
    go: "Go to",
    here: "On a page",
    search: "Search the page",
    move: "Next or previous challenge",
    file: "First file of the open challenge",
    open: "Open",
    close: "Close",
    letters: "Single-key shortcuts",
    lettersHint: "Turn these off if they interfere with speech input or typing.",
  },
  notification: { dismiss: "Dismiss" },
  waitingFlag: {
    waits: (challenge: string) =>
      `You're offline. Your flag for ${challenge} will be submitted when you reconnect.`,
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
    untilReveal: "until the organizers reveal it",
    team: (until: string) =>
      `Other teams' solves are hidden ${until}. ` +
      "Your own solves still count and stay visible to you.",
    visitor: (until: string) => `New solves are hidden ${until}. They still count.`,
    ended: "The scoreboard is still frozen. The organizers will reveal the full results.",
    ownRank: "Your rank and points include your sealed solves, but not others' hidden solves.",
  },
  clock: {
    left: (time: string) => `${time} left`,
    untilStart: (time: string) => `Starts in ${time}`,
    untilFreeze: (time: string) => `Freezes in ${time}`,
    days: (number: number) => `${number} d`,
  },
  live: {
    online: "Live",
    connecting: "Connecting…",
    offline: (time: string) => `Offline. Scoreboard as of ${time}; reconnecting…`,
    paused: "Live updates are paused. The scoreboard refreshes every 30 seconds.",
  },
  loading: {
    graph: "Loading graph…",
    team: "Loading team…",
    page: "Loading page…",
    challenges: "Loading challenges…",
    scoreboard: "Loading scoreboard…",
    rules: "Loading rules…",
  },
  problem: {
    nothingHere: "Page not found",
    leadsNowhere: "There is no page at this address.",
    toHome: "Go to the home page",
    pageBroke: "Something went wrong",
    connectionDown: "Check your internet connection.",
    offline:
      "You're offline and this page hasn't been loaded yet. It will open when you reconnect.",
    stillDown: "Still offline.",
    back: "Back",
    ourFault: "This is a problem on our side.",
    slow: "This is taking longer than usual.",
    retry: "Retry",
  },

  divisions: {
    title: "Divisions",
    all: "All teams",
    firsts: "First solves",
    challenge: "Challenge",
    event: "Whole event",
    unknown: "There is no such division.",
    code: (name: string) => `Code for ${name}`,
    note: "You can change this until the start.",
    save: "Save divisions",
  },
  home: {
    titleDefault: "Capture the flag",
    notSetUp: "This event has not been set up yet. Check back later.",
    untilStart: "Time until start",
    units: { days: "days", hours: "hours", minutes: "minutes", seconds: "seconds" },
    timeLeft: ({ days, hours, minutes }: { days: number; hours: number; minutes: number }) =>
      `There are ${days} days, ${hours} hours and ${minutes} minutes left.`,
    play: "Press play to compete.",
    ended: "The CTF has ended.",
    frozenScoreboard: "View the scoreboard",
    finalScoreboard: "View the final scoreboard",
    signUp: "Sign up your team",
    calendar: "Add to calendar",
    standing: "Your team",
    rank: (rank: number, teams: number) => `${ordinal(rank)} of ${count(teams, "team", "teams")}`,
    continue: "Continue",
    firstTime: "New to CTFs?",
    steps: (flag: string | null) => [
      "Open a challenge. It describes a task and may come with files or a server address.",
      flag === null
        ? "Find the flag: a secret string hidden in the challenge."
        : `Find the flag: a secret string that looks like ${flag}.`,
      "Submit the flag. If it is correct, your team scores the points.",
    ],
    stepTitles: ["Sign up", "Find flags", "Climb"],
    shareAccount: "Your whole team shares one account and its password.",
    riddle: {
      title: "Try it now",
      prompt: "Someone moved each letter by 13:",
      flag: "Flag of the riddle",
      solved: "That was your first.",
      signUp: "Sign up",
    },
    figures: "The event in numbers",
    challengeCount: (number: number) => count(number, "challenge", "challenges"),
    solveCount: (number: number) => count(number, "solve", "solves"),
    firstBloodCount: (number: number) => count(number, "first blood", "first bloods"),
    entrants: (teams: number, countries: number) =>
      `${count(teams, "team", "teams")} from ${count(countries, "country", "countries")} ` +
      `${teams === 1 ? "is" : "are"} in`,
    latest: "Latest solves",
    podium: "Podium",
    categories: "Categories",
    result: (rank: number, teams: number, solves: number) =>
      `${ordinal(rank)} of ${grouped(teams)}, ${count(solves, "solve", "solves")}`,
    social: "Social",
    microblog: "Microblog",
    chat: "Chat",
  },

  rules: {
    title: "Rules",
    keepsWrongTexts: "Organizers can read incorrect flags until the end of the event.",
  },

  board: {
    title: "Scoreboard",
    snapshot: "Scoreboard snapshot",
    standing: (rank: number, teams: number, points: number) =>
      `Scoreboard: ${ordinal(rank)} of ${grouped(teams)}, ${count(points, "point", "points")}`,
    teams: (number: number) => count(number, "team", "teams"),
    noTeam: "No teams yet.",
    country: "Country",
    team: "Team",
    score: "Score",
    yourTeam: "(your team)",
    withSealed: "with your sealed solves",
    frozenStanding: (points: number) =>
      `Scoreboard: ${count(points, "point", "points")}, with your sealed solves`,
    yourTeamLater: "(your team, with your sealed solves)",
    speedrunColumn: (name: string) => `${name}, speedrun`,
    valueColumn: (name: string, points: number) => `${name}, ${points} points`,
    firstBlood: "first blood",
    solved: "solved",
    solvedInPlace: ["solved first", "solved second", "solved third"],
    pages: "Scoreboard pages",
    page: (page: number) => `Page ${page}`,
    pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
    previous: "Previous",
    next: "Next",
    trend: "Trend",
    trendHint: "ranks gained or lost in the last 15 minutes",
    ticks: "One tick per challenge; a tall red one is a first blood",
    up: (ranks: number) => `up ${ranks}`,
    down: (ranks: number) => `down ${ranks}`,
    podium: "Top three",
    ahead: (points: number) => `${count(points, "point", "points")} ahead`,
    behind: (points: number) => `${count(points, "point", "points")} behind`,
    level: "level on points",
    openPlace: "Still open",
    takesLead: (team: string) => `${team} takes the lead.`,
    toOwnRow: "Go to your team's row",
    pierEmpty: "The pier is empty. Be the first.",
  },

  challenges: {
    overTime: "Solves over time",
    copyLink: "Copy link",
    linkCopied: "Link copied.",
    title: "Challenges",
    list: "Challenge list",
    hideCategories: "Hide Categories",
    everyHidden: "All categories are hidden.",
    atTheStart: "Challenges will appear here when the CTF starts.",
    none: "No challenges yet.",
    points: (number: number) => `${number} points`,
    noPointsLeft: "0 points left",
    solves: (number: number) => count(number, "solve", "solves"),
    locked: "Locked",
    solved: "Solved",
    solvedAt: (time: string) => `Solved by your team at ${time}.`,
    solvedNow: (name: string) => `${name} solved.`,
    solveFirst: (names: string) => `Requires: ${names}`,
    attachments: "Attachments",
    copyDigest: (file: string) => `Copy SHA-256 of ${file}`,
    connection: "Connection info",
    copyConnection: "Copy connection info",
    flagOf: (name: string) => `Flag for ${name}`,
    flag: "flag",
    eventOver: "The CTF has ended. Flags are no longer accepted.",
    practice: "The CTF has ended. You can practice: flags no longer count.",
    afterEnd: "After the end",
    practicedAt: (time: string) => `Solved after the end, at ${time}. It does not count.`,
    submit: "Submit",
    wait: (seconds: number) => `Wait ${seconds} s`,
    flagsFound: (found: number, of: number) => `${found} of ${of} flags`,
    flagFound: (found: number, of: number) => `Correct, ${found} of ${of}. Find the other flags.`,
    attemptsLeft: (left: number) => count(left, "attempt left", "attempts left"),
    lastAttempt: "This is your team's last attempt.",
    lastWrong:
      "Incorrect flag. Your team has no attempts left. Ask the organizers if something is broken.",
    author: (name: string) => `By ${name}`,
    tags: "Tags",
    difficulty: "Difficulty",
    difficulties: { beginner: "Beginner", easy: "Easy", medium: "Medium", hard: "Hard" },
    wrongFlag: "Incorrect flag.",
    flagsLookLike: (format: string) => `Incorrect flag. Flags look like ${format}`,
    wrapperMissing: (format: string) =>
      `Incorrect flag: the wrapper is missing. Flags look like ${format}`,
    notJudged: {
      ended:
        "The CTF has ended, so this flag was not checked. Your team's earlier solves still " +
        "count. See the scoreboard.",
      notStarted:
        "The CTF has not started yet, so this flag was not checked. It stays here; submit it " +
        "again after the start.",
      paused:
        "The CTF is paused, so this flag was not checked. It stays here; submit it again when " +
        "the CTF resumes.",
      locked:
        "This challenge is locked, so this flag was not checked. It stays here; solve the " +
        "required challenges, then submit it again.",
      closed:
        "This challenge is closed, so this flag was not checked. Your points are not affected. " +
        "Try another challenge.",
      gone:
        "This challenge has been hidden, so this flag was not checked. It stays here; try " +
        "another challenge or ask the organizers.",
      tooFast:
        "Too many incorrect flags, so this one was not checked. It stays here; submit it again " +
        "when the button is enabled.",
      busy:
        "The server is busy, so this flag was not checked. It stays here; submit it again in a " +
        "moment.",
      noAnswer:
        "No response from the server. Your flag stays here; check your connection and submit it " +
        "again. A correct flag counts only once.",
      other: (sentence: string) => `${sentence} This flag was not checked. It stays here.`,
    },
  },

  find: {
    search: "Search challenges",
    more: "Filter and sort",
    show: "Show",
    shown: { all: "All", unsolved: "Unsolved", solved: "Solved" },
    order: "Sort by",
    orders: { place: "Category", points: "Points, lowest first", solves: "Solves, most first" },
    everyCategory: "All challenges",
    noCategory: "Other",
    progress: (solved: number, all: number) => `${solved} of ${all} solved`,
    none: "No challenges match these filters.",
    only: (category: string) => `Only ${category}`,
    showAll: "Show all",
    startHere: "Start here",
  },

  moment: {
    gained: ({ points, rank, up }: { points: number; rank: number; up: number }) =>
      `+${grouped(points)}, now ${ordinal(rank)}${up > 0 ? ` (up ${up})` : ""}`,
    nobodyFaster: "nobody was faster",
    gap: (points: string, team: string) => `${points} behind ${team}`,
    level: (team: string) => `level with ${team}`,
    lead: (points: string, team: string) => `${points} ahead of ${team}`,
    categoryDone: (category: string) => `${category}: all solved`,
    unlocked: "Unlocked:",
    next: "Next challenge",
    nothingLeft: "No more challenges to solve right now.",
  },
  sealed: {
    untilTime: (time: string) => `sealed until ${time}`,
    untilReveal: "sealed until the organizers reveal it",
    plain: "sealed",
    upTo: (points: string) => `up to ${points}`,
    solvesBefore: (solves: string) => `${solves} before the freeze`,
    gain: (points: number) => `+ up to ${grouped(points)}`,
    counts: "Your solve counts. Its points and position are sealed.",
    frozen: "frozen",
  },

  account: {
    countries: "All countries",
    noCountry: "No matching country.",
    team: "Team",
    teamName: "Team name",
    email: "Email",
    country: "Country",
    password: "Password",
    captcha: "Captcha",
    login: "Login",
    signup: "Signup",
    noTeamYet: "No team yet? Sign up",
    forgotPassword: "Forgot your password?",
    confirmationAgain: "Resend confirmation email",
    haveTeam: "Already signed up? Log in",
    eventOver: "The CTF has ended. New teams can no longer compete or appear on the scoreboard.",
    eventFull: "The event is full.",
    waitingOffer:
      "All places are taken. You can sign up for the waiting list: if a place becomes free, " +
      "your team gets an email.",
    waitingButton: "Sign up for the waiting list",
    waitingTitle: "Your team is on the waiting list",
    waitingConfirm:
      "First confirm your email address. Then your team takes part as soon as a place is " +
      "free; we will send you an email. Until then it cannot log in.",
    waitingNote:
      "When a place is free, your team takes part and we will send you an email. Until then " +
      "it cannot log in.",
    registrationClosed: "Registration is closed.",
    registrationOpens: (time: string) => `Registration opens: ${time}`,
    signupCode: "Signup code",
    optional: (label: string) => `${label} (optional)`,
    registrationCloses: (time: string) => `Registration closes: ${time}`,
    missing: "Fill in this field.",
    notEmail: "Enter an email address, such as name@example.org.",
    nameHint: (min: number, max: number) => `${min} to ${max} characters`,
    nameFault: (min: number, max: number) => `Use ${min} to ${max} characters.`,
    passwordHint: (min: number) => `At least ${min} characters`,
    passwordShort: (min: number) => `Use at least ${min} characters.`,
    passwordLong: (max: number) => `Use at most ${max} characters.`,
    backToLogin: "Back to login",
    confirmTitle: "Confirm your email",
    confirmNote: "Click the button to activate your team.",
    confirmButton: "Confirm email",
    resendTitle: "Resend confirmation email",
    resendButton: "Resend email",
    forgotTitle: "Reset your password",
    forgotButton: "Send reset link",
    resetTitle: "New password",
    resetButton: "Set password",
    haveCode: "I have a reset code from the organizers",
    code: "Reset code",
    joinTitle: "Join your team",
    joinNote: "Choose a password for the team. The card works once and logs you in.",
    joinCode: "Code on the card",
    joinButton: "Set password and log in",
    joinVoid:
      "This card has been used, replaced by a newer one, or has expired. Ask the organizers for " +
      "a new card.",
    joinWrong: "Wrong team name or code, or the card has been used.",
    checkMailTitle: "Check your email",
    checkMail: (email: string) =>
      `We sent a link to ${email}. Open it and confirm to activate your team.`,
    checkMailNote: "The link is valid for 24 hours. If it doesn't arrive, check your spam folder.",
    otherAddress: "Use a different email address",
    otherAddressButton: "Send link",
    createdTitle: "Team created",
    lastStep: "One last step: enter your team's password.",
    stopTitle: "Keep your current email address",
    stopNote:
      "Someone asked to change your team's email address. If it wasn't you, cancel the change: " +
      "this address stays, and all sessions are logged out.",
    stopButton: "Cancel the change",
    stopMissing: "Open the link in the email about the address change.",
  },

  own: {
    title: "Your team",
    loading: "Loading your account…",
    publicPage: "View public team page",
    progress: "Progress",
    emailWaits: (email: string) =>
      `We sent a confirmation link to ${email}. ` +
      "Emails go to the address above until it is confirmed.",
    newEmail: "New email",
    emailNote:
      "We'll send a confirmation link to the new address. The current address also gets an " +
      "email, with a link that can undo the change for 24 hours.",
    changeEmail: "Send confirmation link",
    presentPassword: "Current password",
    passwordNote:
      "All other sessions are logged out, and reset links in earlier emails stop working.",
    changePassword: "Change password",
    saveCountry: "Save country",
    countryNote: "Shown publicly. You can change it up to three times a day.",
    members: "Team members",
    membersNote: "Optional, for prizes. Only the organizers see these names.",
    member: (number: number) => `Member ${number}`,
    saveMembers: "Save members",
    sessions: "Active sessions",
    thisSession: "this session",
    unknownBrowser: "Unknown browser",
    begun: (time: string) => `logged in ${time}`,
    seen: (time: string) => `last seen ${time}`,
    end: "Log out",
    endOf: (browser: string, time: string) => `Log out ${browser}, logged in ${time}`,
    addressTitle: "Confirm your new email",
    addressNote: "Click the button to receive your team's emails at this address.",
    addressButton: "Use this address",
  },

  team: {
    rank: "Rank",
    ofTeams: (number: number) => `of ${count(number, "team", "teams")}`,
    points: "Points",
    solves: "Solves",
    award: "Award",
    overTime: "Score over time",
    graphLabel: "Score over time. The solves table below has the same data.",
    noSolve: "No solves yet.",
    solvesTable: "Team solves",
    challenge: "Challenge",
    category: "Category",
    position: "Position",
    pointsNow: "Current points",
    scoreThen: "Running score",
    time: "Time",
    missing: "Team not found",
    missingNote: "No team with this name is on the scoreboard.",
    toScoreboard: "Go to the scoreboard",
  },

  graph: {
    toggle: "Score graph",
    title: "Top 10 over time",
    label: "Top 10 scores over time. The table below has the same data.",
    table: "Top 10 scores over time",
    line: "Line",
    now: "Now",
    moment: "Time",
    lead: "Change of the lead",
    falls: "Lines fall because each solve makes a challenge worth less.",
    numbers: "Scores as a table",
  },

  solvers: {
    of: (name: string) => `Solvers of ${name}`,
    ofValue: (name: string, points: number) => `${points} points, solvers of ${name}`,
    ofSpeedrun: (name: string) => `– speedrun, solvers of ${name}`,
    title: (number: number) => `Solvers (${number})`,
    none: "No solves yet.",
    showAll: (number: number) => `Show all ${number}`,
  },

  search: {
    label: "Search teams",
    found: (number: number) => `${count(number, "team", "teams")} found`,
    none: "No matching teams.",
  },

  stage: {
    open: "Projector view",
    top: "Top 10",
    others: "Other teams",
    untilStart: "Starts in",
    timeLeft: "Time left",
    pause: "Pause",
    fullScreen: "Full screen",
    leave: "Exit",
    begun: "The CTF has started!",
    latest: "Latest solves",
    solved: (team: string, challenge: string) => `${team} solved ${challenge}`,
    address: (address: string) => `QR code: ${address}`,
  },

  since: {
    title: (time: string) => `Since you last looked, ${time}`,
    by: (teams: string) => `Solved by ${teams}`,
    value: "Value changed",
    withdrawn: "Solve withdrawn",
    award: "Awards and hints",
  },

  firstBlood: {
    title: "First blood",
    solvedFirst: (challenge: string) => `First to solve ${challenge}`,
  },

  news: {
    title: "News",
    notices: "Notices",
    none: "No notices yet. Notices from the organizers will appear here.",
    loading: "Loading notices…",
    unread: (number: number) => `(${number} unread)`,
    fresh: "New",
    urgent: "Urgent",
    corrected: (time: string) => `edited at ${time}`,
    withdrawn: (posted: string, time: string) => `Notice from ${posted}, withdrawn at ${time}.`,
    all: "All news",
    more: (number: number) => `${number} more`,
  },

  questions: {
    title: "Questions for the organizers",
    own: "Your team's questions",
    loading: "Loading your questions…",
    about: (challenge: string) => `Your team's questions about ${challenge}`,
    onCard: (asked: number, answered: number) =>
      asked === 0 ? "Ask the organizers" : `${answered} of ${asked} questions answered`,
    ask: "Ask a general question",
    askAbout: (challenge: string) => `Ask about ${challenge}`,
    note: "Only your team and the organizers can see this. Don't include your flag.",
    full: "You have three unanswered questions. You can ask again once one is answered.",
    send: "Send question",
    sent: "Question sent. The answer will appear here.",
    received: (time: string) => `Asked at ${time}, not answered yet`,
    answered: (asked: string, time: string) => `Asked at ${asked}, answered at ${time}`,
    closed: (asked: string, time: string) => `Asked at ${asked}, closed at ${time}`,
    told: (time: string) => `From the organizers at ${time}`,
    logIn: "Log in to ask the organizers",
  },

  challengeStatus: {
    looked_at: "Investigating",
    broken: "Broken",
    fixed: "Fixed",
    notes: {
      looked_at: "The organizers are investigating a problem with this challenge.",
      broken: "This challenge is broken. The organizers are aware of it.",
      fixed: "This challenge was broken and has been fixed.",
    },
  },

  hints: {
    list: "Hints",
    title: (number: number) => `Hint ${number}`,
    at: (number: number, time: string) => `Hint ${number}, available at ${time}`,
    take: "Take hint",
    taken: "taken",
    rankAfter: (rank: number, teams: number, points: number) =>
      `After taking it: ${ordinal(rank)} of ${grouped(teams)}, ${count(points, "point", "points")}`,
    pointsAfter: (points: number) =>
      `After taking it: ${count(points, "point", "points")}, with your sealed solves`,
    first: (hints: string) => `Take first: ${hints}`,
  },

  paused: {
    short: "CTF paused",
    banner: "The CTF is paused. Flags are not accepted until it resumes.",
    beforeFlag: "The CTF is paused. Submit your flag when it resumes.",
  },

  dialog: { close: "Close" },
  html: { table: "Table", copyCode: "Copy code" },
  copy: { copy: "Copy", copied: "Copied", failed: "Copy failed. Select the text manually." },
};

/** The shape of a language file. */
export type Messages = typeof en;
