/** Section on the release: the state, which has its own actions, and the order in the list. */
import type { ListedChallenge } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Facts } from "../frame/list";
import { Moment } from "../frame/moment";
import type { Editing } from "./draft/use-editor";
import { LineField, Section } from "./section";

interface ReleaseProps {
  editing: Editing;
  /** The existing challenge; null for a new one. */
  present: ListedChallenge | null;
}

export function ReleasePart({ editing, present }: ReleaseProps) {
  const { editor: words, challenges } = useOrganizeMessages().pages;
  return (
    <Section name="release" note={present ? words.releaseNote : words.newNote}>
      {present && (
        <Facts
          rows={[
            [challenges.state, wordFor(challenges.states, present.state)],
            [challenges.releases, present.releasesAt && <Moment ms={present.releasesAt} />],
            [challenges.closes, present.closesAt && <Moment ms={present.closesAt} />],
            [challenges.firstSolve, present.firstSolveAt && <Moment ms={present.firstSolveAt} />],
          ]}
        />
      )}
      <LineField name="position" editing={editing} />
    </Section>
  );
}
