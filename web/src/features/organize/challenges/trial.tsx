/** Tests a flag against a challenge without recording it. */
import { useRef, useState } from "react";
import { postTrial, type Tried } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { Field, Form } from "../../../ui/field/field";
import { useSentence } from "../fault";
import { useShortcut } from "../frame/keys";
import { useMomentText } from "../frame/moment";
import { useCall } from "../second-factor-gate";
import styles from "./challenges.module.css";

function Verdict({ tried }: { tried: Tried }) {
  const { challenges: words } = useOrganizeMessages().pages;
  const text = useMomentText();
  const { correct, by, sentBy, since } = tried;
  return (
    <p className={correct ? "org-good" : "org-bad"}>
      {correct ? words.right(by ?? null) : words.wrongFlag}{" "}
      {sentBy !== null && sentBy !== undefined && words.sentBy(sentBy, since ? text(since) : null)}
    </p>
  );
}

export function Trial({ challenge }: { challenge: string }) {
  const { challenges: words } = useOrganizeMessages().pages;
  const sentence = useSentence();
  const [flag, setFlag] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useShortcut("t", words.tryFlag, () => field.current?.focus());
  const trial = useCall(() => postTrial(challenge, flag.trim()));
  function submit() {
    if (flag.trim() !== "") trial.mutate();
  }
  return (
    <Form className={styles.trial} aria-label={words.tryFlag} onSubmit={submit}>
      <h3>{words.tryFlag}</h3>
      <div className={styles.row}>
        <Field
          ref={field}
          label={words.flag}
          aria-keyshortcuts="t"
          value={flag}
          maxLength={256}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            setFlag(event.currentTarget.value);
            trial.reset();
          }}
        />
        <button type="submit" className="org-small">
          {words.tryButton}
        </button>
      </div>
      <div role="status">
        {!trial.data && !trial.error && <p className="org-note">{words.tryNote}</p>}
        {trial.data && <Verdict tried={trial.data} />}
        {trial.error && <p className="org-fault">{sentence(trial.error)}</p>}
      </div>
    </Form>
  );
}
