/** The Overview page: what needs attention, figures, times, challenges to watch, activity. */
import { useEffect } from "react";
import type { Overview } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { go } from "../../../navigate";
import { useRowKeys } from "../frame/keys";
import { ListState } from "../frame/list";
import { useMay, useOverview } from "../frame/queries";
import { SETUP } from "../pages";
import { Attention } from "./attention-list";
import { EventTimes } from "./event-times";
import styles from "./overview.module.css";
import { Readiness } from "./readiness-list";
import { Results } from "./results";
import { Stream } from "./stream";
import { Tiles } from "./tiles";
import { Watch } from "./watch";

function Content({ overview, readAt }: { overview: Overview; readAt: number }) {
  const may = useMay();
  const { status } = overview;
  const isBefore = status === "not_started";
  return (
    <div className={styles.overview}>
      <Attention overview={overview} />
      <Tiles overview={overview} />
      <div className={styles.rest} data-phase={isBefore ? "before" : status}>
        {isBefore && <Readiness overview={overview} />}
        {status === "ended" && <Results />}
        <EventTimes overview={overview} readAt={readAt} />
        {!isBefore && status !== "ended" && may("challenge.list") && <Watch />}
        <Stream />
      </div>
    </div>
  );
}

export default function NowPage() {
  const { overview: words, keys } = useOrganizeMessages().pages;
  useRowKeys(keys);
  const overview = useOverview();
  const may = useMay();
  const isUnnamed = overview.data?.name === "" && may("settings.read");
  // An event without a name has nothing else to show, so open the setup.
  useEffect(() => {
    if (isUnnamed) go(SETUP, { replace: true });
  }, [isUnnamed]);
  return (
    <>
      <h1 className="visually-hidden">{words.title}</h1>
      <ListState of={overview}>
        {(data) => <Content overview={data} readAt={overview.dataUpdatedAt} />}
      </ListState>
    </>
  );
}
