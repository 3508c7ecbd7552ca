/**
 * The site's own Trusted Types policy: script addresses of this origin only, no HTML, no script.
 */

interface Policy {
  createScriptURL(address: string): TrustedScriptURL | string;
}
interface TrustedScriptURL {
  toString(): string;
}
interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): Policy;
}
declare global {
  interface Window {
    readonly trustedTypes?: PolicyFactory;
  }
}

function sameOrigin(address: string): string {
  const url = new URL(address, window.location.href);
  if (url.origin !== window.location.origin) throw new TypeError("a script of another origin");
  return url.href;
}

let policy: Policy | undefined;

/** A worker from one of our own files, also where Trusted Types are required. */
export function ownWorker(address: string): Worker {
  policy ??= window.trustedTypes?.createPolicy("flagship", { createScriptURL: sameOrigin });
  const trusted = policy ? policy.createScriptURL(address) : sameOrigin(address);
  // The type library lacks TrustedScriptURL, which the constructor takes.
  return Reflect.construct(Worker, [trusted]);
}
