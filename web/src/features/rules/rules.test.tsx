/** The rules page says when organizers can read the texts of wrong flags. */
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { open, PATIENT, server } from "../../stand-in";

const sentence = "Organizers can read the texts of wrong flags until the end of the event.";

test("texts of wrong flags that are kept are mentioned under the rules", async () => {
  server.replies["/rules"] = [200, { html: "<p>Be kind.</p>", keepsWrongTexts: true }];
  open("/rules");
  expect(await screen.findByText("Be kind.", {}, PATIENT)).toBeTruthy();
  expect(screen.getByText(sentence)).toBeTruthy();
});

test("without kept texts the rules are all there is", async () => {
  server.replies["/rules"] = [200, { html: "<p>Be kind.</p>", keepsWrongTexts: false }];
  open("/rules");
  expect(await screen.findByText("Be kind.", {}, PATIENT)).toBeTruthy();
  expect(screen.queryByText(sentence)).toBeNull();
});
