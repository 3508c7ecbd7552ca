/**
 * The whole site with a fake server: routes, by role and label. The end-to-end tests check that
 * HTML is sanitised, since DOMPurify does not work on this DOM.
 */
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import type userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { clearToken, readToken, writeToken } from "./api/token";
import { initialLanguage } from "./messages/language";
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
} from "./stand-in";

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
  test("without an event the built-in title stands", async () => {
    server.info = { ...server.info, name: null };
    open("/");
    expect(await screen.findByRole("link", { name: "Flagship CTF" })).toBeTruthy();
    expect(document.title).toBe("Flagship CTF");
  });
  test("an unknown address is said to be one", async () => {
    open("/nowhere");
    expect(await screen.findByRole("heading", { name: "Nothing here" })).toBeTruthy();
  });
  test("a token that the server does not recognise is dropped", async () => {
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
  test("it changes by itself when the event ends", async () => {
    server.times.endTime = Date.now() + 1500;
    open("/");
    expect(await screen.findByText(/^There are 0 days/, {}, PATIENT)).toBeTruthy();
    expect(await screen.findByText(/The CTF has ended\./, {}, PATIENT)).toBeTruthy();
  });
  test("no answer: the banner, and the catalogue's words", async () => {
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
    expect(alert.textContent).toBe("");
  });
  test("an unconfirmed team finds the way to another mail, and the route clears", async () => {
    const refusal = { code: "email_unconfirmed", message: "Confirm your e-mail first." };
    server.replies["/login"] = [403, refusal];
    server.replies["/resend"] = [
      200,
      { message: "If the address is known, a mail is on its way." },
    ];
    const { user } = open("/login");
    await fillLogin(user);
    await user.click(await screen.findByRole("link", { name: /confirmation mail again/ }, PATIENT));
    await user.type(await screen.findByLabelText("E-mail", {}, PATIENT), "a@b.example");
    await waitFor(() => expect(screen.getByRole("alert").textContent).toBe(""));
    await user.click(screen.getByRole("button", { name: "Send it again" }));
    expect(await screen.findByText(/a mail is on its way/)).toBeTruthy();
    expect(callsTo("/resend")[0]?.body).toEqual({ email: "a@b.example" });
  });
  test("a banned team is told so, and gets no link to another mail", async () => {
    const message = "This team has been banned. Contact the organizers.";
    server.replies["/login"] = [403, { code: "team_banned", message }];
    const { user } = open("/login");
    await fillLogin(user);
    await waitFor(() => expect(screen.getByRole("alert").textContent).toContain(message));
    expect(screen.queryByRole("link", { name: /confirmation mail again/ })).toBeNull();
    expect(readToken()).toBe("");
  });
  test("without a captcha token nothing is sent: Invalid captcha", async () => {
    server.info = { ...server.info, captcha: { provider: "turnstile", siteKey: "key" } };
    vi.stubGlobal("turnstile", { render: () => "id", reset() {} });
    const { user } = open("/login");
    await fillLogin(user);
    await waitFor(() => expect(screen.getByRole("alert").textContent).toBe("Invalid captcha"));
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
  test("after the end signup says that the event is over", async () => {
    server.times.endTime = Date.now() - 1;
    open("/signup");
    await screen.findByLabelText("Team name", {}, PATIENT);
    expect(await screen.findByText(/^The CTF has ended/, {}, PATIENT)).toBeTruthy();
  });
  test("signup sends the fields, says what comes next and does not log in", async () => {
    server.replies["/signup"] = [201, { message: "x", token: "fsp_never" }];
    const { user } = open("/signup");
    await user.type(await screen.findByLabelText("Team name", {}, PATIENT), " 😀😀😀 ");
    await user.type(screen.getByLabelText("E-mail"), "a@b.example");
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
  test("without confirmation a signup says that the team can log in, not of a link", async () => {
    server.info.confirmEmail = false;
    server.replies["/signup"] = [201, { message: "x" }];
    const { user } = open("/signup");
    await user.type(await screen.findByLabelText("Team name", {}, PATIENT), "Ours");
    await user.type(screen.getByLabelText("E-mail"), "a@b.example");
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
  test("a signup leads to its mail, to another address, and where it came from", async () => {
    server.replies["/signup"] = [201, { message: "x" }];
    server.replies["/resend"] = [200, { message: "A new link is on its way." }];
    server.replies["/signup/address"] = [409, { message: "Already." }];
    const { user, unmount } = open("/login?to=%2Fchallenge%3Fopen%3Da");
    await user.click(await screen.findByRole("link", { name: /No team yet/ }, PATIENT));
    await user.type(await screen.findByLabelText("Team name", {}, PATIENT), "Ours");
    await user.type(screen.getByLabelText("E-mail"), "typo@b.example");
    await user.type(screen.getByLabelText("Password"), "secret1{enter}");
    const where = await screen.findByText(
      /^A link is on its way to typo@b\.example\./,
      {},
      PATIENT,
    );
    expect(document.activeElement).toBe(where);
    await user.click(screen.getByRole("button", { name: "Send it again" }));
    await screen.findByText("A new link is on its way.");
    expect(callsTo("/resend")[0]?.body).toEqual({ email: "typo@b.example" });

    await user.click(screen.getByRole("button", { name: "Use another address" }));
    await user.type(screen.getByLabelText("E-mail"), "a@b.example");
    const send = screen.getByRole("button", { name: "Send the link there" });
    await user.click(send);
    await screen.findByText("Already.");
    server.replies["/signup/address"] = [200, { message: "A new link is on its way to it." }];
    await user.click(send);
    await screen.findByText(/^A link is on its way to a@b\.example\./);
    const { body } = callsTo("/signup/address")[1] ?? {};
    const moved = { teamName: "Ours", password: "secret1", email: "a@b.example" };
    expect(body).toEqual({ ...moved, captchaToken: "off" });

    unmount();
    server.replies["/confirm"] = [200, { message: "Confirmed.", team: "Ours" }];
    server.replies["/login"] = [200, { token: TOKEN }];
    open("/confirm#abc");
    await user.click(await screen.findByRole("button", { name: "Confirm the e-mail" }, PATIENT));
    await screen.findByText(/One step is left/);
    await user.keyboard("secret1{enter}");
    const there = () => window.location.pathname + window.location.search;
    await waitFor(() => expect(there()).toBe("/challenge?open=a"), PATIENT);
  });
  test("a short name or password is refused here", async () => {
    const { user } = open("/signup");
    await user.type(await screen.findByLabelText("Team name", {}, PATIENT), "😀😀");
    await user.type(screen.getByLabelText("E-mail"), "a@b.example");
    await user.type(screen.getByLabelText("Password"), "five5");
    await user.click(screen.getByRole("button", { name: "Signup" }));
    expect(screen.getByText("The team name has 3 to 25 characters.")).toBeTruthy();
    expect(screen.getByText("The password has at least 6 characters.")).toBeTruthy();
    expect(callsTo("/signup")).toHaveLength(0);
  });
});

describe("mailed links", () => {
  test("a confirmation needs a click", async () => {
    server.replies["/confirm"] = [200, { message: "Your team is confirmed.", team: "Ours" }];
    const { user } = open("/confirm#abc_DEF-1");
    const button = await screen.findByRole("button", { name: "Confirm the e-mail" }, PATIENT);
    expect(callsTo("/confirm")).toHaveLength(0);
    await user.click(button);
    expect(await screen.findByText("Your team is confirmed.")).toBeTruthy();
    expect(callsTo("/confirm")[0]?.body).toEqual({ token: "abc_DEF-1" });
    // One step from playing: the password.
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
    await user.click(screen.getByRole("button", { name: "Set the password" }));
    await screen.findByText("The password is set.");
    expect(callsTo("/reset")[0]?.body).toEqual({ token: "tok", password: "secret2" });
  });
  test("a code that an organizer told sets the password", async () => {
    server.replies["/reset"] = [200, { message: "The password is set." }];
    const { user } = open("/reset");
    await user.click(await screen.findByRole("link", { name: /told me a code/ }, PATIENT));
    await user.type(await screen.findByLabelText("Code from the organizers"), " abcd-efgh ");
    await user.type(screen.getByLabelText("New password"), "secret2");
    await user.click(screen.getByRole("button", { name: "Set the password" }));
    await screen.findByText("The password is set.");
    expect(callsTo("/reset")[0]?.body).toEqual({ token: "abcd-efgh", password: "secret2" });
  });
  test("stopping the change of an address needs a click", async () => {
    server.replies["/stop"] = [200, { message: "The change is stopped." }];
    const { user } = open("/stop#abc_DEF-1");
    const button = await screen.findByRole("button", { name: "Stop the change" }, PATIENT);
    expect(callsTo("/stop")).toHaveLength(0);
    await user.click(button);
    await screen.findByText("The change is stopped.");
    expect(callsTo("/stop")[0]?.body).toEqual({ token: "abc_DEF-1" });
  });
  test("without a token the reset page sends the mail", async () => {
    server.replies["/forgot"] = [200, { message: "A mail may be on its way." }];
    const { user } = open("/reset");
    await user.type(await screen.findByLabelText("E-mail", {}, PATIENT), "a@b.example");
    await user.click(screen.getByRole("button", { name: "Send a reset link" }));
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
    // Nobody was logged in: nothing has ended.
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
    // A logout of this tab ends it without a word, and takes the drafts with it.
    await user.click(screen.getByRole("link", { name: "Logout" }));
    await screen.findByRole("button", { name: "Login" }, PATIENT);
    expect(screen.queryByText(/^Your session has ended/)).toBeNull();
    expect(sessionStorage.length).toBe(0);
  });
  test("a draft is kept for each challenge until it is solved", async () => {
    server.replies["/solve"] = [200, { correct: true }];
    const { user } = open("/challenge?open=a&open=b");
    const field = (id: string) => screen.findByLabelText(`Flag of Challenge ${id}`, {}, PATIENT);
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
  test("an empty flag is `flag missing`, a wrong one shakes a second, wordless", async () => {
    server.replies["/solve"] = [200, { correct: false }];
    const { user } = open("/challenge?open=a");
    const flag = await screen.findByPlaceholderText("flag", {}, PATIENT);
    const form = flag.closest("form");
    await user.click(screen.getByRole("button", { name: "Submit" }));
    expect(screen.getByRole("alert").textContent).toBe("flag missing");
    await user.type(flag, " nope {enter}");
    await waitFor(() => expect(form?.dataset.wrong).toBe("true"));
    expect(screen.getByRole("alert").textContent).toBe("");
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
  test("a right flag hides the form, and its requirement opens by itself", async () => {
    server.replies["/solve"] = [200, { correct: true }];
    const { user } = open("/challenge?open=a");
    await user.type(await screen.findByPlaceholderText("flag", {}, PATIENT), "yes{enter}");
    await waitFor(() => expect(screen.queryByPlaceholderText("flag")).toBeNull());
    expect(within(await card("a")).getByText("Solved")).toBeTruthy();
    const before = callsTo("/challenge").length;
    snapshot([["Ours", "IT", { "0": [1, 1_700_000_000] }, 1_700_000_000]], ["a", "b", "c"]);
    await waitFor(() => expect(callsTo("/challenge")).toHaveLength(before + 1), PATIENT);
    expect(screen.getByText(/^Your team solved it at 1[45] Nov, /)).toBeTruthy();
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
    const news = await screen.findByText("Challenge a is solved.", {}, PATIENT);
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
  test("hidden categories stand in the address and take their challenges away", async () => {
    const { user } = open("/challenge");
    await card("c");
    expect(screen.getByRole("heading", { name: "Hide Categories" })).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "pwn", pressed: false }));
    await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(1));
    expect(window.location.search).toBe("?hide=pwn");
    await user.click(screen.getByRole("button", { name: "pwn", pressed: true }));
    await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(3));
  });
  test("a locked challenge names what it requires and has no form", async () => {
    open("/challenge?open=c");
    expect(await screen.findByText("Solve first: Challenge a", {}, PATIENT)).toBeTruthy();
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
  test("a loading placeholder, then 50 rows a page, and the own row below", async () => {
    writeToken(TOKEN);
    const { user } = open("/scoreboard");
    expect(
      await screen.findByRole("status", { name: /Loading the scoreboard/ }, PATIENT),
    ).toBeTruthy();
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
  test("a column's value and name, a solve's time in UTC", async () => {
    open("/scoreboard");
    await screen.findByRole("status", { name: /Loading/ }, PATIENT);
    snapshot(rows, ["a"]);
    const header = await screen.findByRole("columnheader", { name: "Challenge a, 100 points" });
    expect(header.title).toBe("Challenge a");
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
  test("a theme is on the page, and follows the device again", async () => {
    const { user } = open("/rules");
    const theme = await screen.findByRole("combobox", { name: "Theme" });
    await user.selectOptions(theme, "Dark");
    expect(document.documentElement.dataset.theme).toBe("dark");
    await user.selectOptions(theme, "As the device");
    expect(document.documentElement.dataset.theme).toBeUndefined();
  });
  test("times are the event's when that is chosen; an unknown zone is the device's", async () => {
    server.times.startTime = Date.UTC(2026, 0, 10, 12);
    const { user } = open("/");
    const zone = await screen.findByRole("combobox", { name: "Times" }, PATIENT);
    await user.selectOptions(zone, "The event's: Europe/Rome");
    expect(await screen.findByText(/10 January 2026 at 13:00/)).toBeTruthy();
    cleanup();
    server.info.timezone = "Atlantis/Harbour";
    open("/");
    expect(await screen.findByText(/10 January 2026/, {}, PATIENT)).toBeTruthy();
  });
  test("keys open pages and their sheet, not while typing, and can be switched off", async () => {
    const { user } = open("/login");
    await user.type(await screen.findByLabelText("Team", {}, PATIENT), "rs?");
    expect(window.location.pathname).toBe("/login");
    await user.click(document.body);
    await user.keyboard("?");
    const sheet = await screen.findByRole("dialog", { name: "Keyboard shortcuts" }, PATIENT);
    await user.click(within(sheet).getByRole("checkbox", { name: "Shortcuts of one key" }));
    await user.click(within(sheet).getByRole("button", { name: "Close" }));
    await user.keyboard("r?");
    expect(window.location.pathname).toBe("/login");
    expect(screen.queryByRole("dialog")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Keyboard shortcuts" }));
    await user.click(await screen.findByRole("checkbox", { name: "Shortcuts of one key" }));
    await user.click(screen.getByRole("button", { name: "Close" }));
    await user.keyboard("{Control>}r{/Control}");
    expect(window.location.pathname).toBe("/login");
    await user.keyboard("r");
    await waitFor(() => expect(window.location.pathname).toBe("/rules"));
  });
});

describe("languages", () => {
  test("a click speaks Italian, the browser remembers it", async () => {
    const refusal = { code: "credentials_wrong", message: "Wrong team name or password." };
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
    expect(await screen.findByText("Wrong team name or password.")).toBeTruthy();
    expect(document.documentElement.lang).toBe("en");
  });
  test("Arabic is read from the right", async () => {
    const { user } = open("/rules");
    const languages = await screen.findByRole("combobox", { name: "Language" });
    await user.selectOptions(languages, "ar");
    expect(await screen.findByRole("link", { name: "التحديات" }, PATIENT)).toBeTruthy();
    expect([document.documentElement.lang, document.documentElement.dir]).toEqual(["ar", "rtl"]);
    await user.selectOptions(languages, "en");
    await screen.findByRole("link", { name: "Challenges" });
    expect(document.documentElement.dir).toBe("ltr");
  });
  test("the browser's first language that we speak is spoken, else English", async () => {
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
