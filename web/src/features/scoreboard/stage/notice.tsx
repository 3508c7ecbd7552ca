/** The latest notice, large on the projector, for a limited time. */
import { Suspense } from "react";
import { useSecondsUntil } from "../../../api/clock";
import { useCtf, useNotices } from "../../../api/queries";
import { stageNotice, stageUntil } from "../../../domain/news";
import { chunkPart } from "../../../ui/chunk-part/chunk-part";
import styles from "./stage.module.css";

const Html = chunkPart("html", async () => {
  const { Html } = await import("../../../ui/html/html");
  return { default: Html };
});

export function StageNotice() {
  const hasNotices = (useCtf().data?.info.notices ?? 0) > 0;
  const { data: notices = [] } = useNotices(hasNotices);
  const last = Math.max(0, ...notices.map(stageUntil));
  const notice = stageNotice(notices, useSecondsUntil(last));
  if (!notice) return null;
  return (
    <div role="status" className={styles.notice} data-urgent={notice.urgent}>
      <Suspense fallback={null}>
        <strong>{notice.title}</strong>
        <Html html={notice.html} />
      </Suspense>
    </div>
  );
}
