/** English messages for what only the command line could do before. */

/** The known words by name; a name that is missing is shown unchanged. */
type Words = Readonly<Record<string, string>>;

/** Verbs of buttons that act on an object. */
export const CONSOLE_VERBS: Words = {
  "event.name": "Change",
};

/** Short names of acts, for buttons that open a dialog. */
export const CONSOLE_ACTS: Words = {
  "event.name": "Change",
};

export const consoleEn = {
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
