/** When what happens, what stops the event and ends the freeze, and what leaves the house. */
import { lazy, Suspense } from "react";
import type { Overview } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { Loading } from "../../../ui/loading/loading";
import { type Action, ActionButtons } from "../change/action-buttons";
import { timeValue } from "../change/order";
import { ListState, Tabs } from "../frame/list";
import { useMay, useOverview } from "../frame/reading";
import { useView } from "../frame/view";
import { Organizers } from "../organizers";
import { ACCOUNT, SETUP } from "../pages";
import { stepsFor } from "../setup/steps";
import { PrivateDataOfAll } from "../teams/private";
import { eventActions, revealAction } from "./actions";
import { LastBackup } from "./backup";
import { Extend } from "./extend";
import { Ctftime, Exports, Winners } from "./results";
import { RevealChoice } from "./reveal";
import { type TabName, tabParameter, useTabs } from "./tabs";
import { TimeLine } from "./time-line";

function Times({ overview }: { overview: Overview }) {
  const { start, freeze, end, name } = overview;
  const initial = { start: timeValue(start), freeze: timeValue(freeze), end: timeValue(end) };
  const move: Action = {
    action: "event.times",
    fixed: {},
    object: name,
    initial,
    key: "t",
  };
  return (
    <TimeLine overview={overview}>
      {(hasMoved) => (
        <>
          <div className="org-actions">
            {/* Its sheet begins with the times of the event, not with those on the line. */}
            {!hasMoved && <ActionButtons name={name} actions={[move]} />}
            <Extend overview={overview} />
          </div>
          <RevealChoice />
        </>
      )}
    </TimeLine>
  );
}

function Running({ overview }: { overview: Overview }) {
  const { event: words, sheet } = useOrganizeMessages().pages;
  const { isFrozen, isRevealed } = overview;
  const actions = [
    ...eventActions(overview, sheet.notice),
    ...(isFrozen ? [revealAction(overview)] : []),
  ];
  return (
    <section className="org-card">
      <h2>{words.running}</h2>
      {!isFrozen && isRevealed && <p className="org-note">{words.revealed}</p>}
      <ActionButtons name={words.running} actions={actions} />
      <LastBackup overview={overview} />
    </section>
  );
}

const PARTS = {
  settings: lazy(() => import("./settings")),
  texts: lazy(() => import("./texts")),
  brand: lazy(() => import("./brand")),
  files: lazy(() => import("./differences")),
};

function People() {
  const { event: words } = useOrganizeMessages().pages;
  return (
    <>
      <Organizers />
      <p>
        <a href={ACCOUNT}>{words.people}</a>
      </p>
    </>
  );
}

function SetUp() {
  const { setup } = useOrganizeMessages();
  const may = useMay();
  if (!may("settings.read")) return null;
  return (
    <section className="org-card">
      <h2>{setup.title}</h2>
      <ul className="org-stream">
        {stepsFor(may).map((step) => (
          <li key={step}>
            <a href={`${SETUP}?step=${step}`}>{setup[step].title}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Tab({ tab, overview }: { tab: TabName; overview: Overview }) {
  const { list } = useOrganizeMessages().pages;
  switch (tab) {
    case "results":
      return (
        <div className="org-bands">
          <Running overview={overview} />
          <Winners />
          <Ctftime overview={overview} />
          <Exports overview={overview} />
          <PrivateDataOfAll overview={overview} />
        </div>
      );
    case "people":
      return <People />;
    case "times":
      return (
        <>
          <Times overview={overview} />
          <div className="org-bands">
            <Running overview={overview} />
            <SetUp />
          </div>
        </>
      );
    default: {
      const Content = PARTS[tab];
      return (
        <Suspense fallback={<Loading label={list.loading} />}>
          <Content />
        </Suspense>
      );
    }
  }
}

export default function EventPage() {
  const { event: words } = useOrganizeMessages().pages;
  const overview = useOverview();
  const asked = useView()("tab");
  const tabs = useTabs();
  const tab = tabs.find((one) => one === asked) ?? "times";
  return (
    <>
      <div className="org-bar">
        <h1>{words.title}</h1>
        <Tabs
          label={words.tabs}
          tabs={tabs.map((name) => ({
            name,
            text: words.tabOf[name],
            changes: { tab: tabParameter(name), page: undefined },
          }))}
          open={tab}
        />
      </div>
      <ListState of={overview}>{(data) => <Tab tab={tab} overview={data} />}</ListState>
    </>
  );
}
