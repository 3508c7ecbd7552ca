/**
 * The action dialog: fields, reason, rank changes, an optional notice, and a button that states the
 * effect. Input is kept as a draft until the action is done.
 */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { ActionName } from "../../../api/actions";
import { codeOf } from "../../../api/organize";
import {
  type Acted,
  type Arguments,
  getActions,
  getLaterActions,
  type Overview,
} from "../../../api/organize-lists";
import { LIVE_KEY } from "../../../api/organize-live";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Field } from "../../../ui/field/field";
import { useFaultText } from "../fault";
import { FormDialog } from "../forms/dialog-parts";
import { useShareViewing, Viewers } from "../frame/channel";
import { durationText } from "../frame/clock";
import { useMomentText } from "../frame/moment";
import { useActions, useMay, useOverview } from "../frame/queries";
import { useGate } from "../second-factor-gate";
import { useConfirm } from "./confirm";
import { type SheetDraft, useDraft } from "./draft";
import { ActionField, LongField, Tick } from "./fields";
import { Objects } from "./objects";
import {
  alongWith,
  changesNothing,
  draftKey,
  fieldsOf,
  lookOf,
  missing,
  type Order,
  rulesOf,
  type Values,
} from "./order";
import { PhasesLines, TimesLines, useTimesText } from "./phases";
import { titleOf, useButtonText, usePreview } from "./preview";
import { RankChangesTable } from "./rank-changes";
import { ReasonField } from "./reason";
import styles from "./sheet.module.css";

function Announce({ draft, fault }: { draft: SheetDraft; fault: string | null }) {
  const { sheet } = useOrganizeMessages().pages;
  const { more: notice, setMore: set } = draft;
  return (
    <div className={styles.fields}>
      <Tick label={sheet.announce} on={notice.isOn} onChange={(isOn) => set("isOn", isOn)} />
      {notice.isOn && (
        <>
          <Field
            announced
            label={sheet.announceTitle}
            value={notice.title}
            maxLength={200}
            fault={fault}
            onChange={(event) => set("title", event.currentTarget.value)}
          />
          <LongField
            label={sheet.announceText}
            value={notice.text}
            maxLength={8000}
            onChange={(text) => set("text", text)}
          />
          <Tick label={sheet.urgent} on={notice.urgent} onChange={(on) => set("urgent", on)} />
        </>
      )}
    </div>
  );
}

function useWhatTouched(order: Order) {
  const { sheet } = useOrganizeMessages().pages;
  const run = useGate();
  const mayList = useMay()("action.list");
  return async (): Promise<string> => {
    const actions = mayList ? await run(() => getActions()).catch(() => []) : [];
    const { team, teams = [], challenge, challenges = [] }: Arguments = order.fixed ?? {};
    const all = [team, ...teams, challenge, ...challenges];
    const names = all.filter((name) => name !== undefined);
    const about = actions.find(({ arguments: args }) => {
      const text = JSON.stringify(args);
      return names.some((name) => text?.includes(JSON.stringify(name)));
    });
    return sheet.touched((about ?? actions[0])?.sentence ?? sheet.someoneTouched);
  };
}

interface SheetProps {
  order: Order;
  onAsk: (order: Order) => void;
  onClose: () => void;
  onDone: (acted: Acted, typed: Values) => void;
}

