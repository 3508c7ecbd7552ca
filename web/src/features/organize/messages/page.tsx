/** Messages page: the inbox of questions with the open one beside it, notices, saved replies. */
import type { Question } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { useMedia } from "../../../ui/motion/motion";
import { useOpenAction } from "../change/action-dialog";
import type { Filter } from "../filters/filters";
import { useViewers } from "../frame/channel";
import { Empty } from "../frame/empty";
import { KeyHint, useShortcut } from "../frame/keys";
import { ListPage, ListState, Tabs } from "../frame/list";
import { useMay, useQuestions } from "../frame/queries";
import { useView } from "../frame/view";
import { ReadyAnswers } from "./answers";
import { Inbox, inboxOf } from "./inbox";
import { Notices } from "./notices";
import { answerOf, Thread } from "./thread";

/** Query changes that close the open item of every section. */
const CLOSED = { question: undefined, notice: undefined, reply: undefined };

function Sections({ open }: { open: string }) {
  const { messages: words, forms } = useOrganizeMessages().pages;
  const mayReply = useMay()("answers.set");
  const replies = { name: "replies", text: forms.answers, changes: { ...CLOSED, tab: "replies" } };
  return (
    <Tabs
      label={words.title}
      tabs={[
        { name: "", text: words.questions, changes: { ...CLOSED, tab: undefined } },
        { name: "notices", text: words.notices, changes: { ...CLOSED, tab: "notices" } },
        ...(mayReply ? [replies] : []),
      ]}
      open={open}
    />
  );
}

function NewNotice() {
  const { sheet } = useOrganizeMessages().pages;
  const ask = useOpenAction();
  const may = useMay()("notice.post");
  const text = wordFor(sheet.actions, "notice.post");
  const post = () => ask({ action: "notice.post", fixed: {}, object: sheet.notice });
  useShortcut("a", text, may ? post : undefined);
  if (!may) return null;
  return (
    <button type="button" className="button-primary" aria-keyshortcuts="a" onClick={post}>
      {text} <KeyHint of="a" />
    </button>
  );
}

/** `r` answers the focused question, or the open one, or the first that waits. */
function useReplyKey(all: readonly Question[], open: Question | undefined): void {
  const { sheet } = useOrganizeMessages().pages;
  const ask = useOpenAction();
  const mayPost = useMay()("notice.post");
  useShortcut("r", wordFor(sheet.actions, "question.answer"), () => {
    const row = document.activeElement?.closest<HTMLElement>("[data-question]");
    const focused = all.find(({ id }) => id.toString() === row?.dataset.question);
    const question = focused ?? open ?? all.find(({ state }) => state === "open");
    if (question) ask(answerOf(question, mayPost));
  });
}

function useFilters(): readonly Filter[] {
  const { pages, filters } = useOrganizeMessages();
  const { messages: words } = pages;
  return [
    { name: "state", label: words.state, words: words.states },
    { name: "claim", label: filters.claim, words: filters.claims },
  ];
}

function Questions() {
  const { pages, filters: filterWords } = useOrganizeMessages();
  const { messages: words, list } = pages;
  const view = useView();
  const isWide = useMedia("(width >= 64rem)");
  const questions = useQuestions();
  const viewers = useViewers();
  const filter = { q: view("q"), state: view("state"), claim: view("claim") };
  const left = inboxOf(questions.data ?? [], filter, viewers);
  const chosen = (questions.data ?? []).find(({ id }) => id.toString() === view("question"));
  // Beside the list, a question is always open.
  const open = chosen ?? (isWide ? left[0] : undefined);
  useReplyKey(left, open);
  return (
    <ListPage
      title={words.title}
      tabs={<Sections open="" />}
      action={<NewNotice />}
      hasViews
      search={{ name: "q", label: list.search }}
      filters={useFilters()}
      count={left.length > 0 ? filterWords.results(left.length) : ""}
      isInbox
      panel={open && <Thread key={open.id} question={open} isChosen={chosen !== undefined} />}
    >
      <h2 className="visually-hidden">{words.questions}</h2>
      <ListState of={questions}>
        {() =>
          left.length === 0 ? (
            <Empty
              title={questions.data?.length === 0 ? words.noneYet : words.empty}
              note={questions.data?.length === 0 && words.noneYetNote}
            />
          ) : (
            <Inbox questions={left} open={open?.id} />
          )
        }
      </ListState>
    </ListPage>
  );
}

export default function MessagesPage() {
  const { messages: words } = useOrganizeMessages().pages;
  const tab = useView()("tab");
  if (tab !== "notices" && tab !== "replies") return <Questions />;
  const head = { tabs: <Sections open={tab} />, action: <NewNotice /> };
  if (tab === "notices") return <Notices {...head} />;
  return (
    <ListPage title={words.title} {...head}>
      <ReadyAnswers />
    </ListPage>
  );
}
