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
import { type Announcement, useDraft } from "./draft";
import { ActionField, LongField, Tick } from "./fields";
import { FirstBloods, MovesTable } from "./moves";
import {
  alongWith,
  canAnnounce,
  canMove,
  changesNothing,
  draftKey,
  fieldsOf,
  fixedOf,
  lookOf,
  madeOf,
  missing,
  needsReason,
  type Order,
  type Values,
} from "./order";
import { PhasesLines } from "./phases-lines";
import { useButtonText, usePreview } from "./preview";
import { TimesLines, useTimesText } from "./times-lines";

interface AnnounceProps {
  value: Announcement;
  fault: string | null;
  onChange: (value: Announcement) => void;
}

function Announce({ value, fault, onChange }: AnnounceProps) {
  const { sheet } = useOrganizeMessages().pages;
  return (
    <div className="org-stack">
      <Tick
        label={sheet.announce}
        on={value.isOn}
        onChange={(isOn) => onChange({ ...value, isOn })}
      />
      {value.isOn && (
        <>
          <Field
            announced
            label={sheet.announceTitle}
            value={value.title}
            maxLength={200}
            fault={fault}
            onChange={(event) => onChange({ ...value, title: event.currentTarget.value })}
          />
          <LongField
            label={sheet.announceText}
            value={value.text}
            fault={null}
            maxLength={8000}
            onChange={(text) => onChange({ ...value, text })}
          />
          <Tick
            label={sheet.urgent}
            on={value.urgent}
            onChange={(urgent) => onChange({ ...value, urgent })}
          />
        </>
      )}
    </div>
  );
}

/** What was done to the object since the preview, in a sentence. */
function useWhatTouched(order: Order) {
  const { sheet } = useOrganizeMessages().pages;
  const run = useGate();
  const mayList = useMay()("action.list");
  return async (): Promise<string> => {
    const actions = mayList ? await run(() => getActions()).catch(() => []) : [];
    const { team, challenge, challenges = [] } = fixedOf(order);
    const objects = [team, challenge, ...challenges];
    const names = objects.filter((name) => name !== undefined);
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

/** The actions that have to be undone first, each with its sentence. */
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
                onClick={() => onAsk({ kind: "undo", id, sentence })}
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
function useDo(order: Order, head: number | null | undefined, onDone: (acted: Acted) => void) {
  const { sheet } = useOrganizeMessages().pages;
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
    mutationFn: async (given: { values: Values; reason: string; notice: Announcement | null }) => {
      const { values, reason, notice } = given;
      const acted = done ?? (await run(() => confirm(order, values, { reason, head })));
      setDone(acted);
      if (notice) {
        const { title, text, urgent } = notice;
        const { challenge } = fixedOf(order);
        const fixed = { title, text, urgent, challenge };
        const post: Order = { kind: "action", action: "notice.post", fixed };
        await run(() => confirmNotice(post, {}, {}));
      }
      return acted;
    },
    onMutate: () => setFault(null),
    onSuccess: onDone,
    onError: async (error) => {
      setFault(codeOf(error) === "object_touched" ? await whatTouched() : faultText(error));
    },
  });
  const isUntold = done !== null && fault !== null;
  return { doing, fault: isUntold ? sheet.doneNotTold(done.sentence) : fault, done };
}

