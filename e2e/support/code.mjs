// Authenticator codes for the tests and for Lighthouse, which runs plain JavaScript.

import { createHmac } from "node:crypto";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const STEP_MS = 30_000;

/**
 * TOTP code (RFC 6238) of a base32 secret, optionally some steps ahead.
 *
 * @param {string} secret
 */
export function code(secret, later = 0) {
  const bits = [...secret].map((char) => ALPHABET.indexOf(char).toString(2).padStart(5, "0"));
  const bytes = bits.join("").match(/.{8}/g) ?? [];
  const step = Buffer.alloc(8);
  step.writeBigInt64BE(BigInt(Math.floor(Date.now() / STEP_MS) + later));
  const key = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  const mac = createHmac("sha1", key).update(step).digest();
  const at = mac.readUInt8(mac.length - 1) & 0xf;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
