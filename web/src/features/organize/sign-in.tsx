/** Organizer login: name, password and captcha, then two-factor authentication. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { apiUrl } from "../../api/base";
import { codeOf, type FactorRequest, postFactor, postSession } from "../../api/organize";
import { useCtf } from "../../api/queries";
import { useOrganizeMessages } from "../../messages/organize/words";
import { go } from "../../navigate";
import {
  Captcha,
  type CaptchaHandle,
  captchaProvider,
  INVALID_CAPTCHA,
} from "../../ui/captcha/captcha";
import { Field, Form, formText } from "../../ui/field/field";
import { FormPage } from "../../ui/form-page/form-page";
import { useNotify } from "../../ui/notification/notification";
import { choosePreference, ORGANIZER } from "../../ui/preference/preference";
import { FactorForm } from "./code-form";
import { useFault, useSentence, useShowError } from "./fault";
import styles from "./organize.module.css";
import { HttpsRequired } from "./query-content";

function PasswordForm({ onDone }: { onDone: () => void }) {
  const words = useOrganizeMessages();
  const settings = useCtf().data?.info.captcha;
  const captcha = useRef<CaptchaHandle>(null);
  const { notify, clear } = useNotify();
  const sentence = useSentence();
  const showError = useShowError();
  const { field, fault, show } = useFault();
  const signIn = useMutation({
    mutationFn: postSession,
    onSuccess: onDone,
    onError: (error) => {
      if (codeOf(error) === "organizer_credentials_wrong") show(sentence(error));
      else showError(error);
    },
    // Each attempt needs a new token.
    onSettled: () => captcha.current?.reset(),
  });
  function submit(form: HTMLFormElement) {
    const captchaToken = captcha.current?.token() ?? null;
    clear();
    show(null);
    if (captchaToken === null) return notify("error", INVALID_CAPTCHA);
    const [name, password] = [formText(form, "name").trim(), formText(form, "password")];
    signIn.mutate({ name, password, captchaToken });
  }
  return (
    <Form onSubmit={submit}>
      <Field announced label={words.name} name="name" autoComplete="username" required />
      <Field
        announced
        ref={field}
        label={words.signIn.password}
        name="password"
        type="password"
        autoComplete="current-password"
        fault={fault}
        required
      />
      {settings && (
        <Captcha
          ref={captcha}
          provider={captchaProvider(settings.provider)}
          siteKey={settings.siteKey ?? null}
          challengeUrl={apiUrl("/captcha")}
          onError={showError}
        />
      )}
      <button type="submit" disabled={signIn.isPending}>
        {words.signIn.button}
      </button>
    </Form>
  );
}

/** Second step. If the session has ended, the login starts over. */
function FactorStep({ onEnded }: { onEnded: () => void }) {
  const words = useOrganizeMessages();
  const { notify } = useNotify();
  async function prove(proof: FactorRequest) {
    try {
      await postFactor(proof);
      go("/organize", { replace: true });
    } catch (error) {
      if (codeOf(error) !== "login_needed") throw error;
      notify("error", { message: words.signIn.ended });
      onEnded();
    }
  }
  return (
    <div className={styles.stack}>
      <p>{words.signIn.codeNote}</p>
      <FactorForm prove={prove} />
    </div>
  );
}

export default function SignInPage() {
  const words = useOrganizeMessages();
  const cache = useQueryClient();
  const [isSignedIn, setSignedIn] = useState(false);
  // Cached data of the previous organizer must not be shown to the next one.
  useEffect(() => {
    cache.removeQueries({ queryKey: ["organize"] });
    choosePreference(ORGANIZER, "no");
  }, [cache]);
  return (
    <FormPage title={words.signIn.title}>
      {!window.isSecureContext ? (
        <HttpsRequired />
      ) : isSignedIn ? (
        <FactorStep onEnded={() => setSignedIn(false)} />
      ) : (
        <PasswordForm onDone={() => setSignedIn(true)} />
      )}
    </FormPage>
  );
}
