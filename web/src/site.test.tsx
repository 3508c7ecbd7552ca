/**
 * The whole site with a fake server: routes, by role and label. The end-to-end tests check that
 * HTML is sanitized, since DOMPurify does not work on this DOM.
 */
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import type userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { clearToken, readToken, writeToken } from "./api/token";
import {
  callsTo,
  challenge,
  ctf,
  HOUR_MS,
  open,
  PATIENT,
  say,
  server,
  snapshot,
  TOKEN,
} from "./fake-server";
import { initialLanguage } from "./messages/language";

const noop = () => undefined;

describe("navigation", () => {
  test("logged out: the pages, Login and Signup; the current one is marked", async () => {
    open("/rules");
    const nav = await screen.findByRole("navigation", { name: "Main" });
    for (const name of ["Scoreboard", "Challenges", "Rules", "Login", "Signup"]) {
      expect(await within(nav).findByRole("link", { name })).toBeTruthy();
    }
    expect(within(nav).queryByRole("link", { name: "Logout" })).toBeNull();
    expect(within(nav).getByRole("link", { current: "page" }).textContent).toBe("Rules");
    await waitFor(() => expect(document.title).toBe("Rules · Harbour CTF"));
  });
  test("logged in: only Logout, which logs out and leads to /login", async () => {
    writeToken(TOKEN);
    server.replies["/logout"] = [200, {}];
    const { user } = open("/rules");
    await user.click(await screen.findByRole("link", { name: "Logout" }, PATIENT));
    expect(readToken()).toBe("");
    expect(await screen.findByRole("button", { name: "Login" }, PATIENT)).toBeTruthy();
    expect(window.location.pathname).toBe("/login");
    expect(screen.queryByRole("link", { name: "Logout" })).toBeNull();
    await waitFor(() => expect(callsTo("/logout")).toHaveLength(1));
  });
  test("a logout aborts the team's requests, which the server would reject", async () => {
    writeToken(TOKEN);
    server.replies["/logout"] = [200, {}];
    for (const path of ["/challenge", "/questions"]) server.replies[path] = () => new Promise(noop);
    const { user } = open("/challenge");
    await waitFor(() => expect(callsTo("/questions")).toHaveLength(1), PATIENT);
    const calls = [...callsTo("/challenge"), ...callsTo("/questions")];
    await user.click(await screen.findByRole("link", { name: "Logout" }, PATIENT));
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  });
  test("without an event the built-in title is shown", async () => {
    server.info = { ...server.info, name: null };
    open("/");
    expect(await screen.findByRole("link", { name: "Flagship CTF" })).toBeTruthy();
    expect(document.title).toBe("Flagship CTF");
  });
  test("an unknown address shows the not-found page", async () => {
    open("/nowhere");
    expect(await screen.findByRole("heading", { name: "Page not found" })).toBeTruthy();
  });
  test("a token that the server does not recognize is dropped", async () => {
    writeToken("fsp_old");
    open("/");
    expect(await screen.findByRole("link", { name: "Login" }, PATIENT)).toBeTruthy();
    expect(readToken()).toBe("");
  });
});

describe("home", () => {
  test("running: the time left and the way to the challenges", async () => {
    server.times.endTime = Date.now() + 2 * HOUR_MS + 30_000;
    open("/");
    const sentence = "There are 0 days, 2 hours and 0 minutes left.";
    expect(await screen.findByText(sentence, {}, PATIENT)).toBeTruthy();
    const play = screen.getByRole("link", { name: "Press play to compete." });
    expect(play.getAttribute("href")).toBe("/challenge");
    expect(screen.getByRole("link", { name: "Chat" })).toBeTruthy();
    expect(screen.queryByRole("link", { name: "Microblog" })).toBeNull();
  });
  test("before the start: four countdowns", async () => {
    server.times.startTime = Date.now() + 40 * 24 * HOUR_MS + 5000;
    server.times.endTime = server.times.startTime + HOUR_MS;
    open("/");
    const timer = await screen.findByRole("timer", {}, PATIENT);
    for (const unit of ["days", "hours", "minutes", "seconds"]) {
      expect(within(timer).getByText(unit)).toBeTruthy();
    }
    expect(within(timer).getByText("40")).toBeTruthy();
  });
  test("ended: the way to the final scoreboard", async () => {
    server.times.endTime = Date.now() - 1;
    open("/");
    expect(await screen.findByText(/The CTF has ended\./, {}, PATIENT)).toBeTruthy();
    const link = screen.getByRole("link", { name: /final scoreboard/ });
    expect(link.getAttribute("href")).toBe("/scoreboard");
  });
  test("the page updates when the event ends", async () => {
    server.times.endTime = Date.now() + 1500;
    open("/");
    expect(await screen.findByText(/^There are 0 days/, {}, PATIENT)).toBeTruthy();
    expect(await screen.findByText(/The CTF has ended\./, {}, PATIENT)).toBeTruthy();
  });
  test("no response: the banner and the standard message", async () => {
    server.replies["/ctf"] = [400, "<html>"];
    open("/");
    const alert = await screen.findByRole("alert");
    await waitFor(() => expect(alert.textContent).toContain("error in parsing response"), PATIENT);
    expect(screen.queryByRole("timer")).toBeNull();
  });
});

