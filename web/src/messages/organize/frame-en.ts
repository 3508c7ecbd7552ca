/** English messages of the bar, the rail and the command palette. */

const some = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const frameEn = {
  find: "Find…",
  more: "More",
  menuOf: (name: string) => `Menu of ${name}`,
  asPlayer: "View as player",
  pending: {
    questions: (count: number) => some(count, "open question", "open questions"),
    mails: (count: number) => some(count, "unsent email", "unsent emails"),
    errors: (count: number) => some(count, "challenge with errors", "challenges with errors"),
    warnings: (count: number) => some(count, "warning", "warnings"),
  },
  palette: {
    recent: "Recent",
    pages: "Pages",
    actions: "Actions",
    hint: "Try the name of a page, setting, team or challenge, or an ID.",
    more: { import: "Import teams", ceremony: "Ceremony" },
    /** Other words that find a page, tab, setting or action. */
    words: {
      overview: "home dashboard now attention",
      challenges: "tasks flags hints files categories",
      teams: "players users ban email password",
      submissions: "attempts flags wrong incorrect correct",
      messages: "questions answers notices announcements news inbox desk",
      event: "configuration admin",
      auditLog: "history journal undo actions",
      account: "profile password two-factor sessions tokens API key login devices recovery codes",
      times: "start end freeze extend schedule timeline duration backup",
      settings: "configuration options",
      texts: "rules pages imprint markdown",
      brand: "logo color theme font look design",
      results: "winners ranking standings CTFtime export reveal ceremony CSV XLSX spreadsheet",
      files: "folder git pull apply event.toml differences",
      people: "people crew staff roles permissions invite owner author support",
      registration: "signup sign up open closed password students members email",
      limits: "rate limit network proxy campus too fast",
      privacy: "data retention addresses erase wrong flags",
      name: "setup title timezone flag format",
      rules: "setup",
      mail: "setup SMTP email sender transport test email",
      captcha: "setup bots altcha",
      challenge: "setup first",
      start: "setup begin",
      near: "almost typo wrapper case",
      evidence: "cheating sharing suspicious pairs",
      import: "upload CSV spreadsheet CTFd zip",
      "event.reveal": "ceremony unfreeze final winners podium",
      "event.pause": "stop halt",
      "event.resume": "continue",
      "notice.post": "announcement news message everyone urgent",
      "team.test": "test try dummy",
      keys: "keyboard help",
      player: "site scoreboard preview",
      out: "logout sign out leave",
    },
  },
  times: (start: string, freeze: string | null, end: string) =>
    freeze === null ? `Start ${start}, end ${end}` : `Start ${start}, freeze ${freeze}, end ${end}`,
};

export type FrameMessages = typeof frameEn;
