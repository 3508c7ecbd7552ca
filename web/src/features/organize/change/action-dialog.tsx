/** The open action dialog, and a toast that undoes the last action. */
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { type Acted, getActions } from "../../../api/organize-lists";
import { LIVE_KEY } from "../../../api/organize-live";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useNotify } from "../../../ui/notification/notification";
import { useShowError } from "../fault";
import { useShortcut } from "../frame/keys";
import { useMay } from "../frame/queries";
import { useMe } from "../queries";
import { useGate } from "../second-factor-gate";
import { argumentsOf, draftKey, type Order, renewed, type Values } from "./order";
import { ChangeSheet } from "./sheet";
import { Toast } from "./toast";

export interface TeamCode {
  readonly team: string;
  readonly code: string;
}

interface ActionDialog {
  ask(order: Order): void;
  /** Updates the dialog of the same order, if open, with its latest data. */
  renew(order: Order): void;
  /** Reports a completed order with its typed values, and shows the undo toast. */
  finish(order: Order, acted: Acted, typed?: Values): void;
  /** Created codes that are still open. They are shown once and never stored. */
  readonly codes: readonly TeamCode[];
  closeCode(code: string): void;
}

const ActionDialogContext = createContext<ActionDialog>({
  ask() {},
  renew() {},
  finish() {},
  codes: [],
  closeCode() {},
});

export function useActionDialog(): ActionDialog {
  return useContext(ActionDialogContext);
}

export function useOpenAction() {
  return useActionDialog().ask;
}

/** Opens the undo of the organizer's newest action that can be undone. */
function useUndoLast(ask: (order: Order) => void) {
  const { pages } = useOrganizeMessages();
  const run = useGate();
  const me = useMe().name;
  const { notify } = useNotify();
  const showError = useShowError();
  return async () => {
    try {
      const actions = await run(() => getActions());
      const last = actions.find((one) => {
        return one.actor === me && one.undoable && !one.undoneBy && !one.undoes;
      });
      if (last) ask({ action: "undo", id: last.id, sentence: last.sentence });
      else notify("info", { message: pages.sheet.nothingToUndo });
    } catch (error) {
      showError(error);
    }
  };
}

/** The newest undoable action of this visit, for roles without access to the audit log. */
function useLastOwnAction() {
  const [actions, setActions] = useState<readonly Acted[]>([]);
  const note = useCallback((of: Order, acted: Acted) => {
    setActions((known) => {
      const left = of.action === "undo" ? known.filter(({ id }) => id !== of.id) : known;
      return acted.undo?.possible ? [acted, ...left] : left;
    });
  }, []);
  return { last: actions[0], note };
}

export function ActionDialogProvider({ children }: { children: ReactNode }) {
  const { pages } = useOrganizeMessages();
  const cache = useQueryClient();
  const may = useMay();
  const [order, setOrder] = useState<Order | null>(null);
  const [done, setDone] = useState<{ acted: Acted; followUp: Order["followUp"] } | null>(null);
  const closeToast = useCallback(() => setDone(null), []);
  const renew = useCallback((next: Order) => setOrder((open) => renewed(open, next)), []);
  const [codes, setCodes] = useState<readonly TeamCode[]>([]);
  const closeCode = useCallback((code: string) => {
    setCodes((known) => known.filter((one) => one.code !== code));
  }, []);
  const { last, note } = useLastOwnAction();
  const undoLast = useUndoLast(setOrder);
  const sheetKey = useMemo(() => order && draftKey(order), [order]);
  const finish = useCallback(
    (of: Order, acted: Acted, typed: Values = {}) => {
      of.onDone?.();
      setOrder(null);
      setDone({ acted, followUp: of.followUp });
      const { code } = acted;
      const { team } = argumentsOf(of, typed);
      if (code && team) {
        setCodes((known) => [...known.filter((one) => one.team !== team), { team, code }]);
      }
      note(of, acted);
      void cache.invalidateQueries({ queryKey: LIVE_KEY });
    },
    [cache, note],
  );
  const undoOf = ({ id, sentence, undo }: Acted) => {
    if (typeof id !== "number" || !undo?.possible) return undefined;
    return () => setOrder({ action: "undo", id, sentence });
  };
  // While the toast shows a final action, `u` must not undo an earlier one.
  const undoHere = last && undoOf(last);
  const undoEarlier = may("action.list") ? () => void undoLast() : undoHere;
  useShortcut("u", pages.keys.undo, done ? undoOf(done.acted) : undoEarlier);
  const acting = useMemo(
    () => ({ ask: setOrder, renew, finish, codes, closeCode }),
    [renew, finish, codes, closeCode],
  );
  return (
    <>
      <ActionDialogContext value={acting}>{children}</ActionDialogContext>
      <div role="status">
        {done && (
          <Toast
            done={done.acted}
            followUp={done.followUp}
            onFollow={(next) => {
              closeToast();
              setOrder(next);
            }}
            onUndo={undoOf(done.acted)}
            onClose={closeToast}
          />
        )}
      </div>
      {order && (
        <ChangeSheet
          key={sheetKey}
          order={order}
          onAsk={setOrder}
          onClose={() => setOrder(null)}
          onDone={(acted, typed) => finish(order, acted, typed)}
        />
      )}
    </>
  );
}
