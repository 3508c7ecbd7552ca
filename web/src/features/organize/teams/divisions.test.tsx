/** Divisions in the console: the chooser of a team, the filter of the list, and the names. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { callsTo, open, PATIENT, server } from "../../../fake-server";
import { acted, OTTERS, OWNERS_ACTIONS, signedIn } from "../fake-server";

const DIVISIONS = [
  { id: "school", name: "School", group: "Kind", join: "code", domains: [], teams: 1 },
  { id: "uni", name: "University", group: "Kind", join: "domain", domains: ["uni.example"] },
  { id: "staff", name: "Staff", group: "Prize", join: "organizers", domains: [], teams: 0 },
].map((one) => ({ teams: 0, student: false, private: one.id === "staff", ...one }));

const find = (role: string, name: string | RegExp) => screen.findByRole(role, { name }, PATIENT);

beforeEach(() => {
  signedIn([...OWNERS_ACTIONS, "team.divisions"]);
  const team = { ...OTTERS, divisions: ["school"] };
  server.replies["/organize/teams"] = [200, { teams: [team], total: 1, next: null }];
  server.replies["/organize/teams/Otters"] = [200, { team, story: [], next: null }];
  server.replies["/organize/divisions"] = [200, { divisions: DIVISIONS }];
  server.replies["/organize/actions"] = acted({ sentence: "Ada set divisions.", undo: null });
});

test("divisions are chosen by name, one of each group, private ones included", async () => {
  const { user } = open("/organize/teams?team=Otters");
  const panel = await find("region", "Otters");
  expect(await within(panel).findByRole("link", { name: "School" }, PATIENT)).toBeTruthy();
  await user.click(within(panel).getByRole("button", { name: "More actions for Otters" }));
  await user.click(await find("menuitem", "Set divisions"));
  const dialog = await screen.findByRole("dialog", {}, PATIENT);
  const kind = await within(dialog).findByRole("combobox", { name: "Kind" }, PATIENT);
  expect(kind).toHaveProperty("value", "school");
  await user.selectOptions(kind, "University");
  await user.selectOptions(
    within(dialog).getByRole("combobox", { name: "Prize" }),
    "Staff (private)",
  );
  await user.type(within(dialog).getByLabelText(/^Reason/), "they moved");
  await user.click(within(dialog).getByRole("button", { name: /^Set the divisions of/ }));
  await waitFor(() => {
    const sent = callsTo("/organize/actions").flatMap(({ body }) => (body ? [body] : []));
    expect(sent.at(-1)).toMatchObject({
      action: "team.divisions",
      team: "Otters",
      divisions: ["uni", "staff"],
      reason: "they moved",
    });
  }, PATIENT);
});

test("the list of teams is filtered by division", async () => {
  open("/organize/teams?division=staff");
  await waitFor(
    () => expect(callsTo("/organize/teams").at(-1)?.search).toContain("division=staff"),
    PATIENT,
  );
  expect((await screen.findAllByText(/Staff \(private\)/, {}, PATIENT)).length).toBeGreaterThan(0);
});
