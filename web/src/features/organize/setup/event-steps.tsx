/** The steps about the event itself: name and times, rules, the first challenge, the start. */
import { useState } from "react";
import type { Settings } from "../../../api/organize-settings";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { Field, formText } from "../../../ui/field/field";
import { LongField } from "../change/fields";
import { timeValue } from "../change/order";
import { RevealMode } from "../event/reveal";
import { useTimeText } from "../time";
import { StepForm, useAct } from "./form";
import { challengeId, proposedTimes } from "./steps";

export interface StepProps {
  settings: Settings;
  onDone: () => void;
}

/** A time of a field that is another than the known one, typed in the zone of the device. */
function isoOf(form: HTMLFormElement, name: string, known: number | null | undefined) {
  const text = formText(form, name);
  const ms = Date.parse(text);
  return Number.isNaN(ms) || text === timeValue(known) ? undefined : new Date(ms).toISOString();
}

export function NameStep({ settings, onDone }: StepProps) {
  const { name: words } = useOrganizeMessages().setup;
  const act = useAct();
  const { event } = settings;
  const [reveal, setReveal] = useState(event?.reveal ?? "auto");
  const [proposed] = useState(() => proposedTimes(Date.now()));
  const zone = event?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  async function save(form: HTMLFormElement) {
    await act("event.name", {
      name: formText(form, "name"),
      timezone: formText(form, "timezone"),
      flagFormat: formText(form, "flagFormat"),
      reveal,
    });
    const start = isoOf(form, "start", event?.start);
    const end = isoOf(form, "end", event?.end);
    const freeze = isoOf(form, "freeze", event?.freeze);
    if (start || end || freeze) await act("event.times", { start, end, freeze });
  }
  const times = [
    { name: "start", at: event?.start ?? proposed.start, required: true },
    { name: "end", at: event?.end ?? proposed.end, required: true },
    { name: "freeze", at: event?.freeze, required: false },
  ] as const;
  return (
    <StepForm title={words.title} note={words.note} save={save} onDone={onDone}>
      <Field
        label={words.event}
        name="name"
        defaultValue={event?.name}
        maxLength={200}
        autoComplete="off"
        required
      />
      {times.map(({ name, at, required }) => (
        <Field
          key={name}
          label={words[name]}
          name={name}
          type="datetime-local"
          hint={name === "freeze" ? words.freezeHint : undefined}
          defaultValue={timeValue(at)}
          required={required}
        />
      ))}
      <RevealMode mode={reveal} onChange={setReveal} />
      <Field
        label={words.timezone}
        hint={words.timezoneHint}
        name="timezone"
        defaultValue={zone}
        autoComplete="off"
        required
      />
      <Field
        label={words.flagFormat}
        name="flagFormat"
        defaultValue={event?.flagFormat ?? "flag{...}"}
        maxLength={200}
        autoComplete="off"
      />
    </StepForm>
  );
}

interface SkippableProps extends StepProps {
  onSkip: () => void;
}

export function RulesStep({ settings, onDone, onSkip }: SkippableProps) {
  const { rules: words } = useOrganizeMessages().setup;
  const act = useAct();
  const { rules, rulesFromFiles } = settings;
  const [text, setText] = useState(rules ?? (rulesFromFiles ? "" : words.template));
  return (
    <StepForm
      title={words.title}
      note={rulesFromFiles ? words.fromFiles : words.note}
      save={() => act("event.rules", { text })}
      onDone={onDone}
      onSkip={onSkip}
    >
      <LongField
        label={words.text}
        hint={words.hint}
        value={text}
        fault={null}
        maxLength={100_000}
        rows={12}
        onChange={setText}
      />
    </StepForm>
  );
}

export function ChallengeStep({ onDone, onSkip }: SkippableProps) {
  const { challenge: words } = useOrganizeMessages().setup;
  const act = useAct();
  const [text, setText] = useState("");
  async function save(form: HTMLFormElement) {
    const name = formText(form, "name").trim();
    const challenge = challengeId(name, Date.now());
    const fields = {
      name,
      category: formText(form, "category").trim(),
      description: text,
      type: "standard",
      value: Number(formText(form, "points")),
      flags: [formText(form, "flag").trim()],
    };
    await act("challenge.create", { challenge, fields });
    await act("challenge.release", { challenge });
  }
  return (
    <StepForm
      title={words.title}
      note={words.note}
      save={save}
      button={words.button}
      onDone={onDone}
      onSkip={onSkip}
    >
      <Field label={words.name} name="name" maxLength={100} autoComplete="off" required />
      <Field
        label={words.category}
        name="category"
        defaultValue="misc"
        maxLength={50}
        autoComplete="off"
        required
      />
      <LongField
        label={words.text}
        hint={words.textHint}
        value={text}
        fault={null}
        maxLength={100_000}
        rows={5}
        onChange={setText}
      />
      <Field label={words.flag} name="flag" maxLength={256} autoComplete="off" required />
      <Field
        label={words.points}
        name="points"
        type="number"
        min={0}
        step={1}
        defaultValue="100"
        required
      />
    </StepForm>
  );
}

/** The last step: the event begins at its time, or now. */
export function StartStep({ settings, onDone }: StepProps) {
  const { start: words } = useOrganizeMessages().setup;
  const act = useAct();
  const timeText = useTimeText();
  const { event } = settings;
  if (!event?.start || !event.end) return <p>{words.unnamed}</p>;
  if (event.start <= Date.now()) {
    return (
      <section className="org-card">
        <h2>{words.title}</h2>
        <p>{words.started(event.name)}</p>
        <p className="org-links">
          <a href="/">{words.players}</a> <a href="/organize">{words.pages}</a>
        </p>
      </section>
    );
  }
  return (
    <StepForm
      title={words.title}
      note={words.note(timeText(event.start))}
      save={() => act("event.times", { start: new Date().toISOString() })}
      button={words.now}
      onDone={onDone}
    >
      <p className="org-links">
        <a href="/organize">{words.wait}</a>
      </p>
    </StepForm>
  );
}
