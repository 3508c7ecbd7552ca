/** Setup step for the mail server, with a test email. */
import { useEffect, useState } from "react";
import { postMailTest, type Settings, type SettingValues } from "../../../api/organize-settings";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Field, formText } from "../../../ui/field/field";
import { useFaultText } from "../fault";
import { rememberMailTest } from "../overview/readiness";
import { useCall } from "../second-factor-gate";
import { type Answers, unfixed } from "./answers";
import { Answer, AnswerChoice, StepForm, type StepProps, useAction } from "./form";
import styles from "./setup.module.css";

/** Field for a secret, which is never shown or kept. Left empty, the secret stays unchanged. */
export function SecretField(props: {
  settings: Settings;
  section: string;
  name: string;
  label: string;
}) {
  const { settings, section, name, label } = props;
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

/** Unsaved `[mail]` values of the form. */
function mailValues(values: Answers, form: HTMLFormElement): SettingValues {
  const text = (name: string) => values[name]?.trim() ?? "";
  const [transport, from] = [text("transport"), text("from")];
  if (transport !== "smtp") return { transport, from: from || null };
  const password = formText(form, "password").trim();
  return {
    transport,
    from,
    tls: text("tls"),
    host: text("host") || null,
    port: text("port") ? Number(text("port")) : null,
    username: text("username") || null,
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
  const isSent = data?.sent === true && props.transport === "smtp";
  useEffect(() => {
    if (isSent) rememberMailTest();
  }, [isSent]);
  return (
    <fieldset className={styles.ask}>
      <legend>{words.test}</legend>
      <Field
        label={words.testTo}
        type="email"
        autoComplete="email"
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <div className={styles.foot}>
        <button
          type="button"
          aria-disabled={isPending}
          onClick={({ currentTarget: { form } }) => form && !isPending && mutate(form)}
        >
          {words.testSend}
        </button>
      </div>
      <div role="status">
        {isPending && <p className={styles.note}>{words.testing}</p>}
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

type MailProps = Pick<StepProps, "settings" | "draft">;
type MailSetting = "transport" | "from" | "host" | "tls" | "port" | "username";

/** Props of the field for a `[mail]` setting. */
function useMailField({ settings, draft }: MailProps) {
  const { mail: words } = useOrganizeMessages().setup;
  return (setting: MailSetting) => ({
    draft,
    name: setting,
    label: words[setting],
    of: { settings, section: "mail", setting },
  });
}

function SmtpFields({ settings, draft }: MailProps) {
  const { mail: words } = useOrganizeMessages().setup;
  const field = useMailField({ settings, draft });
  return (
    <>
      <Answer {...field("host")} required />
      <div className={styles.pair}>
        <AnswerChoice
          {...field("tls")}
          options={[
            ["starttls", words.starttls],
            ["tls", words.tlsAlways],
            ["none", words.noTls],
          ]}
        />
        <Answer {...field("port")} hint={words.portHint} type="number" />
      </div>
      <Answer {...field("username")} />
      <SecretField settings={settings} section="smtp" name="password" label={words.password} />
    </>
  );
}

export function MailStep({ settings, draft, onDone }: StepProps) {
  const { mail: words } = useOrganizeMessages().setup;
  const action = useAction();
  const isSmtp = draft.values.transport === "smtp";
  const typed = (form: HTMLFormElement) => {
    return unfixed(settings, "mail", mailValues(draft.values, form));
  };
  const field = useMailField({ settings, draft });
  return (
    <StepForm
      words={words}
      draft={draft}
      save={(form) => action("settings.set", { section: "mail", values: typed(form) })}
      onDone={onDone}
    >
      <AnswerChoice
        {...field("transport")}
        options={[
          ["file", words.file],
          ["smtp", words.smtp],
        ]}
      />
      <Answer {...field("from")} hint={words.fromHint} required={isSmtp} />
      {isSmtp && <SmtpFields settings={settings} draft={draft} />}
      <MailTest transport={draft.values.transport ?? ""} values={typed} />
    </StepForm>
  );
}
