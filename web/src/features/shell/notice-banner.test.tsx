/** Notices on every page: urgent banner, unread dot, pause, and the projector. */
import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { writeToken } from "../../api/token";
import { callsTo, challenge, open, PATIENT, say, server, snapshot, TOKEN } from "../../fake-server";
import { choosePreference, ORGANIZER } from "../../ui/preference/preference";

const notice = (id: number, more: Record<string, unknown> = {}) => ({
  id,
  at: Date.now() - 60_000 + id,
  title: `Notice ${id}`,
  html: "",
  challengeId: null,
  urgent: false,
  correctedAt: null,
  withdrawn: false,
  withdrawnAt: null,
  urgentUntil: null,
  ...more,
});
let seq = 1;
const tell = (told: object) => {
  seq += 1;
  say({ event: "notice", seq, ...told });
};

/** Opens a page and waits until it follows news. */
async function openWithNews(path: string, told: object[]) {
  seq = 1;
  server.info.notices = told.length;
  server.replies["/notices"] = [200, { notices: told }];
  server.replies["/rules"] = [200, { html: "" }];
  const opened = open(path);
  await screen.findByRole("navigation", { name: "Main" });
  await waitFor(() => expect(server.sockets.length).toBeGreaterThan(0));
  snapshot([], ["a"]);
  if (told.length > 0) await waitFor(() => expect(callsTo("/notices")).toHaveLength(1), PATIENT);
  return opened;
}
const bar = () => within(screen.getByRole("navigation", { name: "Main" }));
const newsLink = () => bar().findByRole("link", { name: /^News/ }, PATIENT);

test("without notices the bar has no link to news; the first one adds it, unread", async () => {
  await openWithNews("/rules", []);
  expect(bar().queryByRole("link", { name: /News/ })).toBeNull();
  const footer = within(screen.getByRole("contentinfo"));
  expect(footer.getByRole("link", { name: "News" }).getAttribute("href")).toBe("/news");
  tell(notice(1));
  expect((await newsLink()).textContent).toBe("News (1 unread)");
  expect(screen.queryByRole("button", { name: "Dismiss" }), "it is not urgent").toBeNull();
  expect(callsTo("/notices"), "the message was enough").toHaveLength(0);
});

