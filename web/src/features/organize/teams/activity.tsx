/** A team's activity: one timeline, newest first, filtered by kind. */
import { useRef } from "react";
import type { StoryLine } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { useShortcut } from "../frame/keys";
import { ChoiceFilter, More } from "../frame/list";
import { Moment } from "../frame/moment";
import { useChallengeNames, type useStory } from "../frame/queries";
import { ChallengeLink, useView } from "../frame/view";
import styles from "./teams.module.css";

/** Details of an activity line beyond its kind, time and challenge. */
function Details({ line }: { line: StoryLine }) {
  const { story: words, submissions, messages, teams } = useOrganizeMessages().pages;
  const { kind, network, lastAt, near, afterEnd, text, mail, question, action } = line;
  // The count of an incorrect flag covers all teams; here it would look like this team's guessing.
  const times = kind === "wrong" ? null : line.times;
  return (
    <>
      {near && <span className="org-near"> {wordFor(submissions.nears, near)}</span>}
      {afterEnd && <span className="org-note"> {submissions.afterEnd}</span>}
      {network && ` ${words.from(network)}`}
      {times && times > 1 && `, ${words.times(times)}`}
      {lastAt && lastAt !== line.at && (
        <>
          , {words.last} <Moment ms={lastAt} />
        </>
      )}{" "}
      {text && <bdi>{text}</bdi>}
      {mail && ` (${wordFor(teams.mails, mail.state)})`}
      {mail?.serverSaid && (
        <span className="org-note">
          {teams.serverSaid}: <bdi>{mail.serverSaid}</bdi>
        </span>
      )}
      {typeof action?.reason === "string" && action.reason !== "" && (
        <span className="org-note">
          <bdi>{action.reason}</bdi>
        </span>
      )}
      {question && ` (${wordFor(messages.states, question.state)})`}
      {question?.answer && (
        <span className="org-note">
          {messages.answer}: {question.answer}
        </span>
      )}
    </>
  );
}

function Line({ line, name }: { line: StoryLine; name: string | undefined }) {
  const { story: words } = useOrganizeMessages().pages;
  const { kind, challengeId } = line;
  return (
    <li>
      <Moment ms={line.at} />
      <div>
        <strong className={kind === "right" ? "org-good" : undefined}>
          {wordFor(words.kinds, kind)}
        </strong>{" "}
        {challengeId && <ChallengeLink id={challengeId} name={name ?? challengeId} />}
        <Details line={line} />
      </div>
    </li>
  );
}

/** Key of a line. Equal lines are distinguished by their index within the same time. */
function keyOf({ at, kind, challengeId, network }: StoryLine, place: number): string {
  return [at, kind, challengeId, network, place].join(" ");
}

export function TeamActivity({ story }: { story: ReturnType<typeof useStory> }) {
  const { story: words } = useOrganizeMessages().pages;
  const names = useChallengeNames();
  const kind = useView()("story");
  const heading = useRef<HTMLHeadingElement>(null);
  useShortcut("s", words.title, () => heading.current?.focus());
  const lines = story.data?.pages.flatMap((page) => page.story) ?? [];
  const left = lines.filter((line) => kind === "" || line.kind === kind);
  return (
    <section className={`${styles.story} org-story`}>
      <div className={styles.storyHead}>
        <h3 ref={heading} tabIndex={-1} aria-keyshortcuts="s">
          {words.title}
        </h3>
        <ChoiceFilter name="story" label={words.kind} words={words.kinds} />
      </div>
      {left.length === 0 && (
        <p role="status" className="org-note">
          {story.hasNextPage ? words.noneYet : words.none}
        </p>
      )}
      <ol className={styles.stream}>
        {left.map((line, at) => (
          <Line
            key={keyOf(line, left.length - at)}
            line={line}
            name={names[line.challengeId ?? ""]}
          />
        ))}
      </ol>
      <More {...story} />
    </section>
  );
}
