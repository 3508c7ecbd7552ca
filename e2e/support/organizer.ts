// Organizers of a program: their invitation, the second factor and the sign-in.

import { createHmac } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import type { Program } from "./program.ts";

const PASSWORD = "a long password";
const STEP_MS = 30_000;

/** The code of a secret in base32 (RFC 6238), some steps later than now. */
export function code(secret: string, later = 0): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret].map((char) => alphabet.indexOf(char).toString(2).padStart(5, "0"));
  const bytes = bits.join("").match(/.{8}/g) ?? [];
  const step = Buffer.alloc(8);
  step.writeBigInt64BE(BigInt(Math.floor(Date.now() / STEP_MS) + later));
  const key = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  const mac = createHmac("sha1", key).update(step).digest();
  const at = mac.readUInt8(mac.length - 1) & 0xf;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

let names = 0;

export async function invite(
  program: Program,
  role: string,
): Promise<{ name: string; link: string }> {
  names += 1;
  const name = `Host ${process.pid} no ${names}`;
  const link = (await program.command("organizer", "add", name, "--role", role)).trim();
  return { name, link };
}

/**
 * Uses an invitation, which leads to the first page; returns the secret of the app and the recovery
 * codes.
 */
export async function enrol(
  page: Page,
  link: string,
): Promise<{ secret: string; codes: string[] }> {
  await page.goto(link);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  const app = page.getByRole("link", { name: "Open in an app on this device" });
  const uri = (await app.getAttribute("href")) ?? "";
  const secret = new URL(uri).searchParams.get("secret") ?? "";
  await page.getByLabel("Six-digit code").fill(code(secret));
  await page.getByRole("button", { name: "Finish" }).click();
  const codes = page.getByRole("list", { name: "Your recovery codes" }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  const texts = await codes.allTextContents();
  await page.getByRole("checkbox", { name: "I have saved them" }).check();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/organize$/);
  return { secret, codes: texts };
}

export async function fillSignIn(page: Page, name: string): Promise<void> {
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}
