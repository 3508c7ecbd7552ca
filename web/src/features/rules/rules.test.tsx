/** The rules page mentions when organizers can read incorrect flags. */
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { open, PATIENT, server } from "../../fake-server";

const sentence = "Organizers can read incorrect flags until the end of the event.";

test("stored incorrect flags are mentioned under the rules", async () => {
  server.replies["/rules"] = [200, { html: "<p>Be kind.</p>", keepsWrongTexts: true }];
  open("/rules");
  expect(await screen.findByText("Be kind.", {}, PATIENT)).toBeTruthy();
  expect(screen.getByText(sentence)).toBeTruthy();
});

test("without stored flags there are only the rules", async () => {
  server.replies["/rules"] = [200, { html: "<p>Be kind.</p>", keepsWrongTexts: false }];
  open("/rules");
  expect(await screen.findByText("Be kind.", {}, PATIENT)).toBeTruthy();
  expect(screen.queryByText(sentence)).toBeNull();
});
