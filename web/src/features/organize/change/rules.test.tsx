/** The sheet of each action keeps to the rules of the server's list. */
import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { ACTIONS } from "../../../api/actions";
import { ME_KEY } from "../../../api/organize";
import { CtfProvider, createQueryClient } from "../../../api/queries";
import { ME, signedIn } from "../stand-in";
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
  // Times that stay would change nothing.
  const fixed = name === "event.times" ? { end: new Date().toISOString() } : {};
  const order = { action: name, fixed, object: "Otters" } as Order;
  const cache = createQueryClient();
  cache.setQueryData(ME_KEY, { ...ME, actions: Object.keys(ACTIONS) });
  const { container } = render(
    <QueryClientProvider client={cache}>
      <CtfProvider>
        <ChangeSheet order={order} onAsk={() => {}} onClose={() => {}} onDone={() => {}} />
      </CtfProvider>
    </QueryClientProvider>,
  );
  const form = container.querySelector("form");
  if (form) fireEvent.submit(form);
  expect([
    screen.queryByText("Give a reason.") !== null,
    screen.queryByRole("heading", { name: "Who moves" }) !== null,
    screen.queryByRole("checkbox", { name: "Announce it to everyone" }) !== null,
  ]).toEqual([needsReason, movesTeams, canBeAnnounced]);
});
