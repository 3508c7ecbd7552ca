/** When what happens, what stops the event and ends the freeze, and what leaves the house. */
import { apiUrl } from "../../../api/base";
import type { Overview } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { type Act, ActButtons } from "../change/act-buttons";
import { useAsk } from "../change/acting";
import { timeValue } from "../change/order";
import { Facts, ListState } from "../frame/list";
import { useMay, useOverview } from "../frame/reading";
import { useWhose } from "../frame/view";
import { ACCOUNT, SETUP } from "../pages";
import { STEPS } from "../setup/steps";
import { useTimeText } from "../time";
import { eventActs } from "./acts";

const MINUTE_MS = 60_000;

/** Moves the end alone, by some minutes. */
function later(end: number, minutes: number, object: string): Act {
  const at = new Date(end + minutes * MINUTE_MS).toISOString();
  const fixed = { end: at, start: undefined, freeze: undefined };
  return { kind: "act", act: "event.times", fixed, object };
}

function Extend({ overview }: { overview: Overview }) {
  const { event: words } = useOrganizeMessages().pages;
  const may = useMay();
  const ask = useAsk();
  const { end, name } = overview;
  if (!end || !may("event.times")) return null;
  return [15, 30].map((minutes) => (
    <button
      key={minutes}
      type="button"
      className="org-small"
      onClick={() => ask(later(end, minutes, name))}
    >
      {words.extend(minutes)}
    </button>
  ));
}

/** The time of the device, with UTC beside it. */
function At({ ms }: { ms: number | null | undefined }) {
  const { event: words } = useOrganizeMessages().pages;
  const text = useTimeText();
  if (!ms) return <>{words.none}</>;
  const utc = new Date(ms).toISOString();
  return (
    <>
      <time dateTime={utc}>{text(ms)}</time>{" "}
      <span className="org-note">
        ({words.local}) · {utc.slice(0, 16).replace("T", " ")} UTC
      </span>
    </>
  );
}

function Times({ overview }: { overview: Overview }) {
  const { event: words } = useOrganizeMessages().pages;
  const { start, freeze, end, name } = overview;
  const initial = { start: timeValue(start), freeze: timeValue(freeze), end: timeValue(end) };
  const move: Act = {
    kind: "act",
    act: "event.times",
    fixed: {},
    object: name,
    initial,
    key: "t",
  };
  return (
    <section className="org-card">
      <h2>{words.times}</h2>
      <Facts
        rows={[
          [words.start, <At key="start" ms={start} />],
          [words.freeze, <At key="freeze" ms={freeze} />],
          [words.end, <At key="end" ms={end} />],
        ]}
      />
      <div className="org-acts">
        <ActButtons name={name} acts={[move]} />
        <Extend overview={overview} />
      </div>
    </section>
  );
}

function Running({ overview }: { overview: Overview }) {
  const { event: words, sheet } = useOrganizeMessages().pages;
  const { isFrozen, isRevealed, name } = overview;
  const reveal: Act = { kind: "act", act: "event.reveal", fixed: {}, object: name };
  const acts = [...eventActs(overview, sheet.notice), ...(isFrozen ? [reveal] : [])];
  return (
    <section className="org-card">
      <h2>{words.running}</h2>
      {!isFrozen && <p className="org-note">{isRevealed ? words.revealed : words.notFrozen}</p>}
      <ActButtons name={words.running} acts={acts} />
    </section>
  );
}

function Exports() {
  const { event: words } = useOrganizeMessages().pages;
  const may = useMay();
  const view = useWhose();
  const lists = ["teams", "challenges", ...(may("flag.list") ? ["flags"] : []), "overview"];
  if (!may("list.export")) return null;
  return (
    <section className="org-card">
      <h2>{words.exports}</h2>
      <ul className="org-stream">
        {lists.map((list) => (
          <li key={list}>
            {wordFor(words.exportOf, list)}:{" "}
            {["csv", "xlsx", "json"].map((format) => (
              <a
                key={format}
                download
                href={apiUrl(
                  `/organize/exports/${list}?format=${format}${view ? `&view=${view}` : ""}`,
                )}
              >
                {format.toUpperCase()}
              </a>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What can be set, each in the step that set it first. */
function SetUp() {
  const { setup } = useOrganizeMessages();
  const may = useMay();
  if (!may("settings.read")) return null;
  return (
    <section className="org-card">
      <h2>{setup.title}</h2>
      <ul className="org-stream">
        {STEPS.map((step) => (
          <li key={step}>
            <a href={`${SETUP}?step=${step}`}>{setup[step].title}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

export default function EventPage() {
  const { event: words } = useOrganizeMessages().pages;
  const overview = useOverview();
  return (
    <ListState of={overview}>
      {(data) => (
        <>
          <div className="org-bar">
            <h1>{words.title}</h1>
            <a href={ACCOUNT}>{words.people}</a>
          </div>
          <div className="org-bands">
            <Times overview={data} />
            <Running overview={data} />
            <SetUp />
            <Exports />
          </div>
        </>
      )}
    </ListState>
  );
}
