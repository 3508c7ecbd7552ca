/** The page of a join card: its link, the code, and what goes wrong. */
import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { readToken, writeToken } from "../../api/token";
import { callsTo, open, PATIENT, server, TOKEN } from "../../fake-server";

const VOID = { code: "link_invalid", message: "This link has been used or has expired." };
const BUTTON = "Set password and log in";
const OTHER = "fsp_another";

beforeEach(() => {
  server.replies["/join"] = [200, { token: TOKEN }];
  server.replies["/logout"] = [200, {}];
});

const field = (name: string) => screen.findByLabelText(name, {}, PATIENT);

test("the link's token leaves the address bar, sets the password and logs in", async () => {
  const { user } = open("/join#tok");
  const password = await field("New password");
  expect(document.activeElement).toBe(password);
  expect(window.location.hash).toBe("");
  expect(screen.queryByLabelText("Team")).toBeNull();
  await user.type(password, "123{Enter}");
  expect(await screen.findByText("Use at least 6 characters.")).toBeTruthy();
  expect(callsTo("/join")).toHaveLength(0);
  await user.type(password, "secret2{Enter}");
  await waitFor(() => expect(window.location.pathname).toBe("/challenge"), PATIENT);
  expect(callsTo("/join")[0]?.body).toEqual({ token: "tok", password: "123secret2" });
  expect(readToken()).toBe(TOKEN);
});

test("a used card says so, without the form", async () => {
  server.replies["/join"] = [410, VOID];
  const { user } = open("/join#tok");
  await user.type(await field("New password"), "secret2{Enter}");
  const alert = await screen.findByText(/^This card has been used/, {}, PATIENT);
  expect(alert.getAttribute("role")).toBe("alert");
  expect(screen.queryByRole("button", { name: BUTTON })).toBeNull();
  expect(readToken()).toBe("");
});

test("without a token the form has fields for the team and the code", async () => {
  server.replies["/join"] = [410, VOID];
  const { user } = open("/join");
  await user.type(await field("Team"), "Otters");
  await user.type(await field("Code on the card"), "abcde");
  await user.type(await field("New password"), "secret2");
  await user.click(screen.getByRole("button", { name: BUTTON }));
  expect(await screen.findByText(/^Wrong team name or code/, {}, PATIENT)).toBeTruthy();
  server.replies["/join"] = [200, { token: TOKEN }];
  await user.type(await field("Code on the card"), "-fghjk");
  expect(screen.queryByText(/^Wrong team name or code/)).toBeNull();
  await user.click(screen.getByRole("button", { name: BUTTON }));
  await waitFor(() => expect(window.location.pathname).toBe("/challenge"), PATIENT);
  const body = { team: "Otters", code: "abcde-fghjk", password: "secret2" };
  expect(callsTo("/join").at(-1)?.body).toEqual(body);
});

test("after a failed connection the card can be tried again", async () => {
  let isOnline = false;
  server.replies["/join"] = () =>
    isOnline ? [200, { token: TOKEN }] : Promise.reject(new TypeError("failed"));
  const { user } = open("/join#tok");
  await user.type(await field("New password"), "secret2{Enter}");
  expect(await screen.findByText(/connection/i, {}, PATIENT)).toBeTruthy();
  isOnline = true;
  await user.click(screen.getByRole("button", { name: BUTTON }));
  await waitFor(() => expect(window.location.pathname).toBe("/challenge"), PATIENT);
});

test("a session of another team ends with the join", async () => {
  writeToken(OTHER);
  const { user } = open("/join#tok");
  await user.type(await field("New password"), "secret2{Enter}");
  await waitFor(() => expect(readToken()).toBe(TOKEN), PATIENT);
  await waitFor(() => expect(window.location.pathname).toBe("/challenge"), PATIENT);
});
