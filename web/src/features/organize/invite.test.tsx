/** The invitation page: password, authenticator, recovery codes. */
import { screen, waitFor, within } from "@testing-library/react";
import type userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { callsTo, open, PATIENT, server } from "../../fake-server";
import { CODES, codeWrong, onceThen, SECRET, URI } from "./fake-server";

const GOOD_PASSWORD = "correct horse 1";

beforeEach(() => {
  server.replies["/organize/invitation"] = [
    200,
    { name: "Ada", roles: ["author", "support"], secret: SECRET, uri: URI, enrolment: "sealed" },
  ];
  server.replies["/organize/enrol"] = [200, { recoveryCodes: CODES }];
});

type User = ReturnType<typeof userEvent.setup>;

async function openInvitation() {
  const { user } = open("/organize/invite#tok_1-A");
  await screen.findByLabelText("Password", {}, PATIENT);
  return user;
}

async function toFactor(user: User, password = GOOD_PASSWORD) {
  await user.type(screen.getByLabelText("Password"), password);
  await user.click(screen.getByRole("button", { name: "Continue" }));
}

async function giveCode(user: User, code = "123456") {
  await user.type(screen.getByLabelText("Six-digit code"), code);
  await user.click(screen.getByRole("button", { name: "Finish" }));
}

test("an invitation leads through password, code and recovery codes to the account", async () => {
  const user = await openInvitation();
  expect(window.location.hash).toBe("");
  expect(window.location.pathname).toBe("/organize/invite");
  expect(callsTo("/organize/invitation")).toHaveLength(1);
  expect(callsTo("/organize/invitation")[0]?.body).toEqual({ token: "tok_1-A" });
  expect(screen.getByText(/Writes the chosen challenges/).textContent).toMatch(/^author: /);
  expect(screen.getByText(/Helps teams/).textContent).toMatch(/^support: /);
  expect(screen.getByLabelText("Name")).toHaveProperty("value", "Ada");
  await toFactor(user);
  const title = await screen.findByRole("heading", {
    name: "Step 2 of 2: two-factor authentication",
  });
  expect(document.activeElement).toBe(title);
  expect(screen.getByRole("img", { name: "QR code for the authenticator app" })).toBeTruthy();
  expect(screen.getByText("JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP")).toBeTruthy();
  await giveCode(user, "123 456");
  const list = await screen.findByRole("list", { name: "Your recovery codes" }, PATIENT);
  expect(
    within(list)
      .getAllByRole("listitem")
      .map((item) => item.textContent),
  ).toEqual(CODES);
  expect(callsTo("/organize/enrol")[0]?.body).toEqual({
    token: "tok_1-A",
    password: GOOD_PASSWORD,
    enrolment: "sealed",
    code: "123456",
  });
  await user.click(screen.getByRole("checkbox", { name: "I've saved them" }));
  await user.click(screen.getByRole("button", { name: "Continue" }));
  expect(await screen.findByRole("link", { name: "Account: Ada" }, PATIENT)).toBeTruthy();
  expect(window.location.pathname).toBe("/organize");
});

test("the recovery codes require a checked box to continue", async () => {
  const user = await openInvitation();
  await toFactor(user);
  await giveCode(user);
  await screen.findByRole("list", { name: "Your recovery codes" }, PATIENT);
  await user.click(screen.getByRole("button", { name: "Continue" }));
  expect(screen.getByRole("list", { name: "Your recovery codes" })).toBeTruthy();
  expect(window.location.pathname).toBe("/organize/invite");
});

test("the recovery codes can be copied, and downloaded as a text", async () => {
  const user = await openInvitation();
  await toFactor(user);
  await giveCode(user);
  await screen.findByRole("list", { name: "Your recovery codes" }, PATIENT);
  await user.click(screen.getByRole("button", { name: "Copy codes" }));
  expect(await screen.findByText("Copied.")).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe(`${CODES.join("\n")}\n`);
  const files: Blob[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((file) => {
    if (file instanceof Blob) files.push(file);
    return "blob:codes";
  });
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
  await user.click(screen.getByRole("button", { name: "Download codes" }));
  expect(clicked.mock.contexts[0]).toHaveProperty("download", "recovery-codes.txt");
  expect(await files[0]?.text()).toContain(CODES.join("\n"));
});

test("a short password is rejected locally, counted in characters", async () => {
  const user = await openInvitation();
  await toFactor(user, "😀".repeat(9));
  expect(screen.getByText("Use at least 10 characters.")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText("Password"));
  expect(screen.queryByLabelText("Six-digit code")).toBeNull();
});

test("a wrong code is shown at its field, and can be corrected", async () => {
  server.replies["/organize/enrol"] = onceThen(codeWrong, [200, { recoveryCodes: CODES }]);
  const user = await openInvitation();
  await toFactor(user);
  await giveCode(user, "12345");
  expect(screen.getByText("Enter all six digits.")).toBeTruthy();
  expect(callsTo("/organize/enrol")).toHaveLength(0);
  await giveCode(user, "6");
  const field = screen.getByLabelText("Six-digit code");
  await waitFor(() => expect(field.getAttribute("aria-invalid")).toBe("true"));
  const note = document.getElementById(field.getAttribute("aria-describedby") ?? "");
  expect(note?.textContent).toBe("This code is wrong.");
  expect(document.activeElement).toBe(field);
  await user.clear(field);
  await giveCode(user);
  expect(await screen.findByRole("list", { name: "Your recovery codes" }, PATIENT)).toBeTruthy();
});

test("a password rejected by the server leads back to the first step", async () => {
  const common = { code: "password_too_common", message: "This password is too common." };
  server.replies["/organize/enrol"] = onceThen([422, common], [200, { recoveryCodes: CODES }]);
  const user = await openInvitation();
  await toFactor(user, "password123");
  await giveCode(user);
  expect(await screen.findByText("This password is too common.", {}, PATIENT)).toBeTruthy();
  const field = screen.getByLabelText("Password");
  expect(document.activeElement).toBe(field);
  await user.clear(field);
  await toFactor(user);
  await giveCode(user);
  await screen.findByRole("list", { name: "Your recovery codes" }, PATIENT);
  expect(callsTo("/organize/enrol")[1]?.body).toMatchObject({ password: GOOD_PASSWORD });
});

test("a used invitation is reported at the first and the last step", async () => {
  const gone = { code: "link_invalid", message: "Used." };
  const user = await openInvitation();
  server.replies["/organize/enrol"] = [410, gone];
  await toFactor(user);
  await giveCode(user);
  expect(await screen.findByText(/^This invitation has been used/, {}, PATIENT)).toBeTruthy();
  server.replies["/organize/invitation"] = [410, gone];
  window.location.hash = "tok_2";
  await waitFor(() => expect(callsTo("/organize/invitation")).toHaveLength(2));
  expect(await screen.findByText(/^This invitation has been used/, {}, PATIENT)).toBeTruthy();
});

test("without a token the page explains what it needs", async () => {
  open("/organize/invite");
  expect(await screen.findByText(/only works from an invitation link/, {}, PATIENT)).toBeTruthy();
  expect(callsTo("/organize/invitation")).toHaveLength(0);
});
