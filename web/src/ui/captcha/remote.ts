/**
 * reCAPTCHA v2, hCaptcha and Turnstile, which share one explicit-render API. Their scripts come
 * from the providers' hosts, which the server's content security policy allows.
 */
import type { Mounted } from "./widget";

interface RemoteApi {
  render(place: HTMLElement, options: Readonly<Record<string, unknown>>): string | number;
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

const PROVIDERS = {
  recaptcha: {
    script: "https://www.google.com/recaptcha/api.js",
    host: "google.com",
    api: () => window.grecaptcha,
  },
  hcaptcha: {
    script: "https://js.hcaptcha.com/1/api.js",
    host: "hcaptcha.com",
    api: () => window.hcaptcha,
  },
  turnstile: {
    script: "https://challenges.cloudflare.com/turnstile/v0/api.js",
    host: "challenges.cloudflare.com",
    api: () => window.turnstile,
  },
} as const;
type RemoteProvider = keyof typeof PROVIDERS;

const IFRAME_REMOVAL_DELAY_MS = 5000;
const loading = new Map<RemoteProvider, Promise<RemoteApi>>();

function addScript(provider: RemoteProvider): Promise<RemoteApi> {
  return new Promise((resolve, reject) => {
    const fail = () => {
      loading.delete(provider);
      reject(new Error("The captcha could not be loaded."));
    };
    window.flagshipCaptchaReady = () => {
      const api = PROVIDERS[provider].api();
      if (api) resolve(api);
      else fail();
    };
    const script = document.createElement("script");
    script.src = `${PROVIDERS[provider].script}?render=explicit&onload=flagshipCaptchaReady`;
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

/** Removes the iframes that providers leave in the page, 5 seconds after the widget. */
function removeIframesLater(provider: RemoteProvider): void {
  const { host } = PROVIDERS[provider];
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
