/** Status of a team, as a shape and a word. */
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { type Mark, Status } from "../frame/status";

const MARKS: Readonly<Record<string, Mark>> = {
  plays: "quiet",
  hidden: "hollow",
  banned: "bad",
  late: "wait",
  waiting: "wait",
  unconfirmed: "warn",
};

export function TeamState({ standing }: { standing: string | null | undefined }) {
  const { teams: words } = useOrganizeMessages().pages;
  if (!standing) return null;
  return <Status mark={MARKS[standing] ?? "quiet"}>{wordFor(words.standings, standing)}</Status>;
}
