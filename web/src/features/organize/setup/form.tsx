/** What the steps share: doing actions, and the form around their fields. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { ActionName, Fields } from "../../../api/actions";
import { ApiError } from "../../../api/client";
import { postAction } from "../../../api/organize-lists";
import { LIVE_KEY } from "../../../api/organize-live";
import { SETTINGS_KEY } from "../../../api/organize-settings";
import { CTF_KEY } from "../../../api/queries";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { Form } from "../../../ui/field/field";
import { useFaultText } from "../fault";
import { useGate } from "../gate";

/** Does an action. That all is as it should be already is no failure of a step. */
export function useAction(): <Name extends ActionName>(
  action: Name,
  args: Fields<Name>,
) => Promise<void> {
  const run = useGate();
  return async (action, args) => {
    try {
      await run(() => postAction(action, args, {}));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "nothing_to_change") throw error;
    }
  };
}

interface StepFormProps {
  words: { readonly title: string; readonly note: string; readonly button?: string };
  save: (form: HTMLFormElement) => Promise<void>;
  onDone: () => void;
  canSkip?: boolean;
  children: ReactNode;
}

/** A step's form: saving leads to the next step, and so does skipping. */
export function StepForm({ words, save, onDone, canSkip = true, children }: StepFormProps) {
  const { setup } = useOrganizeMessages();
  const cache = useQueryClient();
  const faultText = useFaultText();
  const saving = useMutation({
    networkMode: "always",
    mutationFn: save,
    onSuccess: async () => {
      void cache.invalidateQueries({ queryKey: LIVE_KEY });
      // The time zone of the event's times.
      void cache.invalidateQueries({ queryKey: CTF_KEY });
      await cache.invalidateQueries({ queryKey: SETTINGS_KEY });
      onDone();
    },
  });
  const fault = saving.error && faultText(saving.error);
  return (
    <Form className="org-card" onSubmit={(form) => saving.isPending || saving.mutate(form)}>
      <h2>{words.title}</h2>
      <p className="org-note">{words.note}</p>
      {children}
      <div role="alert">{fault !== null && <p className="org-fault">{fault}</p>}</div>
      <div className="org-actions">
        <button type="submit" className="org-do" aria-disabled={saving.isPending}>
          {words.button ?? setup.save}
        </button>
        {canSkip && (
          <button type="button" onClick={onDone}>
            {setup.skip}
          </button>
        )}
      </div>
    </Form>
  );
}