describe("login and signup", () => {
  async function fillLogin(user: ReturnType<typeof userEvent.setup>) {
    await user.type(await screen.findByLabelText("Team", {}, PATIENT), "Ours");
    await user.type(screen.getByLabelText("Password"), "secret1");
    await user.click(screen.getByRole("button", { name: "Login" }));
  }
  test("a login keeps the token and leads home", async () => {
    server.replies["/login"] = [200, { token: TOKEN }];
    const { user } = open("/login");
    await fillLogin(user);
    expect(await screen.findByRole("link", { name: "Logout" }, PATIENT)).toBeTruthy();
    await waitFor(() => expect(window.location.pathname).toBe("/"));
    const [call] = callsTo("/login");
    expect(call?.body).toEqual({ team: "Ours", password: "secret1", captchaToken: "off" });
    expect(readToken()).toBe(TOKEN);
  });
  test("a refused login shows the message, dismissable, and leaves logged out", async () => {
    server.replies["/login"] = [401, { message: "Wrong team or password." }];
    const { user } = open("/login");
    await fillLogin(user);
    const alert = screen.getByRole("alert");
    await waitFor(() => expect(alert.textContent).toContain("Wrong team or password."));
    expect(readToken()).toBe("");
    await user.click(within(alert).getByRole("button", { name: "Dismiss" }));
    expect(screen.queryByRole("alert")).toBeNull();
  });
  test("an unconfirmed team can resend the email, and navigation clears the message", async () => {
    const refusal = { code: "email_unconfirmed", message: "Confirm your email first." };
    server.replies["/login"] = [403, refusal];
    server.replies["/resend"] = [200, { message: "If the address is known, we sent an email." }];
    const { user } = open("/login");
    await fillLogin(user);
    await user.click(
      await screen.findByRole("link", { name: /resend confirmation email/i }, PATIENT),
    );
    await user.type(await screen.findByLabelText("Email", {}, PATIENT), "a@b.example");
    await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
    await user.click(screen.getByRole("button", { name: "Resend email" }));
    expect(await screen.findByText(/we sent an email/)).toBeTruthy();
    expect(callsTo("/resend")[0]?.body).toEqual({ email: "a@b.example" });
  });
  test("a banned team gets an explanation and no link to resend the email", async () => {
    const message = "This team has been banned. Contact the organizers.";
    server.replies["/login"] = [403, { code: "team_banned", message }];
    const { user } = open("/login");
    await fillLogin(user);
    await waitFor(() => expect(screen.getByRole("alert").textContent).toContain(message));
    expect(screen.queryByRole("link", { name: /resend confirmation email/i })).toBeNull();
    expect(readToken()).toBe("");
  });
  test("without a captcha token nothing is sent: Invalid captcha", async () => {
    server.info = { ...server.info, captcha: { provider: "turnstile", siteKey: "key" } };
    vi.stubGlobal("turnstile", { render: () => "id", reset() {} });
    const { user } = open("/login");
    await fillLogin(user);
    const fault = await screen.findByText("Invalid captcha");
    expect(fault.closest("[role=alert]")).toBeTruthy();
    expect(callsTo("/login")).toHaveLength(0);
  });
  test("logged-in visitors of both go home", async () => {
    writeToken(TOKEN);
    for (const path of ["/login", "/signup"]) {
      open(path);
      await waitFor(() => expect(window.location.pathname).toBe("/"), PATIENT);
      cleanup();
    }
  });
  test("after the end the signup page says that the event is over", async () => {
    server.times.endTime = Date.now() - 1;
    open("/signup");
    await screen.findByLabelText("Team name", {}, PATIENT);
    expect(await screen.findByText(/^The CTF has ended/, {}, PATIENT)).toBeTruthy();
  });
  test("signup sends the fields, shows the next step and does not log in", async () => {
    server.replies["/signup"] = [201, { message: "x", token: "fsp_never" }];
    const { user } = open("/signup");
    await user.type(await screen.findByLabelText("Team name", {}, PATIENT), " 😀😀😀 ");
    await user.type(screen.getByLabelText("Email"), "a@b.example");
    const country = screen.getByRole("combobox", { name: "Country" });
    expect(country).toHaveProperty("value", "United Nations");
    await user.clear(country);
    await user.type(country, "italy{enter}");
    await user.type(screen.getByLabelText("Password"), "secret1");
    await user.click(screen.getByRole("checkbox", { name: /polito students/ }));
    expect(screen.queryByText(/^The CTF has ended/)).toBeNull();
    await user.click(screen.getByRole("button", { name: "Signup" }));
    const message = "Team created, check your email for a verification link!";
    expect(await screen.findByText(message)).toBeTruthy();
    expect(callsTo("/signup")[0]?.body).toEqual({
      teamName: "😀😀😀",
      email: "a@b.example",
      country: "IT",
      password: "secret1",
      studentTeam: true,
      captchaToken: "off",
    });
    expect(readToken()).toBe("");
  });
  test("a signup without confirmation offers the login and mentions no link", async () => {
    server.info.confirmEmail = false;
    server.replies["/signup"] = [201, { message: "x" }];
    const { user } = open("/signup");
    await user.type(await screen.findByLabelText("Team name", {}, PATIENT), "Ours");
    await user.type(screen.getByLabelText("Email"), "a@b.example");
    await user.type(screen.getByLabelText("Password"), "secret1{enter}");
    expect(await screen.findByText("Team created, you can log in now!")).toBeTruthy();
    expect(document.body.textContent).not.toMatch(/verification|confirm|link|mail/i);
    server.replies["/login"] = [200, { token: TOKEN }];
    expect(await screen.findByLabelText("Team", {}, PATIENT)).toHaveProperty("value", "Ours");
    expect(document.activeElement).toBe(screen.getByLabelText("Password"));
    await user.keyboard("secret1{enter}");
    await waitFor(() => expect(window.location.pathname).toBe("/"), PATIENT);
    expect(readToken()).toBe(TOKEN);
  });
  test("a signup can resend the email, change the address, and lead back", async () => {
    server.replies["/signup"] = [201, { message: "x" }];
    server.replies["/resend"] = [200, { message: "We sent a new link." }];
    server.replies["/signup/address"] = [409, { message: "Already." }];
    const { user, unmount } = open("/login?to=%2Fchallenge%3Fopen%3Da");
    await user.click(await screen.findByRole("link", { name: /No team yet/ }, PATIENT));
    await user.type(await screen.findByLabelText("Team name", {}, PATIENT), "Ours");
    await user.type(screen.getByLabelText("Email"), "typo@b.example");
    await user.type(screen.getByLabelText("Password"), "secret1{enter}");
    const where = await screen.findByText(/^We sent a link to typo@b\.example\./, {}, PATIENT);
    expect(document.activeElement).toBe(where);
    await user.click(screen.getByRole("button", { name: "Resend email" }));
    await screen.findByText("We sent a new link.");
    expect(callsTo("/resend")[0]?.body).toEqual({ email: "typo@b.example" });

    await user.click(screen.getByRole("button", { name: "Use a different email address" }));
    await user.type(screen.getByLabelText("Email"), "a@b.example");
    const send = screen.getByRole("button", { name: "Send link" });
    await user.click(send);
    await screen.findByText("Already.");
    server.replies["/signup/address"] = [200, { message: "We sent a new link to it." }];
    await user.click(send);
    await screen.findByText(/^We sent a link to a@b\.example\./);
    const { body } = callsTo("/signup/address")[1] ?? {};
    const moved = { teamName: "Ours", password: "secret1", email: "a@b.example" };
    expect(body).toEqual({ ...moved, captchaToken: "off" });

    unmount();
    server.replies["/confirm"] = [200, { message: "Confirmed.", team: "Ours" }];
    server.replies["/login"] = [200, { token: TOKEN }];
    open("/confirm#abc");
    await user.click(await screen.findByRole("button", { name: "Confirm email" }, PATIENT));
    await screen.findByText(/One last step/);
    await user.keyboard("secret1{enter}");
    const there = () => window.location.pathname + window.location.search;
    await waitFor(() => expect(there()).toBe("/challenge?open=a"), PATIENT);
  });
  test("a short name or password is rejected in the client", async () => {
    const { user } = open("/signup");
    await user.type(await screen.findByLabelText("Team name", {}, PATIENT), "😀😀");
    await user.type(screen.getByLabelText("Email"), "a@b.example");
    await user.type(screen.getByLabelText("Password"), "five5");
    await user.click(screen.getByRole("button", { name: "Signup" }));
    expect(screen.getByText("Use 3 to 25 characters.")).toBeTruthy();
    expect(screen.getByText("Use at least 6 characters.")).toBeTruthy();
    expect(callsTo("/signup")).toHaveLength(0);
  });
});

