/** The team's questions about a challenge, and the form for a new one. */

import { useAsking } from "../../api/asking";
import { useQuestions } from "../../api/queries";
import { useMessages } from "../../messages/language";
import { QuestionForm, QuestionList } from "../../ui/questions/questions";
import styles from "./card-news.module.css";

interface AskingProps {
  challenge: { readonly id: string; readonly challengeName: string };
}

export default function Asking({ challenge }: AskingProps) {
  const { translate, questions: words } = useMessages();
  const { error, ...asking } = useAsking(challenge.id);
  const { data = [] } = useQuestions(true);
  const about = data.filter(({ challengeId }) => challengeId === challenge.id);
  const { challengeName } = challenge;
  return (
    <div className={styles.asking}>
      {about.length > 0 && <QuestionList label={words.about(challengeName)} questions={about} />}
      <QuestionForm
        label={words.askAbout(challengeName)}
        fault={error && translate(error)}
        {...asking}
      />
    </div>
  );
}
