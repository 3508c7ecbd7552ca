/** The steps about what others run: the mail server and the captcha. */
import { type ComponentProps, useState } from "react";
import { postMailTest, type Settings, type SettingValues } from "../../../api/organize-settings";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Field, formText } from "../../../ui/field/field";
import { Select, Tick } from "../change/fields";
import { useFaultText } from "../fault";
import { useCall } from "../gate";
import type { StepProps } from "./event-steps";
import { StepForm, useAction } from "./form";
import { NO_SENDER } from "./steps";

type Section = Readonly<Record<string, unknown>>;

function textOf(section: Section | undefined, key: string): string {
  const value = section?.[key];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** The keys of a section that files leave to the site. */
function open(settings: Settings, section: string, values: SettingValues): SettingValues {
  const fixed = settings.fixed[section] ?? [];
  return Object.fromEntries(Object.entries(values).filter(([key]) => !fixed.includes(key)));
}

interface KeyProps {
  settings: Settings;
  section: string;
  name: string;
  label: string;
}

/** A field of a section; what files set is shown and cannot be changed. */
function SettingField(props: KeyProps & ComponentProps<typeof Field>) {
  const { settings, section, name, hint, ...field } = props;
  const { fixed } = useOrganizeMessages().setup;
  const isFixed = settings.fixed[section]?.includes(name) ?? false;
  return (
    <Field
      autoComplete="off"
      maxLength={field.type === "number" ? undefined : 500}
      defaultValue={textOf(settings.sections[section], name)}
      {...field}
      name={name}
      hint={isFixed ? fixed : hint}
      readOnly={isFixed}
    />
  );
}

/** A choice of a section; what files set is shown and cannot be changed. */
function SettingChoice(props: KeyProps & ComponentProps<typeof Select>) {
  const { settings, section, name, ...select } = props;
  const { fixed } = useOrganizeMessages().setup;
  const isFixed = settings.fixed[section]?.includes(name) ?? false;
  return (
    <div>
      <Select disabled={isFixed} {...select} />
      {isFixed && <p className="org-note">{fixed}</p>}
    </div>
  );
}

/** The field of a secret, which is never shown: left empty, it stays as it is. */
function SecretField({ settings, section, name, label }: KeyProps) {
  const { secrets } = useOrganizeMessages().setup;
  const place = settings.secrets[`${section}_${name}`] ?? "unset";
  return (
    <Field
      label={label}
      name={name}
      type="password"
      hint={wordFor(secrets, place)}
      readOnly={place === "environment"}
      autoComplete="off"
      maxLength={1000}
    />
  );
}

/** The values of `[mail]` as they are typed. */
function mailValues(form: HTMLFormElement, transport: string, tls: string): SettingValues {
  const from = formText(form, "from").trim();
  if (transport !== "smtp") return { transport, from: from || null };
  const [host, port, username, password] = ["host", "port", "username", "password"].map((name) =>
    formText(form, name).trim(),
  );
  return {
    transport,
    from,
    tls,
    host: host || null,
    port: port ? Number(port) : null,
    username: username || null,
    ...(password ? { password } : {}),
  };
}

function MailTest(props: { transport: string; values: (form: HTMLFormElement) => SettingValues }) {
  const { mail: words } = useOrganizeMessages().setup;
  const faultText = useFaultText();
  const [to, setTo] = useState("");
  const { data, error, isPending, mutate } = useCall((form: HTMLFormElement) => {
    return postMailTest(to, props.values(form));
  });
  return (
    <fieldset className="org-stack">
      <legend>{words.test}</legend>
      <Field
        label={words.testTo}
        type="email"
        autoComplete="email"
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <div className="org-actions">
        <button
          type="button"
          aria-disabled={isPending}
          onClick={({ currentTarget: { form } }) => form && !isPending && mutate(form)}
        >
          {words.testSend}
        </button>
      </div>
      <div role="status">
        {isPending && <p className="org-note">{words.testing}</p>}
        {data?.sent && (
          <p className="org-good">{props.transport === "smtp" ? words.sent : words.written}</p>
        )}
        {data && !data.sent && (
          <p className="org-fault">
            {words.notSent} <q lang="en">{data.serverSaid}</q>
          </p>
        )}
        {error && <p className="org-fault">{faultText(error)}</p>}
      </div>
    </fieldset>
  );
}

function SmtpFields(props: { settings: Settings; tls: string; onTls: (tls: string) => void }) {
  const { settings, tls, onTls } = props;
  const { mail: words } = useOrganizeMessages().setup;
  const mail = settings.sections.mail;
  const shared = { settings, section: "mail" };
  return (
    <>
      <SettingField {...shared} name="host" label={words.host} required />
      <SettingChoice
        {...shared}
        name="tls"
        label={words.tls}
        value={tls}
        options={[
          ["starttls", words.starttls],
          ["tls", words.tlsAlways],
          ["none", words.noTls],
        ]}
        onChange={onTls}
      />
      <SettingField
        {...shared}
        name="port"
        label={words.port}
        hint={words.portHint}
        type="number"
        defaultValue={textOf(mail, "transport") === "smtp" ? textOf(mail, "port") : ""}
      />
      <SettingField {...shared} name="username" label={words.username} />
      <SecretField settings={settings} section="smtp" name="password" label={words.password} />
    </>
  );
}

export function MailStep({ settings, onDone }: StepProps) {
  const { mail: words } = useOrganizeMessages().setup;
  const action = useAction();
  const mail = settings.sections.mail;
  const [transport, setTransport] = useState(textOf(mail, "transport") || "file");
  const [tls, setTls] = useState(textOf(mail, "tls") || "starttls");
  const typed = (form: HTMLFormElement) => open(settings, "mail", mailValues(form, transport, tls));
  const from = textOf(mail, "from");
  const shared = { settings, section: "mail" };
  return (
    <StepForm
      words={words}
      save={(form) => action("settings.set", { section: "mail", values: typed(form) })}
      onDone={onDone}
    >
      <SettingChoice
        {...shared}
        name="transport"
        label={words.transport}
        value={transport}
        options={[
          ["file", words.file],
          ["smtp", words.smtp],
        ]}
        onChange={setTransport}
      />
      <SettingField
        {...shared}
        name="from"
        label={words.from}
        hint={words.fromHint}
        defaultValue={from === NO_SENDER ? "" : from}
        required={transport === "smtp"}
      />
      {transport === "smtp" && <SmtpFields settings={settings} tls={tls} onTls={setTls} />}
      <MailTest transport={transport} values={typed} />
    </StepForm>
  );
}

/** The key of the limit that a campus behind one address reaches first. */
const SIGNUPS = "signups_per_network_per_hour";
/** The key of the networks that all limits of one network spare. */
const TRUSTED = "trusted_networks";

function networksOf(section: Section | undefined): readonly string[] {
  const networks = section?.[TRUSTED];
  return Array.isArray(networks) ? networks.map(String) : [];
}

interface OneNetworkProps {
  settings: Settings;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

/** Whether most share one network, and which it is: it has to stand all of them at once. */
function OneNetwork({ settings, isOn, onChange }: OneNetworkProps) {
  const { fixed } = useOrganizeMessages().setup;
  const words = useOrganizeMessages().console;
  const { limits } = settings.sections;
  const isFixed = settings.fixed.limits?.includes(SIGNUPS) ?? false;
  return (
    <>
      <Tick label={words.oneNetwork} on={isOn} disabled={isFixed} onChange={onChange} />
      <p className="org-note">{isFixed ? fixed : words.oneNetworkNote}</p>
      {isOn && (
        <SettingField
          settings={settings}
          section="limits"
          name={TRUSTED}
          label={words.theNetwork}
          hint={words.theNetworkHint}
          defaultValue={networksOf(limits).join(" ")}
        />
      )}
    </>
  );
}

function limitValues(form: HTMLFormElement, isOneNetwork: boolean): SettingValues {
  if (!isOneNetwork) return { [SIGNUPS]: null, [TRUSTED]: null };
  const networks = formText(form, TRUSTED)
    .split(/[\s,;]+/)
    .filter(Boolean);
  return { [SIGNUPS]: 0, [TRUSTED]: networks.length > 0 ? networks : null };
}

export function CaptchaStep({ settings, onDone }: StepProps) {
  const { captcha: words } = useOrganizeMessages().setup;
  const action = useAction();
  const [provider, setProvider] = useState(
    textOf(settings.sections.captcha, "provider") || "altcha",
  );
  const wasOneNetwork = textOf(settings.sections.limits, SIGNUPS) === "0";
  const [isOneNetwork, setOneNetwork] = useState(wasOneNetwork);
  const isRemote = provider !== "altcha" && provider !== "off";
  const shared = { settings, section: "captcha" };
  async function save(form: HTMLFormElement) {
    const secret = formText(form, "secret").trim();
    const values = isRemote
      ? { provider, site_key: formText(form, "site_key").trim(), ...(secret ? { secret } : {}) }
      : { provider };
    await action("settings.set", { section: "captcha", values: open(settings, "captcha", values) });
    if (!isOneNetwork && !wasOneNetwork) return;
    const limits = open(settings, "limits", limitValues(form, isOneNetwork));
    await action("settings.set", { section: "limits", values: limits });
  }
  return (
    <StepForm words={words} save={save} onDone={onDone}>
      <SettingChoice
        {...shared}
        name="provider"
        label={words.provider}
        value={provider}
        options={[
          ["altcha", words.altcha],
          ["recaptcha", "reCAPTCHA"],
          ["hcaptcha", "hCaptcha"],
          ["turnstile", "Turnstile"],
          ["off", words.off],
        ]}
        onChange={setProvider}
      />
      {provider === "off" && <p className="org-near">{words.offNote}</p>}
      {isRemote && (
        <>
          <SettingField {...shared} name="site_key" label={words.siteKey} required />
          <SecretField {...shared} name="secret" label={words.secret} />
        </>
      )}
      <OneNetwork settings={settings} isOn={isOneNetwork} onChange={setOneNetwork} />
    </StepForm>
  );
}