describe("emailed links", () => {
  test("a confirmation requires a click", async () => {
    server.replies["/confirm"] = [200, { message: "Your team is confirmed.", team: "Ours" }];
    const { user } = open("/confirm#abc_DEF-1");
    const button = await screen.findByRole("button", { name: "Confirm email" }, PATIENT);
    expect(callsTo("/confirm")).toHaveLength(0);
    await user.click(button);
    expect(await screen.findByText("Your team is confirmed.")).toBeTruthy();
    expect(callsTo("/confirm")[0]?.body).toEqual({ token: "abc_DEF-1" });
    // Only the password is left to enter.
    server.replies["/login"] = [200, { token: TOKEN }];
    expect(screen.getByLabelText("Team")).toHaveProperty("value", "Ours");
    expect(document.activeElement).toBe(screen.getByLabelText("Password"));
    await user.keyboard("secret1{enter}");
    await waitFor(() => expect(window.location.pathname).toBe("/challenge"), PATIENT);
  });
  test("a reset with its token sets the password", async () => {
    server.replies["/reset"] = [200, { message: "The password is set." }];
    const { user } = open("/reset#tok");
    await user.type(await screen.findByLabelText("New password", {}, PATIENT), "secret2");
    await user.click(screen.getByRole("button", { name: "Set password" }));
    await screen.findByText("The password is set.");
    expect(callsTo("/reset")[0]?.body).toEqual({ token: "tok", password: "secret2" });
  });
  test("a reset code from an organizer sets the password", async () => {
    server.replies["/reset"] = [200, { message: "The password is set." }];
    const { user } = open("/reset");
    await user.click(
      await screen.findByRole("link", { name: /reset code from the organizers/ }, PATIENT),
    );
    await user.type(await screen.findByLabelText("Reset code"), " abcd-efgh ");
    await user.type(screen.getByLabelText("New password"), "secret2");
    await user.click(screen.getByRole("button", { name: "Set password" }));
    await screen.findByText("The password is set.");
    expect(callsTo("/reset")[0]?.body).toEqual({ token: "abcd-efgh", password: "secret2" });
  });
  test("canceling an address change requires a click", async () => {
    server.replies["/stop"] = [200, { message: "The change is stopped." }];
    const { user } = open("/stop#abc_DEF-1");
    const button = await screen.findByRole("button", { name: "Cancel the change" }, PATIENT);
    expect(callsTo("/stop")).toHaveLength(0);
    await user.click(button);
    await screen.findByText("The change is stopped.");
    expect(callsTo("/stop")[0]?.body).toEqual({ token: "abc_DEF-1" });
  });
  test("without a token the reset page sends the email", async () => {
    server.replies["/forgot"] = [200, { message: "A mail may be on its way." }];
    const { user } = open("/reset");
    await user.type(await screen.findByLabelText("Email", {}, PATIENT), "a@b.example");
    await user.click(screen.getByRole("button", { name: "Send reset link" }));
    await screen.findByText("A mail may be on its way.");
    expect(callsTo("/forgot")[0]?.body).toEqual({ email: "a@b.example" });
  });
});

