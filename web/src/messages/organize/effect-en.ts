/** English messages for the effects of an action on points, submissions and event times. */

/** Teams whose points change in one direction. */
export interface Scored {
  readonly teams: readonly string[];
  /** Largest gain or loss of a team. */
  readonly points: number;
  /** True if all teams gain or lose the same. */
  readonly isSame: boolean;
  /** Number of these teams whose rank changes. */
  readonly moving: number;
}

const some = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${count} ${many}`;

/** Number of names that fit on a button. */
const NAMES_MAX = 5;

function named(teams: readonly string[]): string {
  const more = teams.length - NAMES_MAX;
  return `${teams.slice(0, NAMES_MAX).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Text such as "170 points, 1 of them moves down", with "up to" unless all values are equal. */
function scored({ points, isSame, moving }: Scored, one: string, many: string): string {
  const amount = `${isSame ? "" : "up to "}${some(points, "point", "points")}`;
  return moving === 0 ? amount : `${amount}, ${moving} of them ${moving === 1 ? one : many}`;
}

export const effectEn = {
  nothingToChange: "Nothing to change.",
  noTime: "not set",
  stays: (time: string) => `${time} (unchanged)`,
  staysRevealed:
    "The scoreboard has been revealed, so the freeze no longer hides anything, even while the " +
    "event is running.",
  runsAgain: (time: string) => `The event resumes and runs until ${time}`,
  startsAtOnce: "The event starts immediately: all challenges become public.",
  endsAtOnce: "The event ends immediately.",
  showsHidden: "Hidden solves become visible to everyone immediately. This cannot be undone.",
  left: (duration: string, end: string) => `, for ${duration}, until ${end}`,
  earlyReveal: (left: string) =>
    `The event is still running${left}. Revealing now ends the freeze permanently: everyone sees ` +
    "the hidden solves, and all later ones as they happen. The ranking is not final.",
  gain: (gain: Scored) =>
    `${some(gain.teams.length, "team gains", "teams gain")} ${scored(gain, "moves up", "move up")}`,
  lose: (lose: Scored) =>
    `${some(lose.teams.length, "team loses", "teams lose")} ` +
    scored(lose, "moves down", "move down"),
  /** Several teams that are no longer ranked, or are ranked now. */
  leave: (count: number) => `${count} teams leave the scoreboard`,
  enter: (count: number) => `${count} teams enter the scoreboard`,
  firstBloods: "First bloods",
  firstBlood: (challenge: string, from: string, to: string | null) =>
    to === null
      ? `${from} loses the first blood of ${challenge}. No other team takes it.`
      : `First blood of ${challenge} moves from ${from} to ${to}.`,
  moreFirstBloods: (count: number) => `and ${some(count, "more first blood", "more first bloods")}`,
  /** The text has no number of teams, because unranked teams can also have credited submissions. */
  gainInRejudge: (teams: readonly string[]) => `points on the scoreboard for ${named(teams)}`,
};