test("an urgent notice is an alert on every page until dismissed", async () => {
  const { user } = await openWithNews("/rules", [notice(1)]);
  tell(notice(2, { urgent: true, title: "Doors open" }));
  const title = await screen.findByText("Doors open", {}, PATIENT);
  const alert = title.closest("[role=alert]");
  expect(within(screen.getByRole("main")).queryByText("Doors open")).toBeNull();
  await user.click(screen.getByRole("link", { name: "Scoreboard" }));
  await screen.findByRole("heading", { level: 1, name: "Scoreboard" }, PATIENT);
  expect(screen.getByText("Doors open").closest("[role=alert]"), "not said again").toBe(alert);
  await user.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(screen.queryByText("Doors open")).toBeNull();
  expect((await newsLink()).textContent).toBe("News (1 unread)");
  tell(notice(2, { urgent: true, title: "Doors closed", correctedAt: Date.now() }));
  expect(await screen.findByText("Doors closed", {}, PATIENT)).toBeTruthy();
  tell(notice(2, { urgent: true, withdrawn: true, withdrawnAt: Date.now(), title: "" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Dismiss" })).toBeNull());
});

test("the latest of several comes first, with the number of the others", async () => {
  const told = [notice(3, { urgent: true }), notice(2), notice(1, { urgent: true })];
  const { user } = await openWithNews("/rules", told);
  expect(await screen.findByText("Notice 3", {}, PATIENT)).toBeTruthy();
  expect(screen.getByText("1 more")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(await screen.findByText("Notice 1")).toBeTruthy();
  expect(screen.queryByText("1 more")).toBeNull();
});

test("notices are refetched when the event reports more than are known", async () => {
  await openWithNews("/rules", [notice(1)]);
  await newsLink();
  server.info.notices = 2;
  server.replies["/notices"] = [200, { notices: [notice(2), notice(1)] }];
  say({ event: "scoreboard", seq: 9, generation: "g", challenges: [], scoreboard: [] });
  await waitFor(
    async () => expect((await newsLink()).textContent).toBe("News (2 unread)"),
    PATIENT,
  );
});

test("a solve of the team triggers a refetch of messages from the organizers", async () => {
  writeToken(TOKEN);
  server.replies["/questions"] = [200, { questions: [] }];
  await openWithNews("/scoreboard", [notice(1)]);
  await waitFor(() => expect(callsTo("/questions")).toHaveLength(1), PATIENT);
  const told = { id: 5, at: 5, text: "", state: "answered", answer: "It counts.", answeredAt: 5 };
  server.replies["/questions"] = [200, { questions: [told] }];
  snapshotOf({});
  await screen.findByRole("rowheader", { name: /Ours/ }, PATIENT);
  expect(callsTo("/questions"), "the board came").toHaveLength(1);
  snapshotOf({ "0": [1, 1700000000] });
  await waitFor(
    async () => expect((await newsLink()).textContent).toBe("News (2 unread)"),
    PATIENT,
  );
  expect(callsTo("/questions")).toHaveLength(2);
});

test("an answer on the channel is fetched immediately, and is unread", async () => {
  writeToken(TOKEN);
  server.replies["/questions"] = [200, { questions: [] }];
  await openWithNews("/scoreboard", [notice(1)]);
  await waitFor(() => expect(callsTo("/questions")).toHaveLength(1), PATIENT);
  const told = { id: 5, at: 5, text: "", state: "answered", answer: "Hello.", answeredAt: 5 };
  server.replies["/questions"] = [200, { questions: [{ ...told, fromOrganizers: true }] }];
  say({ event: "answer" });
  await waitFor(
    async () => expect((await newsLink()).textContent).toBe("News (2 unread)"),
    PATIENT,
  );
  expect(callsTo("/questions")).toHaveLength(2);
});

function snapshotOf(solves: Record<string, unknown>): void {
  seq += 1;
  const rows = [["Ours", "IT", solves, 0]];
  say({
    event: "scoreboard",
    seq,
    generation: "g",
    challenges: [challenge("a")],
    scoreboard: rows,
  });
}

test("only logged-in organizers have a link to their pages", async () => {
  await openWithNews("/rules", []);
  expect(screen.queryByRole("link", { name: "Organizers" })).toBeNull();
  act(() => choosePreference(ORGANIZER, "yes"));
  const link = await screen.findByRole("link", { name: "Organizers" }, PATIENT);
  expect(link.getAttribute("href")).toBe("/organize");
  act(() => choosePreference(ORGANIZER, "no"));
  expect(screen.queryByRole("link", { name: "Organizers" })).toBeNull();
});

test("a pause is shown on every page while the event runs, not after its end", async () => {
  server.info.paused = true;
  await openWithNews("/rules", []);
  expect(await screen.findByText(/^The CTF is paused/, {}, PATIENT)).toBeTruthy();
});

test("a pause is not shown once the event has ended", async () => {
  server.info.paused = true;
  server.times.endTime = Date.now() - 1;
  await openWithNews("/", []);
  await screen.findByText(/The CTF has ended\./, {}, PATIENT);
  expect(screen.queryByText(/is paused/)).toBeNull();
});

test("the projector shows the last notice and the pause, and no banner", async () => {
  server.info = { ...server.info, notices: 1, paused: true };
  server.replies["/notices"] = [200, { notices: [notice(1, { urgent: true })] }];
  open("/scoreboard?view=stage");
  expect(await screen.findByText("Notice 1", {}, PATIENT)).toBeTruthy();
  expect(screen.getByText("CTF paused")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Dismiss" })).toBeNull();
});
