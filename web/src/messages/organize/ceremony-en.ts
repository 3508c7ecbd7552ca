/** English messages of the ceremony. */

const some = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** Names of keys. */
type Names = readonly string[];

function ordinal(number: number): string {
  const rule = new Intl.PluralRules("en", { type: "ordinal" }).select(number);
  return `${number}${{ one: "st", two: "nd", few: "rd" }[rule as string] ?? "th"}`;
}

export const ceremonyEn = {
  title: "Ceremony",
  lead: "The final ranking on the projector: from the chosen place up, one key per place.",
  back: "Event",
  loading: "Loading the ranking…",

  mode: {
    legend: "Ranking",
    rehearsal: "Rehearsal",
    rehearsalNote:
      "Made-up solves on the public scoreboard. They stay in this browser, and every screen says " +
      "REHEARSAL.",
    real: "The real one",
    realNote:
      "The sealed ranking, after a new code. The public sees no change until you publish at the " +
      "last step.",
    blocked: {
      notEnded: "The event has not ended yet.",
      notFrozen: "There was no freeze, so the scoreboard already shows everything.",
      revealed: "The final ranking is already public.",
      notFrozenYet: "The scoreboard is not frozen.",
    },
    times: "Times of the event",
    results: "Results",
    scoreboard: "Scoreboard",
  },
  board: { legend: "Teams", all: "All teams", students: "Students" },
  from: "First place to announce",
  fromNote: (teams: number) => `${some(teams, "team", "teams")}; lower places are shown at once`,
  show: { legend: "On the screen", points: "Points", solves: "Hidden solves by name" },
  name: "Event name, to confirm the publication",
  nameFault: "Type the exact event name.",

  load: "Load the sealed ranking",
  loadAgain: "Load again",
  begin: "Begin",
  check: {
    legend: "Before you begin",
    loaded: (teams: number, solves: number) =>
      `Loaded: ${some(teams, "team", "teams")}, ${some(solves, "hidden solve", "hidden solves")}`,
    notLoaded: "Not loaded yet",
    proven: "Every step was replayed and ends at the final ranking",
    notProven: "The steps do not end at the final ranking. Do not begin; load again.",
    offline: "Works without the network from now on, up to the last step",
    notOffline: "Fonts, flags and pages are still loading…",
    screen: (width: number, height: number) => `Screen ${width} × ${height}`,
    small: "Move this window to the projector, then press F for full screen",
    keep: "Keep this tab open: after a reload, the ranking has to be loaded again",
    noTeams: "No team is on the scoreboard yet.",
  },

  keys: {
    title: "Keys",
    next: "next place; during the solves: to their end",
    nextKeys: ["Space", "→", "Enter", "Page Down"] as Names,
    back: "one step back",
    backKeys: ["←", "Page Up"] as Names,
    pages: "pages of a scoreboard",
    pagesKeys: ["↑", "↓"] as Names,
    full: "full screen",
    fullKeys: ["F"] as Names,
    help: "these keys",
    helpKeys: ["?"] as Names,
    leave: "leave",
    leaveKeys: ["Esc"] as Names,
  },
  leave: {
    title: "Leave the ceremony?",
    notes: {
      real:
        "Nothing is published. Until you open another page, the ceremony continues at this step " +
        "with the same options.",
      rehearsal: "Nothing is published. The next rehearsal begins at its first step.",
    },
    stay: "Stay",
    leave: "Leave",
  },
  control: { previous: "Back", next: "Next", full: "Full screen", keys: "Keys", leave: "Leave" },

  rehearsal: "Rehearsal",
  rehearsalMark: "made-up solves",
  opening: {
    title: "The final ranking",
    sealed: (solves: number) => `${some(solves, "solve", "solves")} sealed by the freeze`,
    students: "Students",
    hint: "Space",
  },
  frozen: { title: "Where the board froze", note: "The last ranking that everyone saw" },
  start: {
    title: "Sealed solves open",
    note: "Each challenge has its final value from here on",
    from: (place: number) => `From ${ordinal(place)} place up`,
  },
  place: (place: number) => `${ordinal(place)} place`,
  placeLabel: "Place",
  up: (place: number) => `up to ${ordinal(place)}`,
  stays: "stays",
  points: (points: string) => `${points} points`,
  sealedLeft: (count: number) => `${count} sealed`,
  settled: (place: number, team: string, points: string) =>
    `${ordinal(place)} place: ${team}, ${points} points`,
  podiumPlaces: ["First place", "Second place", "Third place"],
  podium: "The podium",
  boards: {
    all: "Final ranking",
    students: "Final ranking of the students",
    division: (name: string) => `Final ranking – ${name}`,
  },
  pageOf: (first: number, last: number, all: number) => `${first}–${last} of ${all}`,

  publish: {
    title: "Now the world",
    note:
      "The public scoreboard still shows the freeze. One press publishes the final ranking, at " +
      "once and for everyone. It cannot be undone.",
    button: "Publish the final ranking",
    sending: "Publishing…",
    offline: "No network. Nothing is published; press again once it is back.",
    isOffline: "No network at the moment.",
    failed: (sentence: string) => `Not published: ${sentence}`,
    done: "Published",
    doneNote: "Everyone sees the final ranking now.",
    scoreboard: "Open the scoreboard",
    rehearsed: "End of the rehearsal",
    rehearsedNote: "Here, the real ceremony publishes the final ranking. Nothing was published.",
    again: "Back to the preparation",
    console: "Back to the organizer pages",
  },
};

export type CeremonyMessages = typeof ceremonyEn;
