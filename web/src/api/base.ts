/** Where the API is: same-origin `/api`, another base at build, or a `<meta name="api-base">`. */

const BASE_DEFAULT = "/api";

function configuredBase(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="api-base"]')?.content;
  const built: unknown = import.meta.env.VITE_API_BASE;
  return meta || (typeof built === "string" && built) || BASE_DEFAULT;
}

/** The base as an absolute address without a slash at its end. */
export function apiBase(): string {
  return new URL(configuredBase(), window.location.href).href.replace(/\/+$/, "");
}

/** An address under the base, for those who fetch by themselves (the captcha widget). */
export function apiUrl(path: string): string {
  return apiBase() + path;
}

/** The live channel's address. */
export function liveUrl(): string {
  return apiUrl("/live").replace(/^http/, "ws");
}
