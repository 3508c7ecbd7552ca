/** What waits for an organizer, the most urgent first. */
import type { ListedChallenge, Overview } from "../../../api/organize-lists";
import type { OrganizeMessages } from "../../../messages/organize/en";
import { isRevealDue } from "../event/actions";

export interface Waiting {
  readonly text: string;
  /** Where it is dealt with, and the parameters of that page. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly isUrgent?: boolean;
}

interface Read {
  readonly overview: Overview;
  readonly challenges: readonly ListedChallenge[];
  /** Whether the role sees the actions that deal with it. */
  readonly may: (action: string) => boolean;
}

const when = (isThere: boolean, waiting: Waiting): readonly Waiting[] => (isThere ? [waiting] : []);

/** The next release alone: the others are in the list of challenges. */
function nextRelease(challenges: readonly ListedChallenge[], now: number) {
  const timed = challenges.flatMap(({ challengeName, id, releasesAt }) => {
    return releasesAt && releasesAt > now ? [{ challengeName, id, releasesAt }] : [];
  });
  return timed.toSorted((a, b) => a.releasesAt - b.releasesAt)[0];
}

export function waitingOf(
  read: Read,
  words: OrganizeMessages["pages"]["now"],
  timeText: (ms: number) => string,
): readonly Waiting[] {
  const { overview, challenges, may } = read;
  const path = "/organize/challenges";
  const questions = overview.openQuestions ?? 0;
  const withErrors = overview.challenges.withErrors ?? 0;
  const { failed = 0, waiting = 0 } = (may("team.resend") && overview.health?.mail) || {};
  const release = nextRelease(challenges, overview.now);
  const ailing = challenges.filter(({ status }) => status === "broken" || status === "looked_at");
  return [
    ...when(isRevealDue(overview) && may("event.reveal"), {
      text: words.reveal,
      path: "/organize/event",
      isUrgent: true,
    }),
    ...when(questions > 0 && may("question.list"), {
      text: words.question(questions),
      path: "/organize/desk",
      query: { state: "open" },
      isUrgent: true,
    }),
    ...ailing.map(({ challengeName, id, status }) => ({
      text: status === "broken" ? words.broken(challengeName) : words.looked(challengeName),
      path,
      query: { open: id },
      isUrgent: status === "broken",
    })),
    ...when(withErrors > 0, { text: words.problems(withErrors), path }),
    ...when(failed > 0, {
      text: words.refused(failed),
      path: "/organize/teams",
      query: { mail: "refused" },
      isUrgent: true,
    }),
    ...when(waiting > 0, {
      text: words.mails(waiting),
      path: "/organize/teams",
      query: { mail: "queued" },
    }),
    ...(release
      ? [
          {
            text: words.release(release.challengeName, timeText(release.releasesAt)),
            path,
            query: { open: release.id },
          },
        ]
      : []),
  ];
}
