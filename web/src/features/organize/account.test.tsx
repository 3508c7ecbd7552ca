/** The organizer's account: two-factor prompts, sessions and replacing the authenticator. */
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { callsTo, open, PATIENT, server } from "../../fake-server";
import {
  CODES,
  codeWrong,
  factorNeeded,
  loginNeeded,
  ME,
  needsFactor,
  onceThen,
  SECRET,
  THIS_SESSION,
  TOKEN_OF_SCRIPT,
  URI,
} from "./fake-server";

const heading = (name: string) => screen.findByRole("heading", { name }, PATIENT);
const dialog = (name: string) => screen.findByRole("dialog", { name }, PATIENT);

test("shows name, roles, actions and recovery codes; untranslated actions by name", async () => {
  open("/organize/account");
  await heading("Ada");
  expect(screen.getAllByText(/^owner$/).length).toBeGreaterThan(0);
  expect(screen.getByText("Add organizers")).toBeTruthy();
  expect(screen.getByText("comet.launch")).toBeTruthy();
  expect(screen.getByText("10 recovery codes left.")).toBeTruthy();
  expect(screen.queryByText(/get ten new/)).toBeNull();
});

test("few recovery codes show a warning", async () => {
  server.replies["/organize/me"] = [200, { ...ME, codesLeft: 3 }];
  open("/organize/account");
  expect(await screen.findByText("3 recovery codes left.", {}, PATIENT)).toBeTruthy();
  expect(screen.getByText(/get ten new recovery codes/)).toBeTruthy();
});

test("without a session the login page opens", async () => {
  for (const path of ["me", "sessions"]) server.replies[`/organize/${path}`] = loginNeeded;
  open("/organize/account");
  expect(await screen.findByRole("button", { name: "Log in" }, PATIENT)).toBeTruthy();
  expect(window.location.pathname).toBe("/organize/sign-in");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a lost connection is reported, with a retry button", async () => {
  server.replies["/organize/me"] = onceThen([409, { message: "Not now." }], [200, ME]);
  const { user } = open("/organize/account");
  const failed = await screen.findByText("Not now.", {}, PATIENT);
  expect(failed.closest("[role=alert]")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await heading("Ada")).toBeTruthy();
});

describe("two-factor authentication", () => {
  test("is requested once for all calls, which are then repeated", async () => {
    needsFactor({
      "/organize/me": [200, ME],
      "/organize/sessions": [200, { sessions: [THIS_SESSION] }],
    });
    const { user } = open("/organize/account");
    const box = await dialog("Two-factor authentication");
    const field = within(box).getByLabelText("Six-digit code");
    await waitFor(() => expect(document.activeElement).toBe(field));
    await user.type(field, "654 321{enter}");
    await heading("Ada");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(callsTo("/organize/factor").map(({ body }) => body)).toEqual([{ code: "654321" }]);
    // Nothing is fetched before the organizer is known.
    expect(callsTo("/organize/me")).toHaveLength(2);
    expect(callsTo("/organize/sessions")).toHaveLength(1);
  });
  test("shows a wrong code in the dialog, and accepts a recovery code", async () => {
    server.replies["/organize/me"] = onceThen(factorNeeded, [200, ME]);
    server.replies["/organize/factor"] = onceThen(codeWrong, [200, { codesLeft: 9 }]);
    const { user } = open("/organize/account");
    const box = await dialog("Two-factor authentication");
    await user.type(within(box).getByLabelText("Six-digit code"), "000000{enter}");
    expect(await within(box).findByText("This code is wrong.", {}, PATIENT)).toBeTruthy();
    await user.click(within(box).getByRole("button", { name: "Use a recovery code" }));
    await user.type(within(box).getByLabelText("Recovery code"), "abcd-efgh{enter}");
    await heading("Ada");
    expect(callsTo("/organize/factor")[1]?.body).toEqual({ recoveryCode: "abcd-efgh" });
  });
  test("a closed dialog repeats nothing, and the page asks again on a click", async () => {
    needsFactor({ "/organize/me": [200, ME] });
    const { user } = open("/organize/account");
    const close = { name: "Close" };
    await user.click(within(await dialog("Two-factor authentication")).getByRole("button", close));
    expect(await screen.findByText("Give the code.", {}, PATIENT)).toBeTruthy();
    expect(callsTo("/organize/me")).toHaveLength(1);
    await user.click(screen.getByRole("button", { name: "Retry" }));
    expect(await dialog("Two-factor authentication")).toBeTruthy();
  });
  test("a call rejected again is not repeated endlessly", async () => {
    server.replies["/organize/me"] = factorNeeded;
    server.replies["/organize/factor"] = [200, { codesLeft: 9 }];
    const { user } = open("/organize/account");
    const box = await dialog("Two-factor authentication");
    await user.type(within(box).getByLabelText("Six-digit code"), "654321{enter}");
    expect(await screen.findByText("Give the code.", {}, PATIENT)).toBeTruthy();
    expect(callsTo("/organize/me")).toHaveLength(2);
  });
});

