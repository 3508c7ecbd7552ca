/** Actions on several teams: selected with the mouse and by keys, done in one dialog. */
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { callsTo, open, PATIENT, server } from "../../../fake-server";
import { OTTERS, OWNERS_ACTIONS, signedIn } from "../fake-server";
import { bulkActions } from "./actions";

const NAMES = Array.from({ length: 40 }, (_, at) => `Team ${at}`);
const TEAMS = NAMES.map((teamName, at) => ({ ...OTTERS, teamName, number: at + 1 }));

beforeEach(() => {
  signedIn([...OWNERS_ACTIONS, "team.message"]);
  server.replies["/organize/teams"] = [200, { teams: TEAMS, total: TEAMS.length, next: null }];
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(36);
});

const find = (role: string, name: string | RegExp) => screen.findByRole(role, { name }, PATIENT);
const sent = () => callsTo("/organize/actions").flatMap(({ body }) => (body ? [body] : []));

test("40 teams get one message from one dialog", async () => {
  const { user } = open("/organize/teams");
  await user.click(await find("checkbox", "Select all"));
  await user.click(await find("button", /^Message 40 teams/));
  const sheet = await find("dialog", "Write to 40 teams");
  await user.type(within(sheet).getByLabelText("Text"), "The bus leaves at nine.");
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull(), PATIENT);
  const message = { action: "team.message", teams: NAMES, text: "The bus leaves at nine." };
  expect(sent().at(-1)).toMatchObject(message);
  // Nothing is selected afterwards.
  expect(screen.queryByRole("button", { name: /^Message \d/ })).toBeNull();
});

test("Shift selects a range with the mouse, and with x; Esc clears the selection", async () => {
  const { user } = open("/organize/teams");
  await user.click(await find("checkbox", "Select Team 1"));
  fireEvent.click(await find("checkbox", "Select Team 4"), { shiftKey: true });
  expect(await find("button", /^Hide 4 teams/)).toBeTruthy();
  (await find("link", "Team 6")).focus();
  await user.keyboard("{Shift>}X{/Shift}");
  expect(await find("button", /^Hide 6 teams/)).toBeTruthy();
  await user.keyboard("x");
  expect(await find("button", /^Hide 5 teams/)).toBeTruthy();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("button", { name: /^Hide \d/ })).toBeNull());
});

test("each action is for the selected teams that can take it", () => {
  const standings = ["plays", "hidden", "unconfirmed", "banned"];
  const known = new Map(
    standings.map((name) => [name, { teamName: name, country: "IT", standing: name }] as const),
  );
  const text = (name: string) => (count: number) => `${name} ${count}`;
  const words = {
    message: text("message"),
    resend: text("resend"),
    show: text("show"),
    hide: text("hide"),
    objects: text("teams"),
  };
  const actions = bulkActions([...standings, "not loaded"], known, words, () => undefined);
  expect(actions.map(({ text, order }) => [text, order.fixed])).toEqual([
    ["message 4", { teams: ["plays", "hidden", "banned", "not loaded"] }],
    ["resend 1", { teams: ["unconfirmed"] }],
    ["show 1", { teams: ["hidden"] }],
    ["hide 2", { teams: ["plays", "not loaded"] }],
  ]);
});
