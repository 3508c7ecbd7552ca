/** The texts of wrong flags, where the event keeps them. */
import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { open, PATIENT, server } from "../../../stand-in";
import { signedIn } from "../stand-in";

beforeEach(() => signedIn());

test("a wrong flag is listed with its text, as text", async () => {
  const flag = { teamName: "Otters", challengeId: "oars", near: null, times: 1, teams: 1 };
  const wrong = { ...flag, verdict: "wrong", network: null };
  const flags = [
    { ...wrong, at: 2_000, text: "<b>flag{mistaken}</b>" },
    { ...wrong, at: 1_000 },
  ];
  server.replies["/organize/flags"] = [200, { flags, next: null }];
  open("/organize/flags");
  const text = await screen.findByText("<b>flag{mistaken}</b>", {}, PATIENT);
  const row = text.closest("tr");
  expect(row && within(row).getByText(/wrong/i)).toBeTruthy();
  const codes = screen.getAllByRole("row").flatMap((it) => [...it.querySelectorAll("code")]);
  expect(codes).toHaveLength(1);
});
