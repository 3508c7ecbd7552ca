/** Making join cards, for all teams and for selected ones. */
import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { callsTo, open, PATIENT, type Reply, server } from "../../../fake-server";
import { needsFactor, OWNERS_ACTIONS, signedIn } from "../fake-server";

const FILE: Reply = [200, "<!doctype html>", { "Content-Type": "text/html; charset=utf-8" }];
const find = (role: string, name: string | RegExp) => screen.findByRole(role, { name }, PATIENT);

/** Names of saved files. */
const saved: string[] = [];

beforeEach(() => {
  signedIn([...OWNERS_ACTIONS, "team.cards", "team.message"]);
  server.replies["/organize/cards"] = FILE;
  saved.length = 0;
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:cards");
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    if (this.href === "blob:cards") saved.push(this.download);
  });
});

test("cards for all teams are saved after a reason and a two-factor code", async () => {
  needsFactor({ "/organize/cards": FILE });
  const { user } = open("/organize/teams");
  await user.click(await find("button", "Join cards…"));
  const dialog = await find("dialog", "Join cards to print");
  await user.type(within(dialog).getByLabelText("Reason"), " for the desk ");
  await user.click(within(dialog).getByRole("button", { name: "Create cards" }));
  await user.type(await screen.findByLabelText("Six-digit code", {}, PATIENT), "123456{Enter}");
  expect(await screen.findByText(/saved as cards\.html/, {}, PATIENT)).toBeTruthy();
  expect(saved).toEqual(["cards.html"]);
  expect(callsTo("/organize/cards").at(-1)?.body).toEqual({ reason: "for the desk" });
});

test("selected teams get cards; a missing reason is reported", async () => {
  const message = "Enter a reason for the audit log.";
  server.replies["/organize/cards"] = [422, { code: "reason_missing", message }];
  const { user } = open("/organize/teams");
  await user.click(await find("checkbox", "Select Otters"));
  await user.click(await find("button", "Join cards for 1"));
  const dialog = await find("dialog", "Join cards to print");
  await user.click(within(dialog).getByRole("button", { name: "Create cards" }));
  expect(await within(dialog).findByText(message, {}, PATIENT)).toBeTruthy();
  expect(callsTo("/organize/cards")[0]?.body).toEqual({ teams: ["Otters"], reason: "" });
  expect(saved).toEqual([]);
});

test("other roles see no button", async () => {
  signedIn([...OWNERS_ACTIONS]);
  open("/organize/teams");
  await find("link", "Otters");
  expect(screen.queryByRole("button", { name: "Join cards…" })).toBeNull();
});
