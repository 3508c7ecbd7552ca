/** API base URL: same-origin `/api`, the build-time value, or `<meta name="api-base">`. */

const BASE_DEFAULT = "/api";

function configuredBase(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="api-base"]')?.content;
  const built: unknown = import.meta.env.VITE_API_BASE;
  return meta || (typeof built === "string" && built) || BASE_DEFAULT;
}

/** The base as an absolute URL without a trailing slash. */
export function apiBase(): string {
  return new URL(configuredBase(), window.location.href).href.replace(/\/+$/, "");
}

/** A URL under the base, for code that does not use the client (the captcha widget). */
export function apiUrl(path: string): string {
  return apiBase() + path;
}

/** The live channel's address. */
export function liveUrl(): string {
  return apiUrl("/live").replace(/^http/, "ws");
}
