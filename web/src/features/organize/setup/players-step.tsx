/** Setup step about the players: who may sign up, their network, the captcha. */
import type { Settings, SettingValues } from "../../../api/organize-settings";
import { STUDENT_LABEL } from "../../../domain/student-label";
import { useMessages } from "../../../messages/language";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { formText } from "../../../ui/field/field";
import { rowsOf } from "../event/settings-form";
import { type Answers, TRUSTED, unfixed } from "./answers";
import {
  Answer,
  AnswerChoice,
  AnswerTick,
  AnswerTime,
  Ask,
  StepForm,
  type StepProps,
  useAction,
} from "./form";
import { SecretField } from "./mail-step";
import styles from "./setup.module.css";
import { SignupForm, signupFormOf } from "./signup-form";
import { rememberPlayers, SIGNUPS } from "./steps";

type Section = "registration" | "captcha" | "limits";

const listed = (text: string) => text.split(/[\s,;]+/).filter(Boolean);

function registrationOf(answers: Answers): SettingValues {
  const { signup, opens, closes, domains = "", confirm, studentLabel = "" } = answers;
  const maxTeams = Number((answers.maxTeams ?? "").trim());
  const emailDomains = listed(domains);
  return {
    open: signup !== "closed",
    opens: opens || null,
    closes: closes || null,
    max_teams: maxTeams > 0 ? maxTeams : null,
    waiting_list: (maxTeams > 0 && answers.waitingList === "yes") || null,
    email_domains: emailDomains.length > 0 ? emailDomains : null,
    confirm_email: confirm === "yes",
    student_label: studentLabel.trim() || null,
    ...signupFormOf(answers),
  };
}

function limitsOf({ network, networks = "" }: Answers): SettingValues {
  if (network !== "yes") return { [SIGNUPS]: null, [TRUSTED]: null };
  const trusted = listed(networks);
  return { [SIGNUPS]: 0, [TRUSTED]: trusted.length > 0 ? trusted : null };
}

function captchaOf({ provider = "off", siteKey = "" }: Answers, secret: string): SettingValues {
  if (provider === "altcha" || provider === "off") return { provider };
  return { provider, site_key: siteKey.trim(), ...(secret ? { secret } : {}) };
}

/** Default of each setting that is not empty by default. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  codes: "none",
  max_teams: 0,
  waiting_list: false,
};

/** Comparable form of a setting: a time in epoch milliseconds, null if unset or the default. */
function comparable(key: string, value: unknown): string {
  if (key === "fields") return JSON.stringify(rowsOf(value));
  const isTime = (key === "opens" || key === "closes") && typeof value === "string";
  const isList = Array.isArray(value) && value.length === 0;
  const isEmpty = value === undefined || isList || value === DEFAULTS[key];
  return JSON.stringify(isTime ? Date.parse(value) : isEmpty ? null : value);
}

/** Values that differ from the settings. An unset label is the same as none. */
function changed(settings: Settings, section: Section, values: SettingValues): SettingValues {
  const now = settings.sections[section] ?? {};
  const entries = Object.entries(unfixed(settings, section, values));
  return Object.fromEntries(
    entries.filter(([key, one]) => comparable(key, one) !== comparable(key, now[key])),
  );
}

