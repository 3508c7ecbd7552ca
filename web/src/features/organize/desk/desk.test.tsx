/** The desk: what fails of it takes nothing else away. */
import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { callsTo, open, PATIENT, server } from "../../../stand-in";
import { signedIn } from "../stand-in";

beforeEach(() => signedIn());

test("questions stay on the page while the ready answers fail, again and again", async () => {
  server.replies["/organize/answers"] = [500, { code: "internal_error" }];
  open("/organize/desk");
  const questions = await screen.findByRole("heading", { name: "Questions" }, PATIENT);
  const failed = callsTo("/organize/answers").length;
  await waitFor(() => expect(callsTo("/organize/answers").length).toBeGreaterThan(failed + 3), {
    timeout: 15_000,
  });
  expect(questions.isConnected).toBe(true);
}, 20_000);
