/** The first run: what its form asks for, and which acts it does. */
import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { callsTo, open, PATIENT, server } from "../../../stand-in";
import { OWNERS_ACTS, signedIn } from "../stand-in";

const EMPTY = {
  ...{ event: null, rules: null, rulesFromFiles: false, secrets: {}, fixed: {}, pages: [] },
  sections: { mail: {}, captcha: { provider: "off" } },
};

const acts = () => callsTo("/organize/acts").filter(({ body }) => body !== null);

beforeEach(() => {
  signedIn([...OWNERS_ACTS, "settings.read", "event.name"]);
  server.replies["/organize/settings"] = [200, EMPTY];
});

test("the first run asks whether the final scoreboard waits for the ceremony", async () => {
  const { user } = open("/organize/setup");
  await user.type(await screen.findByLabelText("Name of the event", {}, PATIENT), "Cup");
  await user.selectOptions(screen.getByLabelText("At the end"), "manual");
  expect(screen.getByText(/until an organizer presses Reveal/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Save and continue" }));
  await waitFor(
    () => expect(acts()[0]?.body).toMatchObject({ act: "event.name", reveal: "manual" }),
    PATIENT,
  );
});
