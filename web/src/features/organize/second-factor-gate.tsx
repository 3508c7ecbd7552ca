/**
 * Runs calls that need a session and two-factor authentication. If the session has ended, the login
 * page opens. If a code is needed, a dialog asks for it and the call is repeated.
 */
import { type UseMutationOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from "react";
import { codeOf, type FactorRequest, ME_KEY, type Me, postFactor } from "../../api/organize";
import { useOrganizeMessages } from "../../messages/organize/words";
import { go } from "../../navigate";
import { Dialog } from "../../ui/dialog/dialog";
import { FactorForm } from "./code-form";
import styles from "./organize.module.css";

type Call<T> = () => Promise<T>;
type Gate = <T>(call: Call<T>) => Promise<T>;

const GateContext = createContext<Gate>((call) => call());

/** Runs a call. Rejects with `factor_needed` if the user closes the dialog. */
export function useGate(): Gate {
  return useContext(GateContext);
}

type CallOptions<T, Given> = Omit<
  UseMutationOptions<T, Error, Given>,
  "mutationFn" | "networkMode"
>;

/** A call sent by a button. Network errors are reported immediately. */
export function useCall<T, Given = void>(
  call: (given: Given) => Promise<T>,
  options?: CallOptions<T, Given>,
) {
  const run = useGate();
  const mutationFn = (given: Given) => run(() => call(given));
  return useMutation({ networkMode: "always", mutationFn, ...options });
}

export const SIGN_IN = "/organize/sign-in";

async function signedIn<T>(call: Call<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (codeOf(error) === "login_needed") go(SIGN_IN, { replace: true });
    throw error;
  }
}

export function GateProvider({ children }: { children: ReactNode }) {
  const { code: words } = useOrganizeMessages();
  const cache = useQueryClient();
  // All calls that need a code share one dialog.
  const waiting = useRef<((isProven: boolean) => void)[]>([]);
  const [isOpen, setOpen] = useState(false);
  const ask = useCallback(() => {
    setOpen(true);
    return new Promise<boolean>((resolve) => waiting.current.push(resolve));
  }, []);
  const answer = useCallback((isProven: boolean) => {
    setOpen(false);
    for (const resolve of waiting.current.splice(0)) resolve(isProven);
  }, []);
  // Rejects calls that are still waiting when the page is left.
  useEffect(() => () => answer(false), [answer]);
  const run: Gate = useCallback(
    async (call) => {
      try {
        return await signedIn(call);
      } catch (error) {
        if (codeOf(error) !== "factor_needed" || !(await ask())) throw error;
        return await signedIn(call);
      }
    },
    [ask],
  );
  async function prove(proof: FactorRequest) {
    const { codesLeft } = await signedIn(() => postFactor(proof));
    cache.setQueryData<Me>(ME_KEY, (me) => me && { ...me, codesLeft });
    answer(true);
  }
  return (
    <GateContext value={run}>
      {children}
      {isOpen && (
        <Dialog title={words.dialogTitle} onClose={() => answer(false)}>
          <div className={styles.stack}>
            <p>{words.dialogNote}</p>
            <FactorForm prove={prove} />
          </div>
        </Dialog>
      )}
    </GateContext>
  );
}
