/** Pending work of each page, counted from the overview. Pure. */
import type { Overview } from "../../../api/organize-lists";
import type { PageName } from "../pages";

export interface Pending {
  readonly page: PageName;
  /** Name of the text that says the count. */
  readonly kind: "questions" | "mails" | "errors" | "warnings";
  readonly count: number;
  /** True if somebody waits for it. */
  readonly isUrgent: boolean;
}

export function pendingOf(
  { openQuestions, health, challenges, warnings }: Overview,
  may: (action: string) => boolean,
): readonly Pending[] {
  const mail = health?.mail;
  const all: readonly (Pending & { readonly needs: string })[] = [
    {
      page: "overview",
      kind: "warnings",
      count: warnings.length,
      isUrgent: true,
      needs: "event.overview",
    },
    {
      page: "challenges",
      kind: "errors",
      count: challenges.withErrors ?? 0,
      isUrgent: false,
      needs: "challenge.list",
    },
    {
      page: "teams",
      kind: "mails",
      count: (mail?.waiting ?? 0) + (mail?.failed ?? 0),
      isUrgent: false,
      needs: "team.resend",
    },
    {
      page: "messages",
      kind: "questions",
      count: openQuestions ?? 0,
      isUrgent: true,
      needs: "question.list",
    },
  ];
  return all.filter(({ count, needs }) => count > 0 && may(needs));
}
