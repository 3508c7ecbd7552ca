/** English texts of the lists of challenges and teams: selection, quick actions and panels. */
const some = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more}`;

const teams = (count: number) => some(count, "team", "teams");

export const listsEn = {
  selection: "Selection",
  chosen: (count: number) => `${count} selected`,
  choose: (name: string) => `Select ${name}`,
  chooseAll: "Select all",
  chooseMatching: (count: number) => `Select all ${count}`,
  chooseMost: (count: number) => `Select the first ${count}`,
  clear: "Clear selection",
  range: "Select rows up to here",
  teams,
  hideChallenges: (count: number) => `Hide ${some(count, "challenge", "challenges")}`,
  hideTeams: (count: number) => `Hide ${teams(count)}`,
  showTeams: (count: number) => `Unhide ${teams(count)}`,
  messageTeams: (count: number) => `Message ${teams(count)}`,
  resendTeams: (count: number) => `Resend ${some(count, "confirmation", "confirmations")}`,
  moreActions: (name: string) => `More actions for ${name}`,
  markAs: { broken: "Mark broken", looked_at: "Investigate", fixed: "Mark fixed" },
  /** Object of "Set the status of". */
  statusOf: (name: string, status: string) => `${name}: ${status.toLowerCase()}`,
  incorrect: "Incorrect/h",
  incorrectHint: "Incorrect submissions in the last hour",
  stuck: "Stuck",
  stuckHint: "Teams that tried it but did not solve it",
  median: "Median time",
  medianHint: "Median solve time",
  solvesOf: (count: number) => some(count, "solve", "solves"),
  stuckOf: (count: number) => `${count} stuck`,
  awardOf: (points: number) => `award ${points > 0 ? "+" : ""}${points}`,
  details: "Details",
};
