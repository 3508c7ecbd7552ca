/**
 * The captcha field for every provider. Through its handle, a form reads the token and resets the
 * captcha.
 */
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import { useLanguage, useMessages } from "../../messages/language";
import { loadChunk } from "../chunk/chunk";
import { isFirstInvalid } from "../field/field";
import field from "../field/field.module.css";
import styles from "./captcha.module.css";
import { mountRemote } from "./remote";
import type { Mounted } from "./widget";

const PROVIDERS = ["altcha", "recaptcha", "hcaptcha", "turnstile", "off"] as const;
type CaptchaProvider = (typeof PROVIDERS)[number];

/** The configured provider, or altcha if the site does not know it. */
export function captchaProvider(name: string): CaptchaProvider {
  return PROVIDERS.find((provider) => provider === name) ?? "altcha";
}

/** The same error as the server's. */
export const INVALID_CAPTCHA = { code: "captcha_invalid", message: "Invalid captcha" } as const;

export interface CaptchaHandle {
  /** The token of a solved captcha, or null. */
  token(): string | null;
  /** Resets the captcha after an attempt, since a token is valid once. */
  reset(): void;
}

interface CaptchaProps {
  provider: CaptchaProvider;
  siteKey: string | null;
  challengeUrl: string;
  onError: (error: unknown) => void;
  /** Called with each token. */
  onSolved?: (() => void) | undefined;
  ref: Ref<CaptchaHandle>;
}

/** The server accepts any text when the event has no captcha. */
const OFF_TOKEN = "off";

type Kind = Pick<CaptchaProps, "provider" | "siteKey" | "challengeUrl"> & { language: string };

async function mount(
  place: HTMLElement,
  { provider, siteKey, challengeUrl, language }: Kind,
  onToken: (token: string | null) => void,
): Promise<Mounted> {
  if (provider === "off") return { reset() {}, unmount() {} };
  if (provider !== "altcha") return mountRemote(place, provider, siteKey ?? "", onToken);
  const { mountAltcha } = await loadChunk("captcha", () => import("./altcha"));
  return mountAltcha(place, { challengeUrl, language }, onToken);
}

export function Captcha(props: CaptchaProps) {
  const { provider, siteKey, challengeUrl, onError, onSolved, ref } = props;
  const messages = useMessages();
  const { language } = useLanguage();
  const place = useRef<HTMLDivElement>(null);
  const token = useRef<string | null>(null);
  const mounted = useRef<Mounted | null>(null);
  const [loading, setLoading] = useState(provider !== "off");

  useImperativeHandle(ref, () => ({
    token: () => (provider === "off" ? OFF_TOKEN : token.current),
    reset() {
      token.current = null;
      mounted.current?.reset();
    },
  }));

  useEffect(() => {
    const box = place.current;
    if (!box) return;
    let gone = false;
    // A widget's checkbox may be `required`: show the site's message instead of the browser's.
    const refuse = (event: Event) => {
      event.preventDefault();
      event.stopPropagation();
      onError(INVALID_CAPTCHA);
      const box = event.target;
      if (box instanceof HTMLInputElement && isFirstInvalid(box)) box.focus();
    };
    box.addEventListener("invalid", refuse, true);
    const keep = (next: string | null) => {
      token.current = next;
      if (next !== null) onSolved?.();
    };
    const arrive = (widget: Mounted) => {
      if (gone) return widget.unmount();
      mounted.current = widget;
      setLoading(false);
    };
    mount(box, { provider, siteKey, challengeUrl, language }, keep).then(
      arrive,
      (error: unknown) => !gone && onError(error),
    );
    return () => {
      gone = true;
      box.removeEventListener("invalid", refuse, true);
      token.current = null;
      mounted.current?.unmount();
      mounted.current = null;
    };
  }, [provider, siteKey, challengeUrl, language, onError, onSolved]);

  if (provider === "off") return null;
  return (
    <fieldset className={styles.captcha} aria-busy={loading}>
      <legend className={field.label}>{messages.account.captcha}</legend>
      <div ref={place} />
    </fieldset>
  );
}
