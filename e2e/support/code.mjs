// The codes of an organizer's second factor, for the tests and for Lighthouse, which runs as it is.

import { createHmac } from "node:crypto";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const STEP_MS = 30_000;

/**
 * The code of a secret in base32 (RFC 6238), some steps later than now.
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
