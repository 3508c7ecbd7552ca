/** The captcha field for every provider. A form reads the token from its handle, and resets it. */
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import { useLanguage, useMessages } from "../../messages/language";
import { loadChunk } from "../chunk/chunk";
import styles from "./captcha.module.css";
import { mountRemote } from "./remote";
import type { Mounted } from "./widget";

const PROVIDERS = ["altcha", "recaptcha", "hcaptcha", "turnstile", "off"] as const;
export type CaptchaProvider = (typeof PROVIDERS)[number];

/** The provider that the server names; altcha if this site does not know it. */
export function captchaProvider(name: string): CaptchaProvider {
  return PROVIDERS.find((provider) => provider === name) ?? "altcha";
}

/** The server's own error. */
export const INVALID_CAPTCHA = { code: "captcha_invalid", message: "Invalid captcha" } as const;

export interface CaptchaHandle {
  /** The token of a solved captcha, or null. */
  token(): string | null;
  /** After each attempt, since a token is valid once. */
  reset(): void;
}

interface CaptchaProps {
  provider: CaptchaProvider;
  siteKey: string | null;
  challengeUrl: string;
  onError: (error: unknown) => void;
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

export function Captcha({ provider, siteKey, challengeUrl, onError, ref }: CaptchaProps) {
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
    // A widget's checkbox may be `required`: show our own message instead of the browser's.
    const refuse = (event: Event) => {
      event.preventDefault();
      event.stopPropagation();
      onError(INVALID_CAPTCHA);
    };
    box.addEventListener("invalid", refuse, true);
    const keep = (next: string | null) => {
      token.current = next;
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
  }, [provider, siteKey, challengeUrl, language, onError]);

  if (provider === "off") return null;
  return (
    <fieldset className={styles.captcha} aria-busy={loading}>
      <legend className="quiet">{messages.account.captcha}</legend>
      <div ref={place} />
    </fieldset>
  );
}
