/** From an empty event to one that runs, step by step; the step is in the address. */
import { type ComponentType, useEffect, useRef } from "react";
import type { Settings } from "../../../api/organize-settings";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { ListState } from "../frame/list";
import { useChallenges, useMay, useSettings } from "../frame/reading";
import { changeView, useView, ViewLink } from "../frame/view";
import { ChallengeStep, NameStep, RulesStep, StartStep, type StepProps } from "./event-steps";
import { CaptchaStep, MailStep } from "./service-steps";
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
    <nav aria-label={words.progress} className="org-stack">
      <p className="org-note">{words.count(count, steps.length)}</p>
      <ol className="org-steps">
        {steps.map((one) => (
          <li key={one}>
            <ViewLink
              changes={{ step: one }}
              className="org-badge"
              aria-current={one === step ? "step" : undefined}
            >
              {words[one].title}
              {done[one] && (
                <>
                  {" "}
                  <span className="org-good">
                    <span aria-hidden="true">✓</span>
                    <span className="visually-hidden">{words.done}</span>
                  </span>
                </>
              )}
            </ViewLink>
          </li>
        ))}
      </ol>
    </nav>
  );
}

const FORMS: Readonly<Record<Step, ComponentType<StepProps>>> = {
  name: NameStep,
  rules: RulesStep,
  mail: MailStep,
  captcha: CaptchaStep,
  challenge: ChallengeStep,
  start: StartStep,
};

function Steps({ settings }: { settings: Settings }) {
  const challenges = useChallenges().data?.length ?? 0;
  const asked = useView()("step");
  const steps = stepsFor(useMay());
  const done = doneSteps(settings, challenges, Date.now());
  // Without an event there is nothing that another step could change.
  const step = settings.event ? stepAt(asked, steps, done) : "name";
  const Form = FORMS[step];
  const box = useRef<HTMLDivElement>(null);
  const first = useRef(step);
  useEffect(() => {
    if (first.current === step) return;
    first.current = step;
    box.current?.querySelector<HTMLElement>("input, textarea, select, button, a")?.focus();
  }, [step]);
  return (
    <>
      <Progress step={step} steps={steps} done={done} />
      <div ref={box} key={step} className="org-setup">
        <Form settings={settings} onDone={() => changeView({ step: stepAfter(step, steps) })} />
      </div>
    </>
  );
}

export default function SetupPage() {
  const { setup: words } = useOrganizeMessages();
  const settings = useSettings();
  return (
    <>
      <div className="org-bar">
        <h1>{words.title}</h1>
      </div>
      <ListState of={settings}>{(data) => <Steps settings={data} />}</ListState>
    </>
  );
}
