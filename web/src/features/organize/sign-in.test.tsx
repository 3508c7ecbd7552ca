/** Organizer login: password, then two-factor authentication. */
import { screen, waitFor } from "@testing-library/react";
import type userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { callsTo, open, PATIENT, server } from "../../fake-server";
import { codeWrong, loginNeeded, onceThen } from "./fake-server";

beforeEach(() => {
  server.replies["/organize/session"] = [200, {}];
  server.replies["/organize/factor"] = [200, { codesLeft: 10 }];
});

async function signIn(user: ReturnType<typeof userEvent.setup>) {
  await user.type(await screen.findByLabelText("Name", {}, PATIENT), " Ada ");
  await user.type(screen.getByLabelText("Password"), " secret pass ");
  await user.click(screen.getByRole("button", { name: "Log in" }));
}

test("name, password and code lead to the account", async () => {
  const { user } = open("/organize/sign-in");
  await signIn(user);
  const field = await screen.findByLabelText("Six-digit code", {}, PATIENT);
  expect(document.activeElement).toBe(field);
  expect(callsTo("/organize/session")[0]?.body).toEqual({
    name: "Ada",
    password: " secret pass ",
    captchaToken: "off",
  });
  await user.type(field, "123 456{enter}");
  expect(await screen.findByRole("link", { name: "Account: Ada" }, PATIENT)).toBeTruthy();
  expect(callsTo("/organize/factor")[0]?.body).toEqual({ code: "123456" });
  expect(window.location.pathname).toBe("/organize");
});

test("a recovery code works instead of a code", async () => {
  const { user } = open("/organize/sign-in");
  await signIn(user);
  await user.click(await screen.findByRole("button", { name: "Use a recovery code" }, PATIENT));
  const field = screen.getByLabelText("Recovery code");
  expect(document.activeElement).toBe(field);
  await user.type(field, "abcd-efgh-ijkl-mnop{enter}");
  await waitFor(() => expect(window.location.pathname).toBe("/organize"), PATIENT);
  expect(callsTo("/organize/factor")[0]?.body).toEqual({ recoveryCode: "abcd-efgh-ijkl-mnop" });
});

test("a wrong password is shown at its field; other errors in the bar", async () => {
  const wrong = { code: "organizer_credentials_wrong", message: "Incorrect name or password." };
  const often = { code: "too_many_attempts", message: "Too many attempts." };
  server.replies["/organize/session"] = onceThen([401, wrong], [429, often]);
  const { user } = open("/organize/sign-in");
  await signIn(user);
  expect(await screen.findByText("Incorrect name or password.", {}, PATIENT)).toBeTruthy();
  const field = screen.getByLabelText("Password");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(document.activeElement).toBe(field);
  await user.click(screen.getByRole("button", { name: "Log in" }));
  expect(await screen.findByText("Too many attempts.", {}, PATIENT)).toBeTruthy();
  expect(screen.queryByText("Incorrect name or password.")).toBeNull();
});

test("a wrong code is shown at its field; an ended session starts over", async () => {
  server.replies["/organize/factor"] = onceThen(codeWrong, loginNeeded);
  const { user } = open("/organize/sign-in");
  await signIn(user);
  await user.type(await screen.findByLabelText("Six-digit code", {}, PATIENT), "111111{enter}");
  expect(await screen.findByText("This code is wrong.", {}, PATIENT)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Confirm" }));
  expect(await screen.findByText("The login timed out. Log in again.", {}, PATIENT)).toBeTruthy();
  expect(screen.getByRole("button", { name: "Log in" })).toBeTruthy();
});

test("without a captcha token nothing is sent", async () => {
  server.info = { ...server.info, captcha: { provider: "turnstile", siteKey: "key" } };
  vi.stubGlobal("turnstile", { render: () => "id", reset() {} });
  const { user } = open("/organize/sign-in");
  await signIn(user);
  await waitFor(() => expect(screen.getByRole("alert").textContent).toBe("Invalid captcha"));
  expect(callsTo("/organize/session")).toHaveLength(0);
});

describe("without https", () => {
  test.each(["/organize/sign-in", "/organize/invite#tok"])("%s has no form", async (path) => {
    vi.stubGlobal("isSecureContext", false);
    open(path);
    expect(await screen.findByText(/require HTTPS/, {}, PATIENT)).toBeTruthy();
    expect(screen.queryByRole("textbox")).toBeNull();
    expect(screen.queryByLabelText("Password")).toBeNull();
    expect(callsTo("/organize/invitation")).toHaveLength(0);
  });
});

test("it is in Italian, including organizer errors", async () => {
  const wrong = { code: "organizer_credentials_wrong", message: "Incorrect name or password." };
  server.replies["/organize/session"] = [401, wrong];
  const { user } = open("/organize/sign-in");
  await user.type(await screen.findByLabelText("Name", {}, PATIENT), "Ada");
  await user.selectOptions(screen.getByRole("combobox", { name: "Language" }), "it");
  expect(await screen.findByLabelText("Nome", {}, PATIENT)).toHaveProperty("value", "Ada");
  await user.type(screen.getByLabelText("Password"), "x{enter}");
  expect(await screen.findByText("Nome o password sbagliati.", {}, PATIENT)).toBeTruthy();
});
