/** The team's questions about a challenge, on its card; the form is loaded when it is opened. */
import { Suspense, useState } from "react";
import { useQuestions } from "../../api/queries";
import { isOpen } from "../../domain/news";
import { useMessages } from "../../messages/language";
import { chunkPart } from "../../ui/chunk-part/chunk-part";
import { Loading } from "../../ui/loading/loading";
import card from "./card.module.css";

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
  const answered = about.filter((question) => !isOpen(question)).length;
  return (
    <details
      className={card.unfolds}
      open={isShown}
      onToggle={(event) => setIsShown(event.currentTarget.open)}
    >
      <summary>{words.onCard(about.length, answered)}</summary>
      {isShown && (
        <Suspense fallback={<Loading label={loading.page} />}>
          <Asking challenge={challenge} />
        </Suspense>
      )}
    </details>
  );
}
