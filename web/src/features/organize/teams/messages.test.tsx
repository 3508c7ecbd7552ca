/** Messages to one team: from its panel, and from evidence. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { callsTo, open, PATIENT } from "../../../fake-server";
import { OWNERS_ACTIONS, signedIn } from "../fake-server";

beforeEach(() => signedIn([...OWNERS_ACTIONS, "team.message"]));

const find = (role: string, name: string | RegExp) => screen.findByRole(role, { name }, PATIENT);
const sent = () => callsTo("/organize/actions").flatMap(({ body }) => (body ? [body] : []));

test.each([
  ["/organize/teams?team=Otters", "Otters"],
  [
    `/organize/submissions?tab=evidence&pair=${encodeURIComponent('["Otters","<b>Hostile</b>"]')}`,
    "<b>Hostile</b>",
  ],
])("at %s a message to %s is sent without a reason", async (address, team) => {
  const { user } = open(address);
  const actions = await find("group", `Actions for ${team}`);
  await user.click(within(actions).getByRole("button", { name: /^Message/ }));
  const sheet = await find("dialog", `Write to ${team}`);
  expect(within(sheet).queryByLabelText(/Reason/)).toBeNull();
  await user.type(within(sheet).getByLabelText("Text"), "Did you share it?");
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull(), PATIENT);
  const message = { action: "team.message", team, text: "Did you share it?" };
  expect(sent().at(-1)).toMatchObject(message);
});
