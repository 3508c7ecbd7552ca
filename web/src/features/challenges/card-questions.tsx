/** The team's questions about a challenge, on its card; the form is loaded on demand. */
import { Suspense, useState } from "react";
import { useQuestions } from "../../api/queries";
import { isOpen } from "../../domain/news";
import { useMessages } from "../../messages/language";
import { chunkPart } from "../../ui/chunk-part/chunk-part";
import { Loading } from "../../ui/loading/loading";
import task from "./task.module.css";

const Asking = chunkPart<{ challenge: Named }>("asking", () => import("./asking"));

interface Named {
  readonly id: string;
  readonly challengeName: string;
}

export function CardQuestions({ challenge }: { challenge: Named }) {
  const { loading, questions: words } = useMessages();
  const [isShown, setIsShown] = useState(false);
  const { data = [] } = useQuestions(true);
  const about = data.filter(({ challengeId }) => challengeId === challenge.id);
  // A message from the organizers has no question.
  const asked = about.filter(({ text }) => text !== "");
  const answered = asked.filter((question) => !isOpen(question)).length;
  return (
    <details
      className={task.unfolds}
      open={isShown}
      onToggle={(event) => setIsShown(event.currentTarget.open)}
    >
      <summary>{words.onCard(asked.length, answered)}</summary>
      {isShown && (
        <Suspense fallback={<Loading label={loading.page} />}>
          <Asking challenge={challenge} />
        </Suspense>
      )}
    </details>
  );
}