const FILE = { name: "a.zip", link: "/api/files/a", bytes: 3, sha256: "ab".repeat(32) };

describe("challenges", () => {
  beforeEach(() => {
    writeToken(TOKEN);
    server.replies["/challenge"] = [
      200,
      {
        challenges: [
          challenge("a", { attachments: [FILE] }),
          challenge("b", { categories: ["pwn"] }),
          challenge("c", { categories: ["pwn"], locked: true, requirements: ["a"] }),
        ],
      },
    ];
  });
  const card = (id: string) => screen.findByRole("article", { name: `Challenge ${id}` }, PATIENT);

  test("without a login the page leads to /login", async () => {
    clearToken();
    open("/challenge?open=a");
    await waitFor(() => expect(window.location.pathname).toBe("/login"), PATIENT);
    expect(window.location.search).toBe("?to=%2Fchallenge%3Fopen%3Da");
    // There was no session to end.
    expect(screen.queryByText(/^Your session has ended/)).toBeNull();
  });
  test("a token that ends while playing leads to /login, and back to the draft", async () => {
    server.replies["/solve"] = [401, { message: "Log in first." }];
    const { user } = open("/challenge?open=a");
    const flag = await screen.findByPlaceholderText("flag", {}, PATIENT);
    server.replies["/ctf"] = () => ctf(null);
    await user.type(flag, "x{enter}");
    await waitFor(() => expect(window.location.pathname).toBe("/login"), PATIENT);
    expect(readToken()).toBe("");
    const word = await screen.findByText(/^Your session has ended/);
    expect(word.closest("[role=status]")).toBeTruthy();
    delete server.replies["/ctf"];
    server.replies["/login"] = [200, { token: TOKEN }];
    await user.type(await screen.findByLabelText("Team", {}, PATIENT), "Ours");
    await user.type(screen.getByLabelText("Password"), "secret1{enter}");
    expect(await screen.findByPlaceholderText("flag", {}, PATIENT)).toHaveProperty("value", "x");
    expect(window.location.pathname + window.location.search).toBe("/challenge?open=a");
    expect(screen.queryByText(/^Your session has ended/)).toBeNull();
    // A logout in this tab shows no message and discards the drafts.
    await user.click(screen.getByRole("link", { name: "Logout" }));
    await screen.findByRole("button", { name: "Login" }, PATIENT);
    expect(screen.queryByText(/^Your session has ended/)).toBeNull();
    expect(sessionStorage.length).toBe(0);
  });
  test("a draft is kept for each challenge until it is solved", async () => {
    server.replies["/solve"] = [200, { correct: true }];
    // A large window shows only the challenge that was opened last.
    vi.stubGlobal("innerWidth", 390);
    const { user } = open("/challenge?open=a&open=b");
    const field = (id: string) => screen.findByLabelText(`Flag for Challenge ${id}`, {}, PATIENT);
    await user.type(await field("a"), "half");
    await user.type(await field("b"), "whole");
    cleanup();
    open("/challenge?open=a&open=b");
    expect(await field("a")).toHaveProperty("value", "half");
    expect(await field("b")).toHaveProperty("value", "whole");
    await user.type(await field("b"), "{enter}");
    await waitFor(() => expect(screen.getAllByPlaceholderText("flag")).toHaveLength(1), PATIENT);
    const [kept, ...others] = Object.values(sessionStorage);
    expect(kept).toContain("half");
    expect(others).toEqual([]);
  });
  test("a card opens and closes, with its text and files", async () => {
    const { user } = open("/challenge");
    const button = within(await card("a")).getByRole("button", { name: /Challenge a/ });
    await user.click(button);
    expect(await screen.findByText(/About a/)).toBeTruthy();
    expect(screen.getByRole("link", { name: "a.zip" }).getAttribute("href")).toBe("/api/files/a");
    expect(window.location.search).toBe("?open=a");
    await user.click(button);
    expect(screen.queryByText(/About a/)).toBeNull();
  });
  test("an empty flag is `flag missing`, an incorrect one shakes for a second", async () => {
    server.replies["/solve"] = [200, { correct: false }];
    const { user } = open("/challenge?open=a");
    const flag = await screen.findByPlaceholderText("flag", {}, PATIENT);
    const form = flag.closest("form");
    await user.click(screen.getByRole("button", { name: "Submit" }));
    expect(screen.getByRole("alert").textContent).toBe("flag missing");
    await user.type(flag, " nope {enter}");
    await waitFor(() => expect(form?.dataset.wrong).toBe("true"));
    expect(screen.queryByRole("alert")).toBeNull();
    expect(callsTo("/solve")[0]?.body).toEqual({ flag: "nope", challengeId: "a" });
    await waitFor(() => expect(form?.dataset.wrong).toBe("false"), PATIENT);
  });
  test("too fast counts down on the button", async () => {
    server.replies["/solve"] = [429, { message: "Too fast." }, { "Retry-After": "2" }];
    const { user } = open("/challenge?open=a");
    await user.type(await screen.findByPlaceholderText("flag", {}, PATIENT), "x{enter}");
    expect(await screen.findByRole("button", { name: "Wait 2 s" })).toHaveProperty(
      "disabled",
      true,
    );
    expect(await screen.findByRole("button", { name: "Submit" }, PATIENT)).toBeTruthy();
  });
  test("a correct flag hides the form and unlocks the dependent challenge", async () => {
    server.replies["/solve"] = [200, { correct: true }];
    const { user } = open("/challenge?open=a");
    await user.type(await screen.findByPlaceholderText("flag", {}, PATIENT), "yes{enter}");
    await waitFor(() => expect(screen.queryByPlaceholderText("flag")).toBeNull());
    expect(within(await card("a")).getByText("Solved")).toBeTruthy();
    const before = callsTo("/challenge").length;
    snapshot([["Ours", "IT", { "0": [1, 1_700_000_000] }, 1_700_000_000]], ["a", "b", "c"]);
    await waitFor(() => expect(callsTo("/challenge")).toHaveLength(before + 1), PATIENT);
    expect(screen.getByText(/^Solved by your team at 1[45] Nov, /)).toBeTruthy();
    // The fake server still answers `locked`: the same reason causes no second refetch.
    await new Promise((resolve) => setTimeout(resolve, 900));
    expect(callsTo("/challenge")).toHaveLength(before + 1);
  });
  test("a solve is announced wherever the focus is", async () => {
    const { user } = open("/challenge?open=a");
    const flag = await screen.findByPlaceholderText("flag", {}, PATIENT);
    const elsewhere = screen.getByRole("button", { name: "pwn" });
    server.replies["/solve"] = () => {
      elsewhere.focus();
      return [200, { correct: true }];
    };
    await user.type(flag, "yes{enter}");
    const news = await screen.findByText("Challenge a solved.", {}, PATIENT);
    expect(news.getAttribute("role")).toBe("status");
    expect(document.activeElement).toBe(elsewhere);
  });
  test("Skip to content leads to the list, past the filter and the snapshot", async () => {
    const { user } = open("/challenge");
    await card("a");
    await user.click(screen.getByRole("link", { name: "Skip to content" }));
    expect(document.activeElement).toBe(screen.getByRole("region", { name: "Challenge list" }));
    await user.tab();
    expect(document.activeElement?.textContent).toContain("Challenge a");
  });
  test("hidden categories are in the address, and their challenges are hidden", async () => {
    const { user } = open("/challenge");
    await card("c");
    expect(screen.getByRole("heading", { name: "Hide Categories" })).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "pwn", pressed: false }));
    await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(1));
    expect(window.location.search).toBe("?hide=pwn");
    await user.click(screen.getByRole("button", { name: "pwn", pressed: true }));
    await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(3));
  });
  test("a locked challenge lists its requirements and has no form", async () => {
    open("/challenge?open=c");
    const link = await screen.findByRole("link", { name: "Challenge a" }, PATIENT);
    expect(link.closest("p")?.textContent).toBe("Requires: Challenge a");
    expect(link.getAttribute("href")).toBe("/challenge?open=a");
    expect(screen.queryByPlaceholderText("flag")).toBeNull();
  });
});

