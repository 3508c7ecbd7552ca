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

const AskContext = createContext<(order: Order) => void>(() => {});

/** Opens the sheet of an order. */
export function useAsk(): (order: Order) => void {
  return useContext(AskContext);
}

const RenewContext = createContext<(order: Order) => void>(() => {});

/** Gives the sheet of the same order, if it is open, what the order is made of now. */
export function useRenew(): (order: Order) => void {
  return useContext(RenewContext);
}

/** A code that was made for a team. */
export interface TeamCode {
  readonly team: string;
  readonly code: string;
}

const CodesContext = createContext<{
  codes: readonly TeamCode[];
  close: (code: string) => void;
}>({ codes: [], close() {} });

/** The codes that were made here and not closed: they are shown once, and kept in no storage. */
export function useCodes() {
  return useContext(CodesContext);
}

function useNewCodes() {
  const [codes, setCodes] = useState<readonly TeamCode[]>([]);
  const add = useCallback((of: Order, { code }: Acted, typed: Values = {}) => {
    const team = of.kind === "action" ? argumentsOf(of, typed).team : undefined;
    if (!code || !team) return;
    setCodes((known) => [...known.filter((one) => one.team !== team), { team, code }]);
  }, []);
  const value = useMemo(() => {
    const close = (code: string) => setCodes((known) => known.filter((one) => one.code !== code));
    return { codes, close };
  }, [codes]);
  return { value, add };
}

/** Takes an order that is done, with what was typed into its sheet. */
type Finish = (order: Order, acted: Acted, typed?: Values) => void;

const FinishContext = createContext<Finish>(() => {});

/** Says that an order is done, with the toast that takes it back. */
export function useFinish(): Finish {
  return useContext(FinishContext);
}

/** How long the toast stays; `u` works after it, too. */
const TOAST_MS = 20_000;

interface ToastProps {
  done: Acted;
  onUndo: (() => void) | undefined;
  onClose: () => void;
}

function Toast({ done, onUndo, onClose }: ToastProps) {
  const { sheet, list } = useOrganizeMessages().pages;
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
  return useCallback(async () => {
    try {
      const actions = await run(() => getActions());
      const last = actions.find((one) => {
        return one.actor === me && one.undoable && !one.undoneBy && !one.undoes;
      });
      if (last) ask({ kind: "undo", id: last.id, sentence: last.sentence });
      else notify("info", { message: pages.sheet.nothingToUndo });
    } catch (error) {
      showError(error);
    }
  }, [run, me, ask, notify, pages, showError]);
}

/** The newest action of this visit that can be undone, for roles that do not read the audit log. */
function useLastHere() {
  const [actions, setActions] = useState<readonly Acted[]>([]);
  const note = useCallback((of: Order, acted: Acted) => {
    setActions((known) => {
      const left = of.kind === "undo" ? known.filter(({ id }) => id !== of.id) : known;
      return acted.undo?.possible ? [acted, ...left] : left;
    });
  }, []);
  return { last: actions[0], note };
}

function useToast() {
  const [done, setDone] = useState<Acted | null>(null);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(null), TOAST_MS);
    return () => clearTimeout(timer);
  }, [done]);
  return { done, setDone };
}

export function ActingProvider({ children }: { children: ReactNode }) {
  const { pages } = useOrganizeMessages();
  const cache = useQueryClient();
  const may = useMay();
  const [order, setOrder] = useState<Order | null>(null);
  const { done, setDone } = useToast();
  const ask = useCallback((next: Order) => setOrder(next), []);
  const renew = useCallback((next: Order) => setOrder((open) => renewed(open, next)), []);
  const codes = useNewCodes();
  const addCode = codes.add;
  const { last, note } = useLastHere();
  const undoLast = useUndoLast(ask);
  const sheetKey = useMemo(() => order && draftKey(order), [order]);
  const finish = useCallback(
    (of: Order, acted: Acted, typed?: Values) => {
      if (of.kind === "action") of.onDone?.();
      setOrder(null);
      setDone(acted);
      addCode(of, acted, typed);
      note(of, acted);
      void cache.invalidateQueries({ queryKey: LIVE_KEY });
    },
    [cache, setDone, addCode, note],
  );
  const undoOf = ({ id, sentence, undo }: Acted) => {
    if (typeof id !== "number" || !undo?.possible) return undefined;
    return () => ask({ kind: "undo", id, sentence });
  };
  // While the toast says that an action cannot be undone, no earlier one is meant.
  const undoHere = last && undoOf(last);
  const undoEarlier = may("action.list") ? () => void undoLast() : undoHere;
  useShortcut("u", pages.keys.undo, done ? undoOf(done) : undoEarlier);
  return (
    <AskContext value={ask}>
      <RenewContext value={renew}>
        <FinishContext value={finish}>
          <CodesContext value={codes.value}>{children}</CodesContext>
        </FinishContext>
      </RenewContext>
      <div role="status">
        {done && <Toast done={done} onUndo={undoOf(done)} onClose={() => setDone(null)} />}
      </div>
      {order && (
        <ChangeSheet
          key={sheetKey}
          order={order}
          onAsk={ask}
          onClose={() => setOrder(null)}
          onDone={(acted, typed) => finish(order, acted, typed)}
        />
      )}
    </AskContext>
  );
}
