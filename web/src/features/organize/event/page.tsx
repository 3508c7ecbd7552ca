/** The Event page: times, forms, results, organizers and the command line, in tabs. */
import { lazy, Suspense } from "react";
import type { Overview } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { Loading } from "../../../ui/loading/loading";
import { ListState, Tabs } from "../frame/list";
import { useOverview } from "../frame/queries";
import { useShownItem } from "../frame/shown-item";
import { useView } from "../frame/view";
import { Organizers } from "../organizers";
import styles from "./event.module.css";
import { Results } from "./results/results";
import { type TabName, tabParameter, useTabs } from "./tabs";
import { Times } from "./times/times";

const PARTS = {
  settings: lazy(() => import("./settings")),
  texts: lazy(() => import("./texts")),
  brand: lazy(() => import("./brand/brand")),
  files: lazy(() => import("./differences")),
  commands: lazy(() => import("./commands/commands")),
};

function Tab({ tab, overview }: { tab: TabName; overview: Overview }) {
  const { list } = useOrganizeMessages().pages;
  switch (tab) {
    case "results":
      return <Results overview={overview} />;
    case "people":
      return <Organizers />;
    case "times":
      return <Times overview={overview} />;
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
      <div className={styles.head}>
        <h1>{words.title}</h1>
        <div ref={useShownItem<HTMLDivElement>(tab)} className={styles.tabs}>
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
      </div>
      <ListState of={overview}>{(data) => <Tab tab={tab} overview={data} />}</ListState>
    </>
  );
}
