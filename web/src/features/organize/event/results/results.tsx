/** Results: the reveal, the files to publish, and exports of all lists. */
import { useQuery } from "@tanstack/react-query";
import { apiUrl } from "../../../../api/base";
import { fetchJson } from "../../../../api/client";
import type { Overview } from "../../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../../messages/organize/words";
import { ListState } from "../../frame/list";
import { useMay } from "../../frame/queries";
import { Status } from "../../frame/status";
import { PrivateDataOfAll } from "../../teams/private";
import { LastBackup } from "../backup";
import styles from "../event.module.css";
import { checkCtftime } from "./ctftime";
import { Exports } from "./exports";
import { Reveal } from "./reveal-card";
import { Winners } from "./winners";

const CTFTIME = "/ctftime";
/** Findings that end by themselves. */
const PASSING = ["not_started", "not_ended", "frozen"];

async function getCtftime(): Promise<unknown> {
  return (await fetchJson(new Request(apiUrl(CTFTIME)))).json();
}

function Found({ data, overview }: { data: unknown; overview: Overview }) {
  const { event: words } = useOrganizeMessages().pages;
  const { teams, tasks, first, findings } = checkCtftime(data, overview);
  return (
    <>
      <p>
        {words.ctftimeHas(teams, tasks)}
        {first !== null && (
          <>
            {" "}
            {words.ctftimeFirst} <bdi>{first}</bdi>.
          </>
        )}
      </p>
      {findings.length === 0 && <Status mark="good">{words.ctftimeGood}</Status>}
      {findings.map((finding) => (
        <Status key={finding} mark={PASSING.includes(finding) ? "wait" : "bad"}>
          {wordFor(words.ctftimeFindings, finding)}
        </Status>
      ))}
    </>
  );
}

function Ctftime({ overview }: { overview: Overview }) {
  const { event: words } = useOrganizeMessages().pages;
  const { status, isFrozen, isRevealed } = overview;
  const feed = useQuery({
    // The file differs in each of these states.
    queryKey: ["organize", "ctftime", status, isFrozen, isRevealed],
    queryFn: getCtftime,
    gcTime: 0,
  });
  return (
    <section className={styles.card}>
      <header>
        <h2>{words.ctftime}</h2>
        <p className="org-note">{words.ctftimeNote}</p>
      </header>
      <div className={styles.body}>
        <ListState of={feed}>{(data) => <Found data={data} overview={overview} />}</ListState>
      </div>
      <div className={styles.foot}>
        <a download="ctftime.json" className="button" href={apiUrl(CTFTIME)}>
          {words.ctftimeFile}
        </a>
        <button type="button" onClick={() => void feed.refetch()}>
          {words.checkAgain}
        </button>
      </div>
    </section>
  );
}

function Journal({ overview }: { overview: Overview }) {
  const { results: words } = useOrganizeMessages().manage;
  const isPublic = overview.status === "ended" && !overview.isFrozen;
  if (!useMay()("list.export")) return null;
  return (
    <section className={styles.card}>
      <header>
        <h2>{words.journal}</h2>
        <p className="org-note">{words.journalNote}</p>
      </header>
      <div className={styles.body} />
      <div className={styles.foot}>
        {isPublic ? (
          <a
            download
            className="button"
            aria-label={words.downloadOf(words.journal, "JSON")}
            href={apiUrl("/organize/exports/journal")}
          >
            {words.download} JSON
          </a>
        ) : (
          <span className="org-note">{words.journalLater}</span>
        )}
      </div>
    </section>
  );
}

function Archive({ overview }: { overview: Overview }) {
  const { results: words } = useOrganizeMessages().manage;
  const may = useMay();
  if (!overview.health || !may("event.backup")) return null;
  return (
    <section className={styles.card}>
      <header>
        <h2>{words.archive}</h2>
        <p className="org-note">{words.archiveNote}</p>
      </header>
      <div className={styles.body} />
      <div className={styles.foot}>
        <LastBackup overview={overview} />
      </div>
    </section>
  );
}

export function Results({ overview }: { overview: Overview }) {
  return (
    <>
      <Reveal overview={overview} />
      <div className={styles.cards}>
        <Ctftime overview={overview} />
        <Winners />
        <Journal overview={overview} />
        <Archive overview={overview} />
      </div>
      <Exports />
      <PrivateDataOfAll overview={overview} />
    </>
  );
}