describe("sessions and tokens", () => {
  test("each is revoked by its button, and the list is refetched", async () => {
    server.replies["/organize/sessions/end"] = () => {
      server.replies["/organize/sessions"] = [200, { sessions: [THIS_SESSION] }];
      return [200, {}];
    };
    const { user } = open("/organize/account");
    expect(await screen.findByText("(current session)", {}, PATIENT)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: /^Revoke API token/ }));
    await waitFor(() =>
      expect(screen.queryByRole("button", { name: /^Revoke API token/ })).toBeNull(),
    );
    expect(callsTo("/organize/sessions/end")[0]?.body).toEqual({ id: TOKEN_OF_SCRIPT.id });
    const title = screen.getByRole("heading", { name: "Sessions and API tokens" });
    expect(document.activeElement).toBe(title);
  });
  test("revoking an ended session is not an error", async () => {
    server.replies["/organize/sessions/end"] = [404, { code: "not_found", message: "Nothing." }];
    const { user } = open("/organize/account");
    await user.click(await screen.findByRole("button", { name: /^Revoke API token/ }, PATIENT));
    await waitFor(() => expect(callsTo("/organize/sessions")).toHaveLength(2), PATIENT);
    expect(screen.queryByText("Nothing.")).toBeNull();
  });
  test.each(["Log out", /^Revoke Session/])("%s ends this session", async (name) => {
    server.replies["/organize/sign-out"] = [200, {}];
    const { user } = open("/organize/account");
    await user.click(await screen.findByRole("button", { name }, PATIENT));
    await waitFor(() => expect(window.location.pathname).toBe("/organize/sign-in"), PATIENT);
    expect(callsTo("/organize/sign-out")).toHaveLength(1);
    expect(callsTo("/organize/sessions/end")).toHaveLength(0);
  });
});

describe("a new authenticator", () => {
  const secret = { secret: SECRET, uri: URI, enrolment: "sealed" };
  test("starts with a proof of the current one, and can be canceled", async () => {
    needsFactor({ "/organize/factor/new": [200, secret] });
    const { user } = open("/organize/account");
    const replace = { name: "Replace authenticator" };
    await user.click(await screen.findByRole("button", replace, PATIENT));
    const box = await dialog("Two-factor authentication");
    await user.type(within(box).getByLabelText("Six-digit code"), "111111{enter}");
    expect(document.activeElement).toBe(await heading("New authenticator"));
    const note = /Your other sessions then end\. API tokens keep working/;
    expect(screen.getByText(note)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(await screen.findByText("9 recovery codes left.", {}, PATIENT)).toBeTruthy();
    expect(callsTo("/organize/factor/replace")).toHaveLength(0);
  });
  test("a wrong code of the new app is shown at its field; then the codes are shown", async () => {
    server.replies["/organize/factor/new"] = [200, secret];
    server.replies["/organize/factor/replace"] = onceThen(codeWrong, [
      200,
      { recoveryCodes: CODES },
    ]);
    const { user } = open("/organize/account");
    const replace = { name: "Replace authenticator" };
    await user.click(await screen.findByRole("button", replace, PATIENT));
    const field = await screen.findByLabelText("Six-digit code", {}, PATIENT);
    await user.type(field, "222222{enter}");
    expect(await screen.findByText("This code is wrong.", {}, PATIENT)).toBeTruthy();
    await user.clear(field);
    await user.type(field, "333333{enter}");
    await screen.findByRole("list", { name: "Your recovery codes" }, PATIENT);
    expect(callsTo("/organize/factor/replace")[1]?.body).toEqual({
      enrolment: "sealed",
      code: "333333",
    });
    await user.click(screen.getByRole("checkbox", { name: "I've saved them" }));
    await user.click(screen.getByRole("button", { name: "Continue" }));
    expect(await screen.findByRole("button", replace, PATIENT)).toBeTruthy();
    await waitFor(() => expect(callsTo("/organize/sessions")).toHaveLength(2), PATIENT);
  });
  test("starts over after a timeout", async () => {
    server.replies["/organize/factor/new"] = [200, secret];
    server.replies["/organize/factor/replace"] = [410, { code: "link_invalid", message: "Old." }];
    const { user } = open("/organize/account");
    const replace = { name: "Replace authenticator" };
    await user.click(await screen.findByRole("button", replace, PATIENT));
    await user.type(await screen.findByLabelText("Six-digit code", {}, PATIENT), "222222{enter}");
    expect(await screen.findByText(/expired after 15 minutes/, {}, PATIENT)).toBeTruthy();
    expect(screen.getByRole("button", replace)).toBeTruthy();
  });
});
