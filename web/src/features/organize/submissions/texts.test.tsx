/** Texts of incorrect flags, if the event stores them. */
import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { open, PATIENT, server } from "../../../fake-server";
import { signedIn } from "../fake-server";

beforeEach(() => signedIn());

test("an incorrect flag is listed with its text, escaped", async () => {
  const flag = { teamName: "Otters", challengeId: "oars", near: null, times: 1, teams: 1 };
  const wrong = { ...flag, verdict: "wrong", network: null };
  const flags = [
    { ...wrong, at: 2_000, text: "<b>flag{mistaken}</b>" },
    { ...wrong, at: 1_000 },
  ];
  server.replies["/organize/flags"] = [200, { flags, next: null }];
  open("/organize/submissions");
  const text = await screen.findByText("<b>flag{mistaken}</b>", {}, PATIENT);
  const row = text.closest("tr");
  expect(row && within(row).getByText(/incorrect/i)).toBeTruthy();
  const codes = screen.getAllByRole("row").flatMap((it) => [...it.querySelectorAll("code")]);
  expect(codes).toHaveLength(1);
});