describe("scoreboard", () => {
  const rows = Array.from({ length: 120 }, (_, index) => [
    index === 119 ? "Ours" : `Team ${String(index).padStart(3, "0")}`,
    "IT",
    index === 0 ? { "0": [1, 1_700_913_845] } : {},
    index === 0 ? 1_700_913_845 : 0,
    1000 - index,
  ]);
  test("a loading placeholder, then 50 rows per page, with the team's own row below", async () => {
    writeToken(TOKEN);
    const { user } = open("/scoreboard");
    expect(await screen.findByRole("status", { name: /Loading scoreboard/ }, PATIENT)).toBeTruthy();
    await screen.findByRole("link", { name: "Logout" }, PATIENT);
    snapshot(rows, ["a"]);
    const table = await screen.findByRole("table", {}, PATIENT);
    const names = () =>
      within(table)
        .getAllByRole("rowheader")
        .map((cell) => cell.textContent);
    expect(names()).toHaveLength(51);
    expect(names()[0]).toBe("Team 000");
    expect(names()[50]).toBe("Ours (your team)");
    await user.click(screen.getByRole("link", { name: "Page 3" }));
    await waitFor(() => expect(names()).toHaveLength(20));
    expect(screen.getByText("Page 3 of 3")).toBeTruthy();
  });
  test("a column's value, a solve's time in UTC", async () => {
    open("/scoreboard");
    await screen.findByRole("status", { name: /Loading/ }, PATIENT);
    snapshot(rows, ["a"]);
    await screen.findByRole("columnheader", { name: "Challenge a, 100 points" });
    expect(screen.getByRole("columnheader", { name: "web" })).toBeTruthy();
    const mark = screen.getByRole("img", { name: /Challenge a: first blood/ });
    expect(mark.title).toBe("2023-11-25 12:04:05 UTC");
  });
  test("the status banner: frozen, ended, not started, nothing while running", async () => {
    const hour = HOUR_MS;
    const cases = [
      ["Scoreboard frozen", { freezeTime: Date.now() - hour }],
      ["CTF ended", { endTime: Date.now() - 1 }],
      ["CTF not started", { startTime: Date.now() + hour, endTime: Date.now() + 2 * hour }],
    ] as const;
    for (const [words, changed] of cases) {
      server.times = {
        startTime: Date.now() - hour,
        endTime: Date.now() + hour,
        freezeTime: null,
        ...changed,
      };
      open("/scoreboard");
      expect(await screen.findByText(words, {}, PATIENT)).toBeTruthy();
      cleanup();
    }
  });
  test("a live error is shown; a solve moves the row", async () => {
    open("/scoreboard");
    await screen.findByRole("status", { name: /Loading/ }, PATIENT);
    snapshot(
      [
        ["Ants", "IT", {}, 0],
        ["Bees", "FR", {}, 0],
      ],
      ["a"],
    );
    await screen.findByRole("table", {}, PATIENT);
    const solve = { event: "solve", seq: 2, challengeId: "a", teamName: "Bees", ts: 1_700_000_000 };
    say(solve);
    await waitFor(() => expect(screen.getAllByRole("rowheader")[0]?.textContent).toBe("Bees"));
    say({ event: "error", code: "live_too_many_messages", message: "Slow down." });
    await waitFor(() => expect(screen.getByRole("alert").textContent).toBe("Slow down."));
  });
});