function Signup({ settings, draft }: Pick<StepProps, "settings" | "draft">) {
  const { players: words } = useOrganizeMessages().setup;
  const { translate } = useMessages();
  const of = (setting: string) => ({ settings, section: "registration", setting });
  const { signup } = draft.values;
  return (
    <Ask
      draft={draft}
      name="signup"
      question={words.signupAsk}
      modes={words.signupModes}
      notes={words.signupNotes}
      of={of("open")}
    >
      {signup !== "closed" && (
        <>
          <div className={styles.pair}>
            <AnswerTime draft={draft} name="opens" label={words.opens} of={of("opens")} />
            <AnswerTime draft={draft} name="closes" label={words.closes} of={of("closes")} />
          </div>
          <Answer
            draft={draft}
            name="maxTeams"
            label={words.maxTeams}
            type="number"
            min={1}
            max={1_000_000}
            of={of("max_teams")}
          />
          {Number(draft.values.maxTeams) > 0 && (
            <AnswerTick
              draft={draft}
              name="waitingList"
              label={words.waitingList}
              note={words.waitingListNote}
              of={of("waiting_list")}
            />
          )}
          <Answer
            draft={draft}
            name="domains"
            label={words.domains}
            hint={words.domainsNote}
            of={of("email_domains")}
          />
          <AnswerTick
            draft={draft}
            name="confirm"
            label={words.confirm}
            note={words.confirmNote}
            of={of("confirm_email")}
          />
          <Answer
            draft={draft}
            name="studentLabel"
            label={words.studentLabel}
            hint={words.studentNote}
            placeholder={translate({ message: STUDENT_LABEL })}
            of={of("student_label")}
          />
          <SignupForm settings={settings} draft={draft} />
        </>
      )}
    </Ask>
  );
}

function Network({ settings, draft }: Pick<StepProps, "settings" | "draft">) {
  const { players: words } = useOrganizeMessages().setup;
  const { theNetwork, theNetworkHint } = useOrganizeMessages().console;
  const of = (setting: string) => ({ settings, section: "limits", setting });
  return (
    <Ask
      draft={draft}
      name="network"
      question={words.networkAsk}
      modes={words.networkModes}
      notes={words.networkNotes}
      of={of(SIGNUPS)}
    >
      {draft.values.network === "yes" && (
        <Answer
          draft={draft}
          name="networks"
          label={theNetwork}
          hint={theNetworkHint}
          of={of(TRUSTED)}
        />
      )}
    </Ask>
  );
}

function Captcha({ settings, draft }: Pick<StepProps, "settings" | "draft">) {
  const { players: words } = useOrganizeMessages().setup;
  const { provider = "off" } = draft.values;
  const of = (setting: string) => ({ settings, section: "captcha", setting });
  return (
    <div className={styles.ask}>
      <AnswerChoice
        draft={draft}
        name="provider"
        label={words.captcha}
        of={of("provider")}
        options={[
          ["altcha", words.altcha],
          ["recaptcha", "reCAPTCHA"],
          ["hcaptcha", "hCaptcha"],
          ["turnstile", "Turnstile"],
          ["off", words.off],
        ]}
      />
      <p className={provider === "off" ? "org-near" : styles.note}>
        {provider === "off" ? words.offNote : words.captchaNote}
      </p>
      {provider !== "altcha" && provider !== "off" && (
        <>
          <Answer draft={draft} name="siteKey" label={words.siteKey} of={of("site_key")} required />
          <SecretField settings={settings} section="captcha" name="secret" label={words.secret} />
        </>
      )}
    </div>
  );
}

export function PlayersStep({ settings, draft, onDone }: StepProps) {
  const { players: words } = useOrganizeMessages().setup;
  const action = useAction();
  const { values: answers } = draft;
  async function save(form: HTMLFormElement) {
    const secret = formText(form, "secret").trim();
    const all: Readonly<Record<Section, SettingValues>> = {
      registration: registrationOf(answers),
      captcha: captchaOf(answers, secret),
      limits: limitsOf(answers),
    };
    for (const section of ["registration", "captcha", "limits"] as const) {
      // A campus that never was one needs no change of the limits.
      const isUnasked = section === "limits" && answers.network !== "yes" && !wasOneNetwork;
      const values = changed(settings, section, all[section]);
      if (isUnasked || Object.keys(values).length === 0) continue;
      await action("settings.set", { section, values });
    }
    rememberPlayers();
  }
  const wasOneNetwork = String(settings.sections.limits?.[SIGNUPS]) === "0";
  return (
    <StepForm words={words} draft={draft} save={save} onDone={onDone}>
      <Signup settings={settings} draft={draft} />
      <Network settings={settings} draft={draft} />
      <Captcha settings={settings} draft={draft} />
    </StepForm>
  );
}
