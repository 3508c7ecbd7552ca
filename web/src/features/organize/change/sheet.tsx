/**
 * The sheet of every action that matters: what, why, who moves, whether it is announced, and a
 * button that says the sentence. What was typed is kept until the action is done.
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
import { Dialog } from "../../../ui/dialog/dialog";
import { Field } from "../../../ui/field/field";
import { useFaultText } from "../fault";
import { LooksHere, useLook } from "../frame/channel";
import { durationText } from "../frame/clock";
import { useMomentText } from "../frame/moment";
import { useActions, useMay, useOverview } from "../frame/reading";
import { useGate } from "../gate";
import { useConfirm } from "./confirm";
import { type SheetDraft, useDraft } from "./draft";
import { ActionField, LongField, Tick } from "./fields";
import { FirstBloods, MovesTable, PhasesLines, TimesLines, useTimesText } from "./moves";
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
import { titleOf, useButtonText, usePreview } from "./preview";

function Announce({ draft, fault }: { draft: SheetDraft; fault: string | null }) {
  const { sheet } = useOrganizeMessages().pages;
  const { more: notice, setMore: set } = draft;
  return (
    <div className="org-stack">
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
    const { team, challenge, challenges = [] }: Arguments = order.fixed ?? {};
    const names = [team, challenge, ...challenges].filter((name) => name !== undefined);
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

/** Does the action, then posts its notice; a notice that fails is tried again alone. */
function useDo(
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
    // A lost network is said at once; an action that waits for it would come as a surprise.
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
  const action = useDo(order, preview, finish);
  const { more } = draft;
  const [isChecked, setChecked] = useState(false);
  const lacks = missing(order, draft.values);
  const isSame = changesNothing(order, draft.values);
  const lacksReason = rulesOf(order).needsReason && more.reason.trim() === "";
  const lacksNotice = more.isOn && (more.title.trim() === "" || more.text.trim() === "");
  function submit(event: FormEvent) {
    event.preventDefault();
    setChecked(true);
    if (isSame && !action.done) return;
    if (lacks.length > 0 || lacksReason || lacksNotice || action.doing.isPending) return;
    // Without its preview an action would not be refused if the object was touched since.
    if (!action.done && !preview.data) {
      if (!preview.isFetching && order.madeOf) void preview.refetch();
      if (preview.isFetching || order.madeOf) return;
    }
    action.doing.mutate(draft);
  }
  return {
    draft,
    preview,
    action,
    finish,
    submit,
    /** Before the first preview nothing is done. */
    isWaiting: action.doing.isPending || (!action.done && (preview.isLoading || isSame)),
    isSame,
    lacks: isChecked ? lacks : [],
    lacksReason: isChecked && lacksReason,
    lacksNotice: isChecked && lacksNotice,
  };
}

/** Ctrl or Cmd and Enter send, also from a field of several lines. */
function sendOnEnter(event: KeyboardEvent<HTMLFormElement>) {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

/** What somebody else has changed of what the order replaces. */
function Warning({ order }: { order: Order }) {
  if (!order.madeOf) return null;
  const { warning } = order.madeOf;
  return <div role="alert">{warning && <p className="org-bad">{warning}</p>}</div>;
}

/** The warning of a reveal while the event runs: the ranking is not final. */
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

/** Actions whose sentence names what else changes: challenges, submissions. */
const SAYS_MORE = new Set<Order["action"]>(["challenge.hide", "challenge.rejudge"]);
/** Actions that are words for players: they need no reason beside them. */
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
  return (
    <section aria-label={sheet.moves} aria-live="polite" className="org-stack">
      <Warning order={order} />
      <PhasesLines phases={preview.data?.phases} />
      {movesTeams && <h3>{sheet.moves}</h3>}
      {preview.data && SAYS_MORE.has(order.action) && <p>{preview.data.sentence}</p>}
      {movesTeams && preview.data && (
        <>
          <FirstBloods effect={preview.data.effect} />
          <MovesTable effect={preview.data.effect} />
        </>
      )}
      {!preview.data && text !== null && <p className="org-note">{text}</p>}
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
      became={draft.became(field.name)}
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

export function ChangeSheet(props: SheetProps) {
  const { order, onAsk, onClose } = props;
  const { sheet } = useOrganizeMessages().pages;
  const may = useMay();
  const state = useSheet(props);
  const { draft, preview, action } = state;
  const times = useTimesText(order, draft.values);
  const button = useButtonText(order, preview.data, times?.button);
  const looked = lookOf(order);
  useLook(looked);
  const form = useRef<HTMLFormElement>(null);
  // The dialog has given the focus to its first button.
  useEffect(() => form.current?.querySelector<HTMLElement>("input, textarea, select")?.focus(), []);
  const { needsReason, canBeAnnounced } = rulesOf(order);
  const hasReason = !IN_WORDS.has(order.action);
  const isLater = [preview.error, action.doing.error].some(
    (one) => codeOf(one) === "later_actions",
  );
  return (
    <Dialog
      title={titleOf(sheet, order)}
      onClose={() => (action.done ? state.finish(action.done) : onClose())}
    >
      <form
        ref={form}
        className="org-stack"
        noValidate
        onSubmit={state.submit}
        onKeyDown={sendOnEnter}
      >
        <About order={order} />
        <TimesLines text={times} />
        {looked !== undefined && <LooksHere object={looked} />}
        <OrderFields order={order} draft={draft} lacks={state.lacks} />
        {hasReason && (
          <LongField
            label={needsReason ? sheet.reason : `${sheet.reason} (${sheet.optional})`}
            hint={sheet.reasonHint}
            value={draft.more.reason}
            maxLength={500}
            rows={2}
            fault={state.lacksReason ? sheet.reasonFault : null}
            onChange={(reason) => draft.setMore("reason", reason)}
          />
        )}
        {state.isSame ? (
          <p className="org-note">{sheet.nothingToChange}</p>
        ) : (
          <Moves order={order} preview={preview} />
        )}
        {canBeAnnounced && may("notice.post") && (
          <Announce draft={draft} fault={state.lacksNotice ? sheet.announceFault : null} />
        )}
        <div role="alert">
          {action.fault !== null && <p className="org-fault">{action.fault}</p>}
        </div>
        {order.action === "undo" && isLater && <LaterActions of={order.id} onAsk={onAsk} />}
        <button type="submit" className="org-do" aria-disabled={state.isWaiting}>
          {action.done ? sheet.postNotice : button}
        </button>
      </form>
    </Dialog>
  );
}