describe("settings", () => {
  afterEach(() => localStorage.clear());
  test("a theme is applied, and System follows the device again", async () => {
    const { user } = open("/rules");
    const theme = await screen.findByRole("combobox", { name: "Theme" });
    await user.selectOptions(theme, "Dark");
    expect(document.documentElement.dataset.theme).toBe("dark");
    await user.selectOptions(theme, "System");
    expect(document.documentElement.dataset.theme).toBeUndefined();
  });
  test("times use the event's zone if chosen; an unknown zone is ignored", async () => {
    server.times.startTime = Date.UTC(2026, 0, 10, 12);
    const { user } = open("/");
    const zone = await screen.findByRole("combobox", { name: "Time zone" }, PATIENT);
    await user.selectOptions(zone, "Event (Europe/Rome)");
    expect(await screen.findByText(/10 January 2026 at 13:00/)).toBeTruthy();
    cleanup();
    server.info.timezone = "Atlantis/Harbour";
    open("/");
    expect(await screen.findByText(/10 January 2026/, {}, PATIENT)).toBeTruthy();
  });
  test("shortcuts work except while typing, and can be turned off", async () => {
    const { user } = open("/login");
    await user.type(await screen.findByLabelText("Team", {}, PATIENT), "gr?");
    expect(window.location.pathname).toBe("/login");
    await user.click(document.body);
    await user.keyboard("?");
    const sheet = await screen.findByRole("dialog", { name: "Keyboard shortcuts" }, PATIENT);
    await user.click(within(sheet).getByRole("checkbox", { name: "Single-key shortcuts" }));
    await user.click(within(sheet).getByRole("button", { name: "Close" }));
    await user.keyboard("gr?");
    expect(window.location.pathname).toBe("/login");
    expect(screen.queryByRole("dialog")).toBeNull();
    await user.click(screen.getByRole("button", { name: /^Keyboard shortcuts/ }));
    await user.click(await screen.findByRole("checkbox", { name: "Single-key shortcuts" }));
    await user.click(screen.getByRole("button", { name: "Close" }));
    await user.keyboard("g{Control>}r{/Control}hello crumbs{Escape}a");
    expect(window.location.pathname).toBe("/login");
    await user.keyboard("{Escape}gr");
    await waitFor(() => expect(window.location.pathname).toBe("/rules"));
  });
});

