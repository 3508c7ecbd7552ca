/** English texts of what an action changes: points, submissions and the times of the event. */

/** Teams whose points change in one direction. */
export interface Scored {
  readonly teams: readonly string[];
  /** The most that one of them gains or loses, and whether it is the same for all. */
  readonly points: number;
  readonly isSame: boolean;
  /** How many of them rise or fall with it. */
  readonly moving: number;
}

const some = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${count} ${many}`;

/** As many names as can be read on a button. */
const NAMES_MAX = 5;

function named(teams: readonly string[]): string {
  const more = teams.length - NAMES_MAX;
  return `${teams.slice(0, NAMES_MAX).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** "170 points, 1 of them falls"; "up to" unless it is the same for all. */
function scored({ points, isSame, moving }: Scored, one: string, many: string): string {
  const amount = `${isSame ? "" : "up to "}${some(points, "point", "points")}`;
  return moving === 0 ? amount : `${amount}, ${moving} of them ${moving === 1 ? one : many}`;
}

export const effectEn = {
  nothingToChange: "There is nothing to change.",
  noTime: "not set",
  stays: (time: string) => `${time} (stays)`,
  staysRevealed:
    "The scoreboard was revealed: the freeze hides nothing any more, also while the event runs.",
  runsAgain: (time: string) => `The event runs again until ${time}`,
  startsAtOnce: "The event starts at once: all challenges become public.",
  endsAtOnce: "The event ends at once.",
  showsHidden: "Everyone sees at once what the freeze hides. This cannot be undone.",
  left: (duration: string, end: string) => `, for ${duration}, until ${end}`,
  earlyReveal: (left: string) =>
    `The event still runs${left}. A reveal now ends the freeze for good: everyone sees what it ` +
    "hides, and each later solve at once. The ranking is not final.",
  gain: (gain: Scored) =>
    `${some(gain.teams.length, "team gains", "teams gain")} ${scored(gain, "rises", "rise")}`,
  lose: (lose: Scored) =>
    `${some(lose.teams.length, "team loses", "teams lose")} ${scored(lose, "falls", "fall")}`,
  firstBloods: "First bloods",
  firstBlood: (challenge: string, from: string, to: string | null) =>
    to === null
      ? `${from} loses the first blood of ${challenge}; nobody has it any more.`
      : `First blood of ${challenge} moves from ${from} to ${to}.`,
  moreFirstBloods: (count: number) => `and ${some(count, "more first blood", "more first bloods")}`,
  /** Without a count: teams that are not on the board have submissions that count, too. */
  gainInRejudge: (teams: readonly string[]) => `points on the board for ${named(teams)}`,
};
