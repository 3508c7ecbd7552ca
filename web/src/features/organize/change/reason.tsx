/** Reason of an action, for the audit log. Reasons of recent actions are offered. */
import { Combobox, ComboboxItem, ComboboxPopover, useComboboxStore } from "@ariakit/react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";
import { getActions } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useMay } from "../frame/queries";
import { useGate } from "../second-factor-gate";
import type { Order } from "./order";
import styles from "./sheet.module.css";

/** Maximum number of offered reasons. */
const REASONS_MAX = 6;
/** Time for which loaded reasons are offered, in milliseconds. */
const FRESH_MS = 60_000;

interface Given {
  readonly action: string;
  /** A text; null if it was erased. */
  readonly reason?: unknown;
}

/** Reasons of recent actions without duplicates, those of the same action first. */
export function recentReasons(
  entries: readonly Given[],
  action: Order["action"],
  typed: string,
): readonly string[] {
  const given = entries.flatMap(({ action, reason }) =>
    typeof reason === "string" && reason.trim() !== "" ? [{ action, reason }] : [],
  );
  const own = given.filter((entry) => entry.action === action);
  const reasons = [...own, ...given].map(({ reason }) => reason);
  const begun = typed.trim().toLowerCase();
  return [...new Set(reasons)]
    .filter((reason) => reason !== typed && reason.toLowerCase().includes(begun))
    .slice(0, REASONS_MAX);
}

function useReasons(action: Order["action"], typed: string, isOn: boolean) {
  const run = useGate();
  const mayList = useMay()("action.list");
  const entries = useQuery({
    queryKey: ["organize", "reasons"],
    queryFn: () => run(() => getActions()),
    enabled: isOn && mayList,
    staleTime: FRESH_MS,
    retry: false,
  });
  return recentReasons(entries.data ?? [], action, typed);
}

/** Moves the focus to the button that confirms. */
function leave(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('button[type="submit"]')?.focus();
}

interface ReasonProps {
  action: Order["action"];
  isRequired: boolean;
  value: string;
  fault: string | null;
  onChange: (value: string) => void;
}

export function ReasonField({ action, isRequired, value, fault, onChange }: ReasonProps) {
  const { sheet } = useOrganizeMessages().pages;
  const id = useId();
  const [isUsed, setUsed] = useState(false);
  const reasons = useReasons(action, value, isUsed);
  const combobox = useComboboxStore({ value, setValue: onChange, placement: "top-start" });
  const hasReasons = reasons.length > 0;
  // The reasons are loaded by the first use of the field, which waits for them.
  useEffect(() => {
    if (isUsed && hasReasons) combobox.show();
  }, [isUsed, hasReasons, combobox]);
  return (
    <div className={styles.field}>
      <label htmlFor={id}>
        {isRequired ? sheet.reason : `${sheet.reason} (${sheet.optional})`}
      </label>
      <Combobox
        store={combobox}
        id={id}
        className={styles.reason}
        maxLength={500}
        autoSelect={false}
        showOnClick={hasReasons}
        showOnChange={hasReasons}
        aria-invalid={fault ? true : undefined}
        aria-describedby={`${id}-note`}
        onPointerDown={() => setUsed(true)}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") setUsed(true);
          // Enter leads to the button, so that it performs nothing by accident.
          if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          if (!combobox.getState().activeId) leave(event.currentTarget.form);
        }}
      />
      <p
        key={fault ? "fault" : "hint"}
        id={`${id}-note`}
        role={fault ? "alert" : undefined}
        className={fault ? "org-fault" : styles.hint}
      >
        {fault ?? sheet.reasonHint}
      </p>
      {hasReasons && (
        <ComboboxPopover
          store={combobox}
          fixed
          sameWidth
          gutter={4}
          aria-label={sheet.recentReasons}
          className={styles.popover}
        >
          {reasons.map((reason) => (
            <ComboboxItem key={reason} value={reason} className={styles.option} />
          ))}
        </ComboboxPopover>
      )}
    </div>
  );
}