function useSheet(props: SheetProps) {
  const { order } = props;
  const { sheet } = useOrganizeMessages().pages;
  const cache = useQueryClient();
  const initial = order.kind === "action" ? (order.initial ?? {}) : {};
  const reason = order.kind === "undo" ? sheet.undoReason : "";
  const draft = useDraft(draftKey(order), { values: initial, reason });
  const preview = usePreview(order, draft.values);
  function finish(acted: Acted) {
    draft.forget();
    props.onDone(acted, draft.values);
  }
  const action = useDo(order, preview.data?.head, finish);
  const { notice } = draft;
  const [isChecked, setChecked] = useState(false);
  const lacks = missing(order, draft.values);
  const isSame = changesNothing(order, draft.values);
  const lacksReason = needsReason(order) && draft.reason.trim() === "";
  const lacksNotice = notice.isOn && (notice.title.trim() === "" || notice.text.trim() === "");
  function submit(event: FormEvent) {
    event.preventDefault();
    setChecked(true);
    if (isSame && !action.done) return;
    if (lacks.length > 0 || lacksReason || lacksNotice || action.doing.isPending) return;
    // Without its preview an action would not be refused if the object was touched since.
    if (!action.done && !preview.data) {
      if (!preview.isFetching && madeOf(order)) void preview.refetch();
      if (preview.isFetching || madeOf(order)) return;
    }
    const { values, reason } = draft;
    action.doing.mutate(
      { values, reason, notice: notice.isOn ? notice : null },
      {
        onError: (error) => {
          if (codeOf(error) !== "object_touched") return;
          void preview.refetch();
          void cache.invalidateQueries({ queryKey: LIVE_KEY });
        },
      },
    );
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
  const made = madeOf(order);
  if (!made) return null;
  return <div role="alert">{made.warning && <p className="org-bad">{made.warning}</p>}</div>;
}

/** The warning of a reveal while the event runs: the ranking is not final. */
function EarlyReveal({ end, now }: Overview) {
  const { sheet } = useOrganizeMessages().pages;
  const moment = useMomentText();
  const left = typeof end === "number" ? sheet.left(durationText(end - now), moment(end)) : "";
  return <p className="org-bad">{sheet.earlyReveal(left)}</p>;
}

/** The explanation of an action. */
function Hint({ action }: { action: ActionName }) {
  const { sheet } = useOrganizeMessages().pages;
  const overview = useOverview().data;
  if (action === "event.reveal" && overview && overview.status !== "ended") {
    return <EarlyReveal {...overview} />;
  }
  const hint = sheet.hints[action];
  return hint && <p className="org-note">{hint}</p>;
}

/** What the action is, and what it changes. */
function About({ order }: { order: Order }) {
  const { sheet } = useOrganizeMessages().pages;
  if (order.kind !== "action") return null;
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
const SAYS_MORE = new Set<ActionName>(["challenge.hide", "challenge.rejudge"]);
/** Actions that are words for players: they need no reason beside them. */
const IN_WORDS = new Set<ActionName>([
  "notice.correct",
  "notice.post",
  "notice.withdraw",
  "question.answer",
  "question.close",
  "team.message",
]);

const isOf = (names: ReadonlySet<ActionName>, order: Order) =>
  order.kind === "action" && names.has(order.action);

function Moves({ order, preview }: { order: Order; preview: ReturnType<typeof usePreview> }) {
  const { sheet } = useOrganizeMessages().pages;
  const faultText = useFaultText();
  const asking = preview.isFetching && canMove(order) ? sheet.asking : null;
  const text = preview.error ? faultText(preview.error) : asking;
  return (
    <section aria-label={sheet.moves} aria-live="polite" className="org-stack">
      <Warning order={order} />
      <PhasesLines phases={preview.data?.phases} />
      {canMove(order) && <h3>{sheet.moves}</h3>}
      {preview.data && isOf(SAYS_MORE, order) && <p>{preview.data.sentence}</p>}
      {canMove(order) && preview.data && (
        <>
          <FirstBloods effect={preview.data.effect} />
          <MovesTable effect={preview.data.effect} />
        </>
      )}
      {!preview.data && text !== null && <p className="org-note">{text}</p>}
    </section>
  );
}

function labelOf(fields: Readonly<Record<string, string>>, order: Order, name: string): string {
  const action = order.kind === "action" ? order.action : "";
  if (action === "event.reveal" && name === "name") return wordFor(fields, "eventName");
  if (action === "team.test" && name === "team") return wordFor(fields, "name");
  return wordFor(fields, action === "solve.count" && name === "at" ? "solvedAt" : name);
}

interface OrderFieldsProps {
  order: Order;
  draft: ReturnType<typeof useDraft>;
  /** The names of the fields that have to be filled in. */
  lacks: readonly string[];
}

/** A field for each value that the action needs. */
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
  const title =
    order.kind === "undo"
      ? sheet.undoOf(order.sentence)
      : `${wordFor(sheet.verbs, order.action)} ${order.object ?? sheet.event}`;
  const hasReason = !isOf(IN_WORDS, order);
  const isLater = [preview.error, action.doing.error].some(
    (one) => codeOf(one) === "later_actions",
  );
  return (
    <Dialog title={title} onClose={() => (action.done ? state.finish(action.done) : onClose())}>
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
            label={needsReason(order) ? sheet.reason : `${sheet.reason} (${sheet.optional})`}
            hint={sheet.reasonHint}
            value={draft.reason}
            maxLength={500}
            rows={2}
            fault={state.lacksReason ? sheet.reasonFault : null}
            onChange={draft.setReason}
          />
        )}
        {state.isSame ? (
          <p className="org-note">{sheet.nothingToChange}</p>
        ) : (
          <Moves order={order} preview={preview} />
        )}
        {canAnnounce(order) && may("notice.post") && (
          <Announce
            value={draft.notice}
            fault={state.lacksNotice ? sheet.announceFault : null}
            onChange={draft.setNotice}
          />
        )}
        <div role="alert">
          {action.fault !== null && <p className="org-fault">{action.fault}</p>}
        </div>
        {order.kind === "undo" && isLater && <LaterActions of={order.id} onAsk={onAsk} />}
        <button type="submit" className="org-do" aria-disabled={state.isWaiting}>
          {action.done ? sheet.postNotice : button}
        </button>
      </form>
    </Dialog>
  );
}
