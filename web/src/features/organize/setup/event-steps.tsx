/** The steps about the event itself: name and times, rules, the first challenge, the start. */
import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { SETTINGS_KEY, type Settings } from "../../../api/organize-settings";
import { CTF_KEY } from "../../../api/queries";
import { clockTime, isZone, momentOf } from "../../../domain/zoned";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { Field, formText } from "../../../ui/field/field";
import { useAsk } from "../change/acting";
import { LongField } from "../change/fields";
import { RevealMode } from "../event/reveal";
import { ClockField, deviceZone, useEventTimeText } from "../time-field";
import { StepForm, useAction } from "./form";
import { challengeId, proposedTimes } from "./steps";

export interface StepProps {
  settings: Settings;
  onDone: () => void;
}

const TIMES = ["start", "end", "freeze"] as const;

/** Those of the times that the texts change, on the clock of a zone. */
function changedTimes(
  texts: Readonly<Record<string, string>>,
  zone: string,
  event: Settings["event"],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    TIMES.flatMap((name) => {
      const ms = momentOf(texts[name] ?? "", zone);
      const known = event?.[name];
      const isKnown = typeof known === "number" && texts[name] === clockTime(known, zone);
      return ms === null || isKnown ? [] : [[name, new Date(ms).toISOString()]];
    }),
  );
}

function ZoneNames({ id }: { id: string }) {
  return (
    <datalist id={id}>
      {Intl.supportedValuesOf("timeZone").map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}

export function NameStep({ settings, onDone }: StepProps) {
  const { name: words } = useOrganizeMessages().setup;
  const { times } = useOrganizeMessages().console;
  const zonesId = useId();
  const action = useAction();
  const { event } = settings;
  const [reveal, setReveal] = useState(event?.reveal ?? "auto");
  const [proposed] = useState(() => proposedTimes(Date.now()));
  const [zone, setZone] = useState(event?.timezone ?? deviceZone());
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() => {
    const first = { ...proposed, freeze: undefined };
    const text = (at: number | null | undefined) => (at ? clockTime(at, zone) : "");
    return Object.fromEntries(TIMES.map((name) => [name, text(event?.[name] ?? first[name])]));
  });
  async function save(form: HTMLFormElement) {
    await action("event.name", {
      name: formText(form, "name"),
      timezone: zone.trim(),
      flagFormat: formText(form, "flagFormat"),
      reveal,
    });
    const moved = changedTimes(texts, zone.trim(), event);
    if (Object.keys(moved).length > 0) await action("event.times", moved);
  }
  return (
    <StepForm words={words} save={save} onDone={onDone} canSkip={false}>
      <Field
        label={words.event}
        name="name"
        defaultValue={event?.name}
        maxLength={200}
        autoComplete="off"
        required
      />
      <Field
        announced
        label={words.timezone}
        hint={words.timezoneHint}
        fault={isZone(zone.trim()) ? null : times.zoneUnknown}
        list={zonesId}
        value={zone}
        autoComplete="off"
        required
        onChange={(event) => setZone(event.currentTarget.value)}
      />
      <ZoneNames id={zonesId} />
      {TIMES.map((name) => (
        <ClockField
          key={name}
          label={words[name]}
          hint={name === "freeze" ? words.freezeHint : undefined}
          zone={zone.trim()}
          text={texts[name] ?? ""}
          required={name !== "freeze"}
          onText={(text) => setTexts({ ...texts, [name]: text })}
        />
      ))}
      <RevealMode mode={reveal} onChange={setReveal} />
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

export function RulesStep({ settings, onDone }: StepProps) {
  const { rules: words } = useOrganizeMessages().setup;
  const action = useAction();
  const { rules, rulesFromFiles } = settings;
  const [text, setText] = useState(rules ?? (rulesFromFiles ? "" : words.template));
  return (
    <StepForm
      words={rulesFromFiles ? { ...words, note: words.fromFiles } : words}
      save={() => action("event.rules", { text })}
      onDone={onDone}
    >
      <LongField
        label={words.text}
        hint={words.hint}
        value={text}
        maxLength={100_000}
        rows={12}
        onChange={setText}
      />
    </StepForm>
  );
}

export function ChallengeStep({ onDone }: StepProps) {
  const { challenge: words } = useOrganizeMessages().setup;
  const action = useAction();
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
    await action("challenge.create", { challenge, fields });
    await action("challenge.release", { challenge });
  }
  return (
    <StepForm words={words} save={save} onDone={onDone}>
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

/** The last step: the event begins at its time, or now by the sheet of its times. */
export function StartStep({ settings, onDone }: StepProps) {
  const { start: words } = useOrganizeMessages().setup;
  const ask = useAsk();
  const cache = useQueryClient();
  const timeText = useEventTimeText();
  const { event } = settings;
  if (!event?.start || !event.end) return <p>{words.unnamed}</p>;
  const { name } = event;
  if (event.start <= Date.now()) {
    return (
      <section className="org-card">
        <h2>{words.title}</h2>
        <p>{words.started(name)}</p>
        <p className="org-links">
          <a href="/">{words.players}</a> <a href="/organize">{words.pages}</a>
        </p>
      </section>
    );
  }
  async function finish() {
    void cache.invalidateQueries({ queryKey: CTF_KEY });
    await cache.invalidateQueries({ queryKey: SETTINGS_KEY });
    onDone();
  }
  function startNow() {
    const fixed = { start: new Date().toISOString(), freeze: undefined, end: undefined };
    ask({ action: "event.times", fixed, object: name, onDone: () => void finish() });
  }
  return (
    <section className="org-card">
      <h2>{words.title}</h2>
      <p className="org-note">{words.note(timeText(event.start))}</p>
      <div className="org-actions">
        <button type="button" className="org-do" onClick={startNow}>
          {words.now}
        </button>
      </div>
      <p className="org-links">
        <a href="/organize">{words.wait}</a>
      </p>
    </section>
  );
}
