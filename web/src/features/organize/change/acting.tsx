/** The sheet of the action that is asked for, and a toast that takes the last action back. */
import { useQueryClient } from "@tanstack/react-query";
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
} from "react";
import { type Acted, getActions } from "../../../api/organize-lists";
import { LIVE_KEY } from "../../../api/organize-live";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { CrossIcon } from "../../../ui/icons/icons";
import { useNotify } from "../../../ui/notification/notification";
import { useShowError } from "../fault";
import { KeyHint, useShortcut } from "../frame/keys";
import { useMay } from "../frame/reading";
import { useGate } from "../gate";
import { useMe } from "../queries";
import { argumentsOf, draftKey, type Order, renewed, type Values } from "./order";
import { ChangeSheet } from "./sheet";

export interface TeamCode {
  readonly team: string;
  readonly code: string;
}

interface Acting {
  ask(order: Order): void;
  /** Gives the sheet of the same order, if it is open, what the order is made of now. */
  renew(order: Order): void;
  /** Says that an order is done, with what was typed, and the toast that takes it back. */
  finish(order: Order, acted: Acted, typed?: Values): void;
  /** The codes that were made here and not closed: they are shown once, and kept in no storage. */
  readonly codes: readonly TeamCode[];
  closeCode(code: string): void;
}

const ActingContext = createContext<Acting>({
  ask() {},
  renew() {},
  finish() {},
  codes: [],
  closeCode() {},
});

export function useActing(): Acting {
  return useContext(ActingContext);
}

export function useAsk() {
  return useActing().ask;
}

/** How long the toast stays; `u` works after it, too. */
const TOAST_MS = 20_000;

function Toast(props: { done: Acted; onUndo: (() => void) | undefined; onClose: () => void }) {
  const { done, onUndo, onClose } = props;
  const { sheet, list } = useOrganizeMessages().pages;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next action begins anew.
  useEffect(() => {
    const timer = setTimeout(onClose, TOAST_MS);
    return () => clearTimeout(timer);
  }, [done, onClose]);
  return (
    <div className="org-toast">
      <span>
        <span>{done.sentence}</span> {!onUndo && sheet.undone}
      </span>
      {onUndo && (
        <button type="button" aria-keyshortcuts="u" onClick={onUndo}>
          {sheet.undoToast} <KeyHint of="u" />
        </button>
      )}
      <button type="button" className="org-small" aria-label={list.close} onClick={onClose}>
        <CrossIcon />
      </button>
    </div>
  );
}

/** Asks to undo my newest action that can be undone and was not. */
function useUndoLast(ask: (order: Order) => void) {
  const { pages } = useOrganizeMessages();
  const run = useGate();
  const me = useMe().data?.name;
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

/** The newest action of this visit that can be undone, for roles that do not read the audit log. */
function useLastHere() {
  const [actions, setActions] = useState<readonly Acted[]>([]);
  const note = useCallback((of: Order, acted: Acted) => {
    setActions((known) => {
      const left = of.action === "undo" ? known.filter(({ id }) => id !== of.id) : known;
      return acted.undo?.possible ? [acted, ...left] : left;
    });
  }, []);
  return { last: actions[0], note };
}

export function ActingProvider({ children }: { children: ReactNode }) {
  const { pages } = useOrganizeMessages();
  const cache = useQueryClient();
  const may = useMay();
  const [order, setOrder] = useState<Order | null>(null);
  const [done, setDone] = useState<Acted | null>(null);
  const closeToast = useCallback(() => setDone(null), []);
  const renew = useCallback((next: Order) => setOrder((open) => renewed(open, next)), []);
  const [codes, setCodes] = useState<readonly TeamCode[]>([]);
  const closeCode = useCallback((code: string) => {
    setCodes((known) => known.filter((one) => one.code !== code));
  }, []);
  const { last, note } = useLastHere();
  const undoLast = useUndoLast(setOrder);
  const sheetKey = useMemo(() => order && draftKey(order), [order]);
  const finish = useCallback(
    (of: Order, acted: Acted, typed: Values = {}) => {
      of.onDone?.();
      setOrder(null);
      setDone(acted);
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
  // While the toast says that an action cannot be undone, no earlier one is meant.
  const undoHere = last && undoOf(last);
  const undoEarlier = may("action.list") ? () => void undoLast() : undoHere;
  useShortcut("u", pages.keys.undo, done ? undoOf(done) : undoEarlier);
  const acting = useMemo(
    () => ({ ask: setOrder, renew, finish, codes, closeCode }),
    [renew, finish, codes, closeCode],
  );
  return (
    <>
      <ActingContext value={acting}>{children}</ActingContext>
      <div role="status">
        {done && <Toast done={done} onUndo={undoOf(done)} onClose={closeToast} />}
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