describe("languages", () => {
  test("a click switches to Italian, and the browser remembers it", async () => {
    const refusal = { code: "credentials_wrong", message: "Incorrect team name or password." };
    server.replies["/login"] = [401, refusal];
    const { user } = open("/login");
    await user.selectOptions(await screen.findByRole("combobox", { name: "Language" }), "it");
    expect(await screen.findByRole("link", { name: "Classifica" }, PATIENT)).toBeTruthy();
    expect(document.documentElement.lang).toBe("it");
    await user.type(await screen.findByLabelText("Squadra", {}, PATIENT), "Ours");
    await user.type(screen.getByLabelText("Password"), "secret1");
    await user.click(screen.getByRole("button", { name: "Accedi" }));
    expect(await screen.findByText("Nome della squadra o password sbagliati.")).toBeTruthy();
    expect((await initialLanguage()).language).toBe("it");
    await user.selectOptions(screen.getByRole("combobox", { name: "Lingua" }), "en");
    expect(await screen.findByText("Incorrect team name or password.")).toBeTruthy();
    expect(document.documentElement.lang).toBe("en");
  });
  test("Arabic is laid out right to left", async () => {
    const { user } = open("/rules");
    const languages = await screen.findByRole("combobox", { name: "Language" });
    await user.selectOptions(languages, "ar");
    expect(await screen.findByRole("link", { name: "التحديات" }, PATIENT)).toBeTruthy();
    expect([document.documentElement.lang, document.documentElement.dir]).toEqual(["ar", "rtl"]);
    await user.selectOptions(languages, "en");
    await screen.findByRole("link", { name: "Challenges" });
    expect(document.documentElement.dir).toBe("ltr");
  });
  test("the browser's first supported language is used, else English", async () => {
    const cases = [
      [["it-CH", "en"], "it"],
      [["nl", "it", "en"], "it"],
      [["zh-CN"], "zh"],
      [["zh-Hant-TW", "ja"], "ja"],
      [["en-US", "it"], "en"],
      [["nl"], "en"],
    ] as const;
    for (const [languages, expected] of cases) {
      vi.spyOn(navigator, "languages", "get").mockReturnValue(languages);
      expect((await initialLanguage()).language).toBe(expected);
    }
    localStorage.setItem("language", "it");
    expect((await initialLanguage()).language).toBe("it");
    localStorage.setItem("language", "xx");
    expect((await initialLanguage()).language).toBe("en");
  });
});

test("the rules are the event's", async () => {
  server.replies["/rules"] = [200, { html: "<ul><li>No scanners</li></ul>" }];
  open("/rules");
  expect(await screen.findByText("No scanners", {}, PATIENT)).toBeTruthy();
});
