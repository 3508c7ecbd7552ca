/** English messages for what only the command line could do before. */
import { importEn } from "./import-en";

/** The known words by name; a name that is missing is shown unchanged. */
type Words = Readonly<Record<string, string>>;

/** Verbs of buttons that act on an object. */
export const CONSOLE_VERBS: Words = {
  "event.name": "Change",
  "solve.count": "Count a solve of",
  "team.test": "Make",
};

/** Short names of actions, for buttons that open a dialog. */
export const CONSOLE_ACTIONS: Words = {
  "event.name": "Change",
  "solve.count": "Count a solve",
  "team.test": "Make a test team",
};

/** Explanations of actions in their dialogs. */
export const CONSOLE_HINTS: Words = {
  "solve.count": "The solve counts as if it had come at that time, also for first blood.",
  "team.test":
    "The team is hidden from its first moment and stays hidden. You get a code that sets its " +
    "password on /reset.",
};

export const consoleEn = {
  imports: importEn,
  testTeam: "a test team",
  timesShown: (zone: string) => `Times on the clock of the event's time zone, ${zone}.`,
  quietForYou: (solves: number) =>
    `Nothing has happened yet with what your role sees. Solves of the event: ${solves}.`,
  backup: {
    last: "Last backup:",
    none: "No backup was made yet.",
    how: "On the server, this makes one:",
    orHere: "Or here:",
    button: "Download a backup…",
    title: "Download a backup",
    note:
      "The file holds the whole event: accounts, addresses, flags and the event's secret. Keep " +
      "it where other secrets are, and not on a shared disk. The log says who downloaded it.",
    wait: "The server makes it first, which may take minutes. Leave this page open until then.",
    download: "Download the backup",
    making: "The server is making the backup…",
    done: (name: string) => `The backup is saved as ${name}.`,
    leftOut: (count: number) =>
      `The backup is saved, but files that it lacks are damaged on the server: ${count}. ` +
      "The server's log names them.",
  },
  oneNetwork: "Most players share one network, such as a campus or the venue",
  oneNetworkNote: "Then the number of signups from one network is not limited.",
  theNetwork: "Public address of that network",
  theNetworkHint:
    "Such as 192.0.2.7 or 192.0.2.0/24. Connections, live pages, downloads and wrong captchas " +
    "from there have no limit either. Leave it empty if you do not know it, and for fewer than " +
    "about 100 teams.",
  tokens: {
    title: "Tokens of organizers",
    button: "New token",
    makeOwn: "New token for scripts",
    makeOf: (name: string) => `New token for scripts of ${name}`,
    note:
      "A script sends it in the header X-Api-Key and may do what these roles may, except what " +
      "asks for the second factor again.",
    days: "Days until it ends",
    daysFault: "A whole number from 1 to 366",
    make: "Make the token",
    once: "This is shown once. Keep it where other secrets are.",
    token: "Token",
    copy: "Copy the token",
    close: "I have it",
    endOf: (name: string, created: string) => `End the token of ${name} of ${created}`,
  },
  privacy: {
    button: "Private data…",
    title: (team: string) => `Private data of ${team}`,
    what: "What",
    rows: "Rows",
    kept: "Kept",
    stays: "for good: an erasure leaves it",
    hours: (hours: number) => `for ${hours} hours`,
    until: (time: string) => `until ${time}`,
    erased: "until it is erased",
    note:
      "Erasing cannot be undone. The team stays on the scoreboard with its name and solves, and " +
      "cannot log in any more. Backups, logs and sent mail still have what was erased.",
    beforeEnd: "The event is not over: erase it now, and the team cannot go on playing",
    beforeEndFault: "The event is not over. Tick the box to erase it now.",
    confirm: (team: string) => `To confirm, type ${team}`,
    nameFault: "Type the name exactly as it is shown.",
    erase: (team: string) => `Erase the private data of ${team}`,
    done: (rows: number) => `Erased. Rows: ${rows}.`,
  },
  privacyOfAll: {
    title: "Private data of all teams",
    about:
      "After the event, erase addresses, passwords, members, networks, questions and wrong " +
      "flags. Download a backup first, if prizes or questions are still open.",
    button: "Erase the private data…",
    count: (teams: number, rows: number) => `Teams: ${teams}. Rows that an erasure takes: ${rows}.`,
    note:
      "Erasing cannot be undone. The teams stay on the scoreboard with their names and solves, " +
      "and cannot log in any more. Backups, logs and sent mail still have what was erased.",
    beforeEnd: "The event is not over: erase it now, and no team can go on playing",
    erase: "Erase the private data of all teams",
  },
  times: {
    is: (text: string) => `= ${text}.`,
    isHere: (text: string, here: string) => `= ${text}; on this device ${here}.`,
    zoneUnknown: "There is no such zone. Names are like Europe/Berlin.",
    zone: (name: string) => `On the clock of ${name}`,
  },
  reveal: {
    title: "At the end",
    of: (event: string) => `the reveal of ${event}`,
    modes: {
      auto: "show the final scoreboard",
      manual: "keep it frozen and wait for the ceremony",
    } as Words,
    notes: {
      auto: "If the scoreboard is frozen, everyone sees the final ranking at the end.",
      manual:
        "If the scoreboard is frozen, it stays frozen after the end until an organizer presses " +
        "Reveal.",
    } as Words,
    becomes: (before: string, after: string) => `At the end: ${before} → ${after}`,
    change: "Change the reveal…",
  },
};

/** The shape of a language file. */
export type ConsoleMessages = typeof consoleEn;
