/** The gap between teams in words. */
import type { Gap } from "../../domain/solve-moment";
import { isolated } from "../../domain/text";
import { useMessages } from "../../messages/language";

/** "31 points behind Die Nullzeiger"; null without a gap. */
export function useGapText(gap: Gap | null): string | null {
  const { moment: words, challenges } = useMessages();
  if (!gap) return null;
  const team = isolated(gap.teamName);
  if (gap.points === 0) return words.level(team);
  const points = challenges.points(gap.points);
  return gap.isLead ? words.lead(points, team) : words.gap(points, team);
}