function LaterActions({ of, onAsk }: { of: number; onAsk: SheetProps["onAsk"] }) {
  const { sheet } = useOrganizeMessages().pages;
  const actions = useActions().data?.pages.flat() ?? [];
  const later = useQuery({
    queryKey: ["organize", "later", of],
    queryFn: () => getLaterActions(of),
    gcTime: 0,
  });
  const ids = later.data ?? [];
  return (
    <div className="org-stack">
      <p>{sheet.laterActions}</p>
      <ol className="org-stack">
        {ids.map((id) => {
          const sentence = actions.find((one) => one.id === id)?.sentence ?? `#${id}`;
          return (
            <li key={id}>
              <span>{sentence}</span>{" "}
              <button
                type="button"
                aria-label={sheet.undoOf(sentence)}
                onClick={() => onAsk({ action: "undo", id, sentence })}
              >
                {sheet.undo}
              </button>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

/** Performs the action, then posts its notice. If only the notice fails, only it is retried. */
function usePerform(
  order: Order,
  preview: ReturnType<typeof usePreview>,
  onDone: (acted: Acted) => void,
) {
  const { sheet } = useOrganizeMessages().pages;
  const cache = useQueryClient();
  const run = useGate();
  const confirm = useConfirm();
  const confirmNotice = useConfirm();
  const faultText = useFaultText();
  const whatTouched = useWhatTouched(order);
  const [fault, setFault] = useState<string | null>(null);
  const [done, setDone] = useState<Acted | null>(null);
  const doing = useMutation({
    // Report network errors at once: a delayed action would come as a surprise.
    networkMode: "always",
    mutationFn: async ({ values, more }: Pick<SheetDraft, "values" | "more">) => {
      const { reason, isOn, title, text, urgent } = more;
      const terms = { reason, head: preview.data?.head };
      const acted = done ?? (await run(() => confirm(order, values, terms)));
      setDone(acted);
      if (isOn) {
        const { challenge }: Arguments = order.fixed ?? {};
        const fixed = { title, text, urgent, challenge };
        const post: Order = { action: "notice.post", fixed };
        await run(() => confirmNotice(post, {}, {}));
      }
      return acted;
    },
    onMutate: () => setFault(null),
    onSuccess: onDone,
    onError: async (error) => {
      if (codeOf(error) !== "object_touched") return setFault(faultText(error));
      setFault(await whatTouched());
      void preview.refetch();
      void cache.invalidateQueries({ queryKey: LIVE_KEY });
    },
  });
  const isUntold = done !== null && fault !== null;
  return { doing, fault: isUntold ? sheet.doneNotTold(done.sentence) : fault, done };
}

function useSheet(props: SheetProps) {
  const { order } = props;
  const { sheet } = useOrganizeMessages().pages;
  const reason = order.action === "undo" ? sheet.undoReason : "";
  const draft = useDraft(draftKey(order), { values: order.initial ?? {}, reason });
  const preview = usePreview(order, draft.values);
  function finish(acted: Acted) {
    draft.forget();
    props.onDone(acted, draft.values);
  }
  const action = usePerform(order, preview, finish);
  const { more } = draft;
  const [isChecked, setChecked] = useState(false);
  const lacks = missing(order, draft.values);
  // The server finds what this page cannot, such as a status that is set already.
  const isSame =
    changesNothing(order, draft.values) || codeOf(preview.error) === "nothing_to_change";
  const lacksReason = rulesOf(order).needsReason && more.reason.trim() === "";
  const lacksNotice = more.isOn && (more.title.trim() === "" || more.text.trim() === "");
  function submit(event: FormEvent) {
    event.preventDefault();
    setChecked(true);
    if (isSame && !action.done) return;
    if (lacks.length > 0 || lacksReason || lacksNotice || action.doing.isPending) return;
    // Without the preview's version, the server could not detect a conflicting change.
    if (!action.done && !preview.data) {
      if (!preview.isFetching && order.basedOn) void preview.refetch();
      if (preview.isFetching || order.basedOn) return;
    }
    action.doing.mutate(draft);
  }
  return {
    draft,
    preview,
    action,
    finish,
    submit,
    /** True until the first preview is loaded, and while the action is sent. */
    isWaiting: action.doing.isPending || (!action.done && (preview.isLoading || isSame)),
    isSame,
    lacks: isChecked ? lacks : [],
    lacksReason: isChecked && lacksReason,
    lacksNotice: isChecked && lacksNotice,
  };
}

/** Submits on Ctrl or Cmd+Enter, also from a multi-line field. */
function sendOnEnter(event: KeyboardEvent<HTMLFormElement>) {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

/** Warning about concurrent edits of the data that the order replaces. */
function Warning({ order }: { order: Order }) {
  if (!order.basedOn) return null;
  const { warning } = order.basedOn;
  return <div role="alert">{warning && <p className="org-bad">{warning}</p>}</div>;
}

/** Warning about a reveal during the event: the scoreboard is not final. */
function EarlyReveal({ end, now }: Overview) {
  const { sheet } = useOrganizeMessages().pages;
  const moment = useMomentText();
  const left = typeof end === "number" ? sheet.left(durationText(end - now), moment(end)) : "";
  return <p className="org-bad">{sheet.earlyReveal(left)}</p>;
}

function Hint({ action }: { action: ActionName }) {
  const { sheet } = useOrganizeMessages().pages;
  const overview = useOverview().data;
  if (action === "event.reveal" && overview && overview.status !== "ended") {
    return <EarlyReveal {...overview} />;
  }
  const hint = sheet.hints[action];
  return hint && <p className="org-note">{hint}</p>;
}

function About({ order }: { order: Order }) {
  const { sheet } = useOrganizeMessages().pages;
  if (order.action === "undo") return null;
  const { lines = [], quote } = order;
  return (
    <>
      {quote && (
        <blockquote aria-label={sheet.question} className="org-text org-quote">
          {quote}
        </blockquote>
      )}
      <Hint action={order.action} />
      {lines.length > 0 && (
        <ul aria-label={sheet.changes} className="org-lines">
          {lines.map((line) => (
            <li key={line}>
              <bdi>{line}</bdi>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Actions whose sentence includes further effects on challenges or submissions. */
const SAYS_MORE = new Set<Order["action"]>(["challenge.hide", "challenge.rejudge"]);
/** Actions whose content is a message to players, which need no separate reason. */
const IN_WORDS = new Set<Order["action"]>([
  "notice.correct",
  "notice.post",
  "notice.withdraw",
  "question.answer",
  "question.close",
  "team.message",
]);

function Moves({ order, preview }: { order: Order; preview: ReturnType<typeof usePreview> }) {
  const { sheet } = useOrganizeMessages().pages;
  const faultText = useFaultText();
  const { movesTeams } = rulesOf(order);
  const asking = preview.isFetching && movesTeams ? sheet.asking : null;
  const text = preview.error ? faultText(preview.error) : asking;
  const isFault = preview.error !== null && codeOf(preview.error) !== "nothing_to_change";
  return (
    <section aria-label={sheet.moves} aria-live="polite" className={styles.effect}>
      <Warning order={order} />
      <PhasesLines phases={preview.data?.phases} />
      {movesTeams && <h3>{sheet.moves}</h3>}
      {preview.data && SAYS_MORE.has(order.action) && <p>{preview.data.sentence}</p>}
      {movesTeams && preview.data && <RankChangesTable effect={preview.data.effect} />}
      {!preview.data && text !== null && (
        <p className={isFault ? "org-fault" : "org-note"}>{text}</p>
      )}
    </section>
  );
}

function labelOf(fields: Readonly<Record<string, string>>, { action }: Order, name: string) {
  if (action === "event.reveal" && name === "name") return wordFor(fields, "eventName");
  if (action === "team.test" && name === "team") return wordFor(fields, "name");
  return wordFor(fields, action === "solve.count" && name === "at" ? "solvedAt" : name);
}

interface OrderFieldsProps {
  order: Order;
  draft: SheetDraft;
  lacks: readonly string[];
}

function OrderFields({ order, draft, lacks }: OrderFieldsProps) {
  const { sheet } = useOrganizeMessages().pages;
  return fieldsOf(order).map((field) => (
    <ActionField
      key={field.name}
      field={field}
      label={labelOf(sheet.fields, order, field.name)}
      value={draft.values[field.name]}
      changedTo={draft.changedTo(field.name)}
      fault={lacks.includes(field.name) ? sheet.fieldFault : null}
      onChange={(value) =>
        draft.set({
          ...alongWith(order, draft.values, field.name, value),
          [field.name]: value,
        })
      }
    />
  ));
}

/** The first field of the action, else its reason. */
const FIRST_FIELD =
  "[data-fields] :is(input, textarea, select), [data-foot] input, [data-foot] button";

/** Modifier of the key that submits. */
const SUBMIT_KEY = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘↵" : "Ctrl ↵";

type SheetState = ReturnType<typeof useSheet>;

/** Reason, errors and the button that states the effect: always in view. */
function Foot({ order, state, button }: { order: Order; state: SheetState; button: string }) {
  const { sheet } = useOrganizeMessages().pages;
  const { draft, action } = state;
  const { needsReason } = rulesOf(order);
  return (
    <div className={styles.foot}>
      {!IN_WORDS.has(order.action) && (
        <ReasonField
          action={order.action}
          isRequired={needsReason}
          value={draft.more.reason}
          fault={state.lacksReason ? sheet.reasonFault : null}
          onChange={(reason) => draft.setMore("reason", reason)}
        />
      )}
      <div role="alert">{action.fault !== null && <p className="org-fault">{action.fault}</p>}</div>
      <div className={styles.buttons}>
        <kbd>{SUBMIT_KEY}</kbd>
        <button type="submit" className="org-do" aria-disabled={state.isWaiting}>
          {action.done ? sheet.postNotice : button}
        </button>
      </div>
    </div>
  );
}

export function ChangeSheet(props: SheetProps) {
  const { order, onAsk, onClose } = props;
  const { sheet } = useOrganizeMessages().pages;
  const may = useMay();
  const state = useSheet(props);
  const { draft, preview, action } = state;
  const times = useTimesText(order, draft.values);
  const button = useButtonText(order, preview.data, times?.button);
  const looked = lookOf(order);
  useShareViewing(looked);
  const form = useRef<HTMLFormElement>(null);
  // Overrides the dialog's initial focus on its first button.
  useEffect(() => form.current?.querySelector<HTMLElement>(FIRST_FIELD)?.focus(), []);
  const isLater = [preview.error, action.doing.error].some(
    (one) => codeOf(one) === "later_actions",
  );
  return (
    <FormDialog
      title={titleOf(sheet, order)}
      onClose={() => (action.done ? state.finish(action.done) : onClose())}
      form={{ ref: form, noValidate: true, onSubmit: state.submit, onKeyDown: sendOnEnter }}
      foot={<Foot order={order} state={state} button={button} />}
    >
      <div className={styles.content} data-action={order.action}>
        <About order={order} />
        <Objects order={order} />
        <TimesLines text={times} />
        {looked !== undefined && <Viewers object={looked} />}
        {fieldsOf(order).length > 0 && (
          <div data-fields className={styles.fields}>
            <OrderFields order={order} draft={draft} lacks={state.lacks} />
          </div>
        )}
        {rulesOf(order).canBeAnnounced && may("notice.post") && (
          <Announce draft={draft} fault={state.lacksNotice ? sheet.announceFault : null} />
        )}
        {state.isSame ? (
          <p className="org-note">{sheet.nothingToChange}</p>
        ) : (
          <Moves order={order} preview={preview} />
        )}
        {order.action === "undo" && isLater && <LaterActions of={order.id} onAsk={onAsk} />}
      </div>
    </FormDialog>
  );
}
