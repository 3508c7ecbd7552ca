/** Each action's dialog follows the rules in the server's list. */
import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { ACTIONS } from "../../../api/actions";
import { CtfProvider, createQueryClient } from "../../../api/queries";
import { ME, signedIn } from "../fake-server";
import { MeProvider } from "../queries";
import type { Order } from "./order";
import { ChangeSheet } from "./sheet";

const RULES = Object.entries(ACTIONS).map(([name, rule]) => ({ name, ...rule }));

test("the list has rules of both kinds", () => {
  for (const rule of ["needsReason", "movesTeams", "canBeAnnounced"] as const) {
    expect(new Set(RULES.map((of) => of[rule])), rule).toEqual(new Set([true, false]));
  }
});

test.each(RULES)("$name", ({ name, needsReason, movesTeams, canBeAnnounced }) => {
  signedIn();
  // Unchanged times would be rejected as no change.
  const fixed = name === "event.times" ? { end: new Date().toISOString() } : {};
  const order = { action: name, fixed, object: "Otters" } as Order;
  const me = { ...ME, actions: Object.keys(ACTIONS) };
  const { container } = render(
    <QueryClientProvider client={createQueryClient()}>
      <CtfProvider>
        <MeProvider me={me}>
          <ChangeSheet order={order} onAsk={() => {}} onClose={() => {}} onDone={() => {}} />
        </MeProvider>
      </CtfProvider>
    </QueryClientProvider>,
  );
  const form = container.querySelector("form");
  if (form) fireEvent.submit(form);
  expect([
    screen.queryByText("Enter a reason.") !== null,
    screen.queryByRole("heading", { name: "Rank changes" }) !== null,
    screen.queryByRole("checkbox", { name: "Post a notice to all players" }) !== null,
  ]).toEqual([needsReason, movesTeams, canBeAnnounced]);
});
