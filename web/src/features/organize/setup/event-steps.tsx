/** Setup steps for the event: name and times, rules, the first challenge, the start. */
import { useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { SETTINGS_KEY, type Settings } from "../../../api/organize-settings";
import { CTF_KEY } from "../../../api/queries";
import { isZone } from "../../../domain/zoned";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { useOpenAction } from "../change/action-dialog";
import { LongField } from "../change/fields";
import { useMay, useOverview } from "../frame/queries";
import { Readiness } from "../overview/readiness-list";
import { ClockField, useEventTimeText } from "../time-field";
import { type Answers, changedTimes, timeFault, timesOf } from "./answers";
import { Answer, Ask, StepForm, type StepProps, useAction } from "./form";
import styles from "./setup.module.css";
import { challengeId } from "./steps";

function ZoneNames({ id }: { id: string }) {
  return (
    <datalist id={id}>
      {Intl.supportedValuesOf("timeZone").map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}

function TimeZone({ draft }: Pick<StepProps, "draft">) {
  const { name: words } = useOrganizeMessages().setup;
  const { times } = useOrganizeMessages().console;
  const zonesId = useId();
  return (
    <>
      <Answer
        announced
        draft={draft}
        name="timezone"
        label={words.timezone}
        hint={words.timezoneHint}
        fault={isZone(draft.values.timezone?.trim() ?? "") ? null : times.zoneUnknown}
        list={zonesId}
        required
      />
      <ZoneNames id={zonesId} />
    </>
  );
}

function EventClock(props: StepProps & { name: string; label: string; fault: string | null }) {
  const { draft, name, label, fault } = props;
  return (
    <ClockField
      announced
      label={label}
      zone={draft.values.timezone?.trim() ?? ""}
      text={draft.values[name] ?? ""}
      fault={fault}
      required
      onText={(text) => draft.set(name, text)}
    />
  );
}

/** Start, end, and the questions about the freeze and the ceremony. */
function Times(props: StepProps) {
  const { draft } = props;
  const { name: words } = useOrganizeMessages().setup;
  const { reveal } = useOrganizeMessages().console;
  const { faults } = useOrganizeMessages().pages.event;
  const found = timeFault(timesOf(draft.values));
  const faultOf = (field: string) => (found?.field === field ? wordFor(faults, found.code) : null);
  const isTyped = draft.values.freeze === "time";
  return (
    <>
      <div className={styles.pair}>
        <EventClock {...props} name="start" label={words.start} fault={null} />
        <EventClock {...props} name="end" label={words.end} fault={faultOf("end")} />
      </div>
      <Ask
        draft={draft}
        name="freeze"
        question={words.freezeAsk}
        modes={words.freezeModes}
        notes={words.freezeNotes}
      >
        {isTyped && (
          <EventClock {...props} name="freezeAt" label={words.freeze} fault={faultOf("freeze")} />
        )}
        {!isTyped && found?.field === "freeze" && (
          <p role="alert" className="org-fault">
            {faultOf("freeze")}
          </p>
        )}
      </Ask>
      <Ask
        draft={draft}
        name="reveal"
        question={words.revealAsk}
        modes={words.revealModes}
        notes={reveal.notes}
      />
    </>
  );
}

const ACCENT = /^#[0-9a-f]{6}$/i;

function Look({ draft, settings }: StepProps) {
  const { name: words } = useOrganizeMessages().setup;
  const { accent = "", banner = "" } = draft.values;
  const of = (setting: string) => ({ settings, section: "site", setting });
  const isWrong = accent.trim() !== "" && !ACCENT.test(accent.trim());
  return (
    <details className={styles.look} open={accent !== "" || banner !== ""}>
      <summary>{words.look}</summary>
      <Answer draft={draft} name="banner" label={words.banner} of={of("banner")} />
      <Answer
        draft={draft}
        name="accent"
        label={words.accent}
        hint={words.accentHint}
        fault={isWrong ? words.accentFault : null}
        of={of("accent")}
      />
    </details>
  );
}

/** Changed keys of `[site]`. */
function lookOf({ banner = "", accent = "" }: Answers, { sections, fixed }: Settings) {
  const typed = Object.entries({ banner: banner.trim(), accent: accent.trim() });
  const changed = typed.filter(([key, value]) => {
    return value !== (sections.site?.[key] ?? "") && !fixed.site?.includes(key);
  });
  return Object.fromEntries(changed.map(([key, value]) => [key, value || null]));
}

export function NameStep(props: StepProps) {
  const { settings, draft, onDone } = props;
  const { name: words } = useOrganizeMessages().setup;
  const action = useAction();
  const may = useMay();
  const { values } = draft;
  async function save() {
    const { name = "", timezone = "", flagFormat = "", reveal = "auto" } = values;
    await action("event.name", { name, timezone: timezone.trim(), flagFormat, reveal });
    const moved = changedTimes(values, settings.event);
    if (Object.keys(moved).length > 0) await action("event.times", moved);
    const look = lookOf(values, settings);
    if (Object.keys(look).length > 0) await action("brand.set", { values: look });
  }
  return (
    <StepForm words={words} draft={draft} save={save} onDone={onDone} canSkip={false}>
      <Answer draft={draft} name="name" label={words.event} maxLength={200} required />
      <TimeZone draft={draft} />
      <Times {...props} />
      <Answer draft={draft} name="flagFormat" label={words.flagFormat} maxLength={200} />
      {may("brand.set") && <Look {...props} />}
    </StepForm>
  );
}

export function RulesStep({ settings, draft, onDone }: StepProps) {
  const { rules: words } = useOrganizeMessages().setup;
  const action = useAction();
  const { text = "" } = draft.values;
  return (
    <StepForm
      words={settings.rulesFromFiles ? { ...words, note: words.fromFiles } : words}
      draft={draft}
      save={() => action("event.rules", { text })}
      onDone={onDone}
    >
      <LongField
        label={words.text}
        hint={words.hint}
        value={text}
        maxLength={100_000}
        rows={14}
        onChange={(typed) => draft.set("text", typed)}
      />
    </StepForm>
  );
}

export function ChallengeStep({ draft, onDone }: StepProps) {
  const { challenge: words } = useOrganizeMessages().setup;
  const action = useAction();
  async function save() {
    const { name = "", category = "", text = "", flag = "", points = "" } = draft.values;
    const challenge = challengeId(name.trim(), Date.now());
    const fields = {
      name: name.trim(),
      category: category.trim(),
      description: text,
      type: "standard",
      value: Number(points),
      flags: [flag.trim()],
    };
    await action("challenge.create", { challenge, fields });
    await action("challenge.release", { challenge });
  }
  const one = { draft, required: true };
  return (
    <StepForm words={words} draft={draft} save={save} onDone={onDone}>
      <Answer {...one} name="name" label={words.name} maxLength={100} />
      <LongField
        label={words.text}
        hint={words.textHint}
        value={draft.values.text ?? ""}
        maxLength={100_000}
        rows={5}
        onChange={(typed) => draft.set("text", typed)}
      />
      <Answer {...one} name="flag" label={words.flag} maxLength={256} />
      <div className={styles.pair}>
        <Answer {...one} name="category" label={words.category} maxLength={50} />
        <Answer {...one} name="points" label={words.points} type="number" min={0} step={1} />
      </div>
    </StepForm>
  );
}

function Missing() {
  const overview = useOverview().data;
  return overview ? <Readiness overview={overview} /> : null;
}

/** Last step: what is missing for the day; the event starts at its time, or now by the dialog. */
export function StartStep({ settings, onDone }: Omit<StepProps, "draft">) {
  const { start: words } = useOrganizeMessages().setup;
  const ask = useOpenAction();
  const cache = useQueryClient();
  const timeText = useEventTimeText();
  const { event } = settings;
  if (!event?.start || !event.end) return <p>{words.unnamed}</p>;
  const { name } = event;
  if (event.start <= Date.now()) {
    return (
      <section className={styles.form}>
        <h2>{words.title}</h2>
        <p>{event.end <= Date.now() ? words.ended(name) : words.started(name)}</p>
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
    <>
      <section className={styles.form}>
        <h2>{words.title}</h2>
        <p className={styles.note}>{words.note(timeText(event.start))}</p>
        <div className={styles.foot}>
          <button type="button" className="org-do button-primary" onClick={startNow}>
            {words.now}
          </button>
          <a href="/organize">{words.wait}</a>
        </div>
      </section>
      <Missing />
    </>
  );
}
