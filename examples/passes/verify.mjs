// Verifies a team pass: verify.mjs PUBLIC_KEY EVENT_ID CHALLENGE_ID PASS prints the team's handle.
import { createPublicKey, verify } from "node:crypto";
import { pathToFileURL } from "node:url";

export function handleOf(publicKey, event, challenge, pass) {
  const parts = /^fp1\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{85}[AQgw])$/.exec(pass);
  if (!parts) return null;
  const [, handle, signature] = parts;
  const key = createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x: publicKey } });
  const signed = Buffer.from(`flagship-pass:1\n${event}\n${challenge}\n${handle}`);
  return verify(null, signed, key, Buffer.from(signature, "base64url")) ? handle : null;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const handle = handleOf(...process.argv.slice(2));
  if (handle === null) process.exit(1);
  console.log(handle);
}
