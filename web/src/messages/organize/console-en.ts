/** English messages for tokens, backups, personal data, the reveal and imports. */
import { importEn } from "./import-en";

/** Texts by name. Unknown names are shown unchanged. */
type Words = Readonly<Record<string, string>>;

/** Verbs of submit buttons, followed by the object. */
export const CONSOLE_VERBS: Words = {
  "challenge.attempts": "Give attempts back for",
  "event.name": "Change",
  "solve.count": "Credit a solve to",
  "team.test": "Create",
};

/** Labels of buttons that open a dialog. */
export const CONSOLE_ACTIONS: Words = {
  "challenge.attempts": "Give attempts back",
  "event.name": "Change event",
  "solve.count": "Credit a solve",
  "team.test": "Create test team",
};

/** Explanations of actions, shown in their dialogs. */
export const CONSOLE_HINTS: Words = {
  "challenge.attempts": "The team can submit incorrect flags again, up to the limit.",
  "solve.count": "The solve counts from that time, also for first blood.",
  "team.test":
    "The team is hidden and stays hidden. You get a reset code, which sets its password on /reset.",
};

export const consoleEn = {
  imports: importEn,
  testTeam: "a test team",
  timesShown: (zone: string) => `Times are in the event's time zone, ${zone}.`,
  quietForYou: (solves: number) =>
    `No activity yet that your role can see. Solves in the event: ${solves}.`,
  backup: {
    last: "Last backup:",
    none: "No backups yet.",
    how: "To create one on the server, run:",
    orHere: "Or download one here:",
    button: "Download a backup…",
    title: "Download a backup",
    note:
      "The file contains the whole event: accounts, email addresses, flags and the event secret. " +
      "Store it with your other secrets, not on a shared disk. The download is recorded in the " +
      "audit log.",
    wait: "The server creates the backup first, which may take minutes. Keep this page open.",
    download: "Download backup",
    making: "Creating the backup…",
    done: (name: string) => `Backup saved as ${name}.`,
    leftOut: (count: number) =>
      `Backup saved, but without files that are damaged or missing on the server: ${count}. ` +
      "See the server log for their names.",
  },
  cards: {
    button: "Join cards…",
    buttonOf: (count: number) => `Join cards for ${count}`,
    title: "Join cards to print",
    note: (count: number) =>
      count === 0
        ? "Creates a card for each confirmed team that is not banned."
        : `Creates a card for each selected team: ${count}.`,
    use:
      "With the QR code or the short code of its card, a team sets its password and logs in, " +
      "once, until the end of the event. New cards void earlier ones.",
    secret:
      "The sheet is the only copy. Anyone with a card can log in as its team: delete the file " +
      "after printing.",
    download: "Create cards",
    making: "Creating cards…",
    done: "The sheet was saved as cards.html. Open it to print it.",
  },
  theNetwork: "Public address of that network",
  theNetworkHint:
    "Such as 192.0.2.7 or 192.0.2.0/24. This also lifts the limits on its connections, live " +
    "pages, downloads and failed captchas. Leave empty if unknown, or for fewer than about 100 " +
    "teams.",
  tokens: {
    title: "Organizers' API tokens",
    button: "New API token",
    makeOwn: "New API token",
    makeOf: (name: string) => `New API token for ${name}`,
    note:
      "Send it in the X-Api-Key header. It has the same permissions as the organizer, except for " +
      "actions that ask for a two-factor code again.",
    days: "Expires after (days)",
    daysFault: "A whole number from 1 to 366",
    make: "Create token",
    once: "The token is shown only once. Store it with your other secrets.",
    token: "API token",
    copy: "Copy token",
    close: "Done",
    endOf: (name: string, created: string) => `Revoke API token of ${name}, created ${created}`,
  },
  privacy: {
    button: "Personal data…",
    title: (team: string) => `Personal data of ${team}`,
    what: "Data",
    rows: "Rows",
    kept: "Retention",
    stays: "permanent, never erased",
    hours: (hours: number) => `${hours} hours`,
    until: (time: string) => `until ${time}`,
    erased: "until erased",
    note:
      "Erasing cannot be undone. The team keeps its name and solves on the scoreboard but can no " +
      "longer log in. Backups, logs and sent emails still contain the erased data.",
    beforeEnd: "Erase now, before the end of the event. The team can no longer play",
    beforeEndFault: "The event has not ended. Check the box to erase the data now.",
    confirm: (team: string) => `Type ${team} to confirm`,
    nameFault: "Type the name exactly as shown.",
    erase: (team: string) => `Erase personal data of ${team}`,
    done: (rows: number) => `Erased. Rows: ${rows}.`,
  },
  privacyOfAll: {
    title: "Personal data of all teams",
    about:
      "After the event, erase email addresses, passwords, members, networks, questions and " +
      "incorrect flags. If prizes or questions are still open, download a backup first.",
    button: "Erase personal data…",
    count: (teams: number, rows: number) => `Teams: ${teams}. Rows to erase: ${rows}.`,
    note:
      "Erasing cannot be undone. Teams keep their names and solves on the scoreboard but can no " +
      "longer log in. Backups, logs and sent emails still contain the erased data.",
    beforeEnd: "Erase now, before the end of the event. Teams can no longer play",
    erase: "Erase personal data of all teams",
  },
  times: {
    is: (text: string) => `= ${text}.`,
    isHere: (text: string, here: string) => `= ${text}; on this device ${here}.`,
    zoneUnknown: "Unknown time zone. Use a name such as Europe/Berlin.",
    zone: (name: string) => `In the time zone ${name}`,
  },
  practice: {
    title: "Practice after the end",
    of: (event: string) => `practice after the end of ${event}`,
    states: { off: "off", on: "on" },
    notes: {
      off: "After the end, no flags are accepted.",
      on:
        "After the end and the reveal, flags are checked. They change neither the scoreboard nor " +
        "feeds and exports.",
    },
    becomes: (before: string, after: string) => `Practice after the end: ${before} → ${after}`,
    turnOn: "Turn practice on…",
    turnOff: "Turn practice off…",
  },
  reveal: {
    title: "At the end",
    of: (event: string) => `the reveal setting of ${event}`,
    modes: {
      auto: "reveal the final scoreboard",
      manual: "keep it frozen for a ceremony",
    } as Words,
    notes: {
      auto: "If the scoreboard is frozen, it is revealed to everyone at the end.",
      manual:
        "If the scoreboard is frozen, it stays frozen after the end until an organizer reveals it.",
    } as Words,
    becomes: (before: string, after: string) => `At the end: ${before} → ${after}`,
    change: "Change reveal setting…",
  },
};

/** The shape of a language file. */
export type ConsoleMessages = typeof consoleEn;
