/** Setup of a new event, step by step, with a preview of the home page. The URL has the step. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Settings } from "../../../api/organize-settings";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { CheckIcon } from "../../../ui/icons/icons";
import { ListState } from "../frame/list";
import nav from "../frame/nav.module.css";
import { useChallenges, useMay, useSettings } from "../frame/queries";
import { useShownItem } from "../frame/shown-item";
import { changeView, useView, ViewLink } from "../frame/view";
import { type AllAnswers, useAnswers } from "./answers";
import { ChallengeStep, NameStep, RulesStep, StartStep } from "./event-steps";
import { MailStep } from "./mail-step";
import { PlayersStep } from "./players-step";
import { Preview } from "./preview";
import styles from "./setup.module.css";
import { doneSteps, type Step, stepAfter, stepAt, stepsFor } from "./steps";

interface ProgressProps {
  step: Step;
  steps: readonly Step[];
  done: Readonly<Record<Step, boolean>>;
}

function Progress({ step, steps, done }: ProgressProps) {
  const { setup: words } = useOrganizeMessages();
  const count = steps.filter((one) => done[one]).length;
  return (
    <nav
      ref={useShownItem<HTMLElement>(step)}
      aria-label={words.progress}
      className={styles.progress}
    >
      <ol className={`${nav.nav} ${styles.steps}`}>
        {steps.map((one, at) => (
          <li key={one}>
            <ViewLink changes={{ step: one }} aria-current={one === step ? "step" : undefined}>
              <span className={styles.place} data-done={done[one]} aria-hidden="true">
                {done[one] ? <CheckIcon /> : at + 1}
              </span>
              <span>{words[one].title}</span>
              {done[one] && <span className="visually-hidden">, {words.done}</span>}
            </ViewLink>
          </li>
        ))}
      </ol>
      <p>{words.count(count, steps.length)}</p>
    </nav>
  );
}

interface FormProps {
  step: Step;
  settings: Settings;
  answers: AllAnswers;
  onDone: () => void;
}

function FormOf({ step, answers, ...props }: FormProps): ReactNode {
  switch (step) {
    case "name":
      return <NameStep {...props} draft={answers.name} />;
    case "rules":
      return <RulesStep {...props} draft={answers.rules} />;
    case "mail":
      return <MailStep {...props} draft={answers.mail} />;
    case "players":
      return <PlayersStep {...props} draft={answers.players} />;
    case "challenge":
      return <ChallengeStep {...props} draft={answers.challenge} />;
    default:
      return <StartStep {...props} />;
  }
}

/** The preview; on a phone, behind a button. */
function PreviewPart({ answers, settings }: { answers: AllAnswers; settings: Settings }) {
  const { preview: words } = useOrganizeMessages().setup;
  const [isShown, setShown] = useState(false);
  return (
    <>
      <button
        type="button"
        className={styles.toggle}
        aria-expanded={isShown}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? words.hide : words.show}
      </button>
      <aside aria-label={words.title} className={styles.preview} data-shown={isShown}>
        <Preview answers={answers} settings={settings} />
      </aside>
    </>
  );
}

function Steps({ settings }: { settings: Settings }) {
  const challenges = useChallenges().data?.length ?? 0;
  const asked = useView()("step");
  const steps = stepsFor(useMay());
  const answers = useAnswers(settings);
  const done = doneSteps(settings, challenges, Date.now());
  // Without an event, other steps have nothing to change.
  const step = settings.event ? stepAt(asked, steps, done) : "name";
  const box = useRef<HTMLDivElement>(null);
  const first = useRef(step);
  useEffect(() => {
    if (first.current === step) return;
    first.current = step;
    box.current?.querySelector<HTMLElement>("input, textarea, select, button, a")?.focus();
  }, [step]);
  return (
    <div className={styles.setup}>
      <Progress step={step} steps={steps} done={done} />
      <PreviewPart answers={answers} settings={settings} />
      <div ref={box} key={step} className={styles.step}>
        <FormOf
          step={step}
          settings={settings}
          answers={answers}
          onDone={() => changeView({ step: stepAfter(step, steps) })}
        />
      </div>
    </div>
  );
}

export default function SetupPage() {
  const { setup: words } = useOrganizeMessages();
  const settings = useSettings();
  return (
    <>
      <h1>{words.title}</h1>
      <ListState of={settings}>{(data) => <Steps settings={data} />}</ListState>
    </>
  );
}
