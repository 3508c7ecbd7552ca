/** What leaves the house: exports, and the file for CTFtime, which is checked first. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { apiUrl } from "../../../api/base";
import { fetchJson } from "../../../api/client";
import { get } from "../../../api/organize";
import type { Overview } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { useShowError } from "../fault";
import { ListState } from "../frame/list";
import { useMay } from "../frame/reading";
import { useWhose } from "../frame/view";
import { useGate } from "../gate";
import { checkCtftime } from "./ctftime";

const CTFTIME = "/ctftime";

async function getCtftime(): Promise<unknown> {
  return (await fetchJson(new Request(apiUrl(CTFTIME)))).json();
}

export function Ctftime({ overview }: { overview: Overview }) {
  const { event: words } = useOrganizeMessages().pages;
  const { status, isFrozen, isRevealed } = overview;
  const feed = useQuery({
    // The file is another one in each of these states.
    queryKey: ["organize", "ctftime", status, isFrozen, isRevealed],
    queryFn: getCtftime,
    gcTime: 0,
  });
  const state = { isOver: status === "ended", isFrozen };
  return (
    <section className="org-card">
      <h2>{words.ctftime}</h2>
      <p className="org-note">{words.ctftimeNote}</p>
      <ListState of={feed}>
        {(data) => {
          const { teams, tasks, first, findings } = checkCtftime(data, state);
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
              {findings.length === 0 ? (
                <p className="org-good">{words.ctftimeGood}</p>
              ) : (
                <ul>
                  {findings.map((finding) => (
                    <li key={finding} className="org-bad">
                      {wordFor(words.ctftimeFindings, finding)}
                    </li>
                  ))}
                </ul>
              )}
              <p className="org-links">
                <a download="ctftime.json" href={apiUrl(CTFTIME)}>
                  {words.ctftimeFile}
                </a>
                <button type="button" className="org-small" onClick={() => void feed.refetch()}>
                  {words.checkAgain}
                </button>
              </p>
            </>
          );
        }}
      </ListState>
    </section>
  );
}

interface Winner {
  readonly place: number;
  readonly team: string;
  readonly email: string | null;
}

/** Who gets the prizes, with their addresses: only owners see them, and give the second factor. */
export function Winners() {
  const { event: words } = useOrganizeMessages().pages;
  const run = useGate();
  const showError = useShowError();
  const [winners, setWinners] = useState<readonly Winner[] | null>(null);
  async function read() {
    const path = "/exports/winners?addresses=true";
    setWinners(await run(() => get<readonly Winner[]>(path)));
  }
  if (!useMay()("list.export_addresses")) return null;
  return (
    <section className="org-card">
      <h2>{words.winners}</h2>
      <p>
        <button type="button" onClick={() => void read().catch(showError)}>
          {words.winnersShow}
        </button>
      </p>
      <div role="status">
        {winners?.length === 0 && words.winnersNone}
        {winners !== null && winners.length > 0 && (
          <ol>
            {winners.map(({ place, team, email }) => (
              <li key={place}>
                <bdi>{team}</bdi>: {email ?? words.none}
              </li>
            ))}
          </ol>
        )}
      </div>
    </section>
  );
}

export function Exports({ overview }: { overview: Overview }) {
  const { event: words } = useOrganizeMessages().pages;
  const may = useMay();
  const view = useWhose();
  const results = ["standings", "solves", "winners"];
  const lists = [
    ...["teams", "challenges", "overview"],
    ...(may("flag.list") ? ["flags"] : []),
    ...(may("evidence.list") ? ["evidence"] : []),
  ];
  if (!may("list.export")) return null;
  return (
    <section className="org-card">
      <h2>{words.exports}</h2>
      <ul className="org-stream">
        {[...results, ...lists].map((list) => (
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
      {overview.status === "ended" && !overview.isFrozen && (
        <p>
          <a download href={apiUrl("/organize/exports/journal")}>
            {words.journal}
          </a>
        </p>
      )}
    </section>
  );
}
