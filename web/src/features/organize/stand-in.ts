/** Shared by the tests of the organizers' pages: the answers of a server for one owner. */
import { beforeEach, vi } from "vitest";
import { type Reply, server } from "../../stand-in";

export const ME = {
  name: "Ada",
  roles: ["owner"],
  challenges: [],
  acts: ["organizer.list", "organizer.add", "comet.launch"],
  codesLeft: 10,
  factorUntil: null,
};

export const THIS_SESSION = {
  id: "s1",
  kind: "session",
  createdAt: Date.UTC(2026, 10, 22, 10),
  expiresAt: Date.UTC(2026, 10, 22, 22),
  isCurrent: true,
  isProven: true,
};
export const TOKEN_OF_SCRIPT = { ...THIS_SESSION, id: "t1", kind: "token", isCurrent: false };

export const CODES = Array.from({ length: 10 }, (_, at) => `abcd-efgh-ijkl-mn${at}p`);
export const SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
export const URI = `otpauth://totp/Harbour%20CTF:Ada?secret=${SECRET}&issuer=Harbour%20CTF`;
export const LINK = {
  link: "https://ctf.example/organize/invite#new",
  expiresAt: 1_800_000_000_000,
};

export const factorNeeded: Reply = [403, { code: "factor_needed", message: "Give the code." }];
export const codeWrong: Reply = [422, { code: "code_wrong", message: "This code is wrong." }];
export const loginNeeded: Reply = [401, { code: "login_needed", message: "Log in first." }];

/** Answers `first` once, then `next`. */
export function onceThen(first: Reply, next: Reply): () => Reply {
  let isFirst = true;
  return () => {
    const reply = isFirst ? first : next;
    isFirst = false;
    return reply;
  };
}

/** Until a factor is accepted, each path answers that it is needed. */
export function needsFactor(replies: Record<string, Reply>): void {
  let isProven = false;
  for (const [path, reply] of Object.entries(replies)) {
    server.replies[path] = () => (isProven ? reply : factorNeeded);
  }
  server.replies["/organize/factor"] = () => {
    isProven = true;
    return [200, { codesLeft: 9 }];
  };
}

beforeEach(() => {
  vi.stubGlobal("isSecureContext", true);
  server.replies["/organize/me"] = [200, ME];
  server.replies["/organize/sessions"] = [200, { sessions: [THIS_SESSION, TOKEN_OF_SCRIPT] }];
  server.replies["/organize/organizers"] = [200, { organizers: [] }];
});
