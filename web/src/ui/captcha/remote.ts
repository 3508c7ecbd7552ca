/**
 * reCAPTCHA v2, hCaptcha and Turnstile, which share one explicit-render API. Their scripts come
 * from their own hosts; the event chose that, and the server's policy allows exactly these hosts.
 */
import type { Mounted } from "./widget";

export type RemoteProvider = "recaptcha" | "hcaptcha" | "turnstile";

interface RenderOptions {
  sitekey: string;
  theme: "light";
  size: "normal";
  badge: "bottomright";
  callback: (token: string) => void;
  "expired-callback": () => void;
  "error-callback": () => void;
}
interface RemoteApi {
  render(place: HTMLElement, options: RenderOptions): string | number;
  reset(id: string | number): void;
}
declare global {
  interface Window {
    grecaptcha?: RemoteApi;
    hcaptcha?: RemoteApi;
    turnstile?: RemoteApi;
    flagshipCaptchaReady?: () => void;
  }
}

const SCRIPTS: Record<RemoteProvider, { address: string; host: string }> = {
  recaptcha: { address: "https://www.google.com/recaptcha/api.js", host: "google.com" },
  hcaptcha: { address: "https://js.hcaptcha.com/1/api.js", host: "hcaptcha.com" },
  turnstile: {
    address: "https://challenges.cloudflare.com/turnstile/v0/api.js",
    host: "challenges.cloudflare.com",
  },
};

const IFRAME_REMOVAL_DELAY_MS = 5000;
const loading = new Map<RemoteProvider, Promise<RemoteApi>>();

function globalApi(provider: RemoteProvider): RemoteApi | undefined {
  if (provider === "recaptcha") return window.grecaptcha;
  return provider === "hcaptcha" ? window.hcaptcha : window.turnstile;
}

function addScript(provider: RemoteProvider): Promise<RemoteApi> {
  return new Promise((resolve, reject) => {
    const fail = () => {
      loading.delete(provider);
      reject(new Error("The captcha could not be loaded."));
    };
    window.flagshipCaptchaReady = () => {
      const api = globalApi(provider);
      if (api) resolve(api);
      else fail();
    };
    const script = document.createElement("script");
    script.src = `${SCRIPTS[provider].address}?render=explicit&onload=flagshipCaptchaReady`;
    script.async = true;
    script.addEventListener("error", fail);
    document.head.append(script);
  });
}

function loadApi(provider: RemoteProvider): Promise<RemoteApi> {
  const pending = loading.get(provider) ?? addScript(provider);
  loading.set(provider, pending);
  return pending;
}

/** The providers leave iframes in the page; removes them 5 seconds after the widget. */
function removeIframesLater(provider: RemoteProvider): void {
  const { host } = SCRIPTS[provider];
  const left = [...document.querySelectorAll("iframe")].filter(({ src }) => src.includes(host));
  setTimeout(() => {
    for (const iframe of left) iframe.remove();
  }, IFRAME_REMOVAL_DELAY_MS);
}

/** Renders the provider's widget into `place`. */
export async function mountRemote(
  place: HTMLElement,
  provider: RemoteProvider,
  siteKey: string,
  onToken: (token: string | null) => void,
): Promise<Mounted> {
  const api = await loadApi(provider);
  const box = document.createElement("div");
  place.append(box);
  const lost = () => onToken(null);
  const id = api.render(box, {
    sitekey: siteKey,
    theme: "light",
    size: "normal",
    badge: "bottomright",
    callback: onToken,
    "expired-callback": lost,
    "error-callback": lost,
  });
  return {
    reset: () => api.reset(id),
    unmount: () => {
      box.remove();
      removeIframesLater(provider);
    },
  };
}
