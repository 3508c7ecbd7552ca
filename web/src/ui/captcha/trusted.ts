/** The site's Trusted Types policy: script URLs of this origin only, no HTML, no inline script. */

interface Policy {
  createScriptURL(address: string): { toString(): string };
}
declare global {
  interface Window {
    readonly trustedTypes?: { createPolicy(name: string, rules: Policy): Policy };
  }
}

function sameOrigin(address: string): string {
  const url = new URL(address, window.location.href);
  if (url.origin !== window.location.origin) throw new TypeError("a script of another origin");
  return url.href;
}

let policy: Policy | undefined;

/** Starts a worker from a file of this origin, also under Trusted Types. */
export function ownWorker(address: string): Worker {
  policy ??= window.trustedTypes?.createPolicy("flagship", { createScriptURL: sameOrigin });
  const trusted = policy ? policy.createScriptURL(address) : sameOrigin(address);
  // The type library does not know that the constructor takes a TrustedScriptURL.
  return Reflect.construct(Worker, [trusted]);
}
