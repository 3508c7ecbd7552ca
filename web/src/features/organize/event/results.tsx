/** What leaves the house: exports, and the file for CTFtime, which is checked first. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { apiUrl } from "../../../api/base";
import { fetchJson } from "../../../api/client";
import { get } from "../../../api/organize";
import type { Overview } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Field } from "../../../ui/field/field";
import { Tick } from "../change/fields";
import { useShowError } from "../fault";
import { ListState } from "../frame/list";
import { useMay } from "../frame/reading";
import { useWhose } from "../frame/view";
import { useGate } from "../gate";
import { checkCtftime } from "./ctftime";

const CTFTIME = "/ctftime";

/** The forms of a file, the spreadsheet first: Excel misreads CSV in many languages. */
const FORMATS = ["xlsx", "csv", "json"] as const;

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

function Files({ path }: { path: string }) {
  return FORMATS.map((format) => (
    <a key={format} download href={apiUrl(`/organize/exports/${path}format=${format}`)}>
      {format.toUpperCase()}
    </a>
  ));
}

/** Who gets the prizes, with their addresses: only owners see them, and give the second factor. */
export function Winners() {
  const { event: words } = useOrganizeMessages().pages;
  const run = useGate();
  const may = useMay();
  const showError = useShowError();
  const [typed, setTyped] = useState("3");
  const [students, setStudents] = useState(false);
  const [winners, setWinners] = useState<readonly Winner[] | null>(null);
  const top = Number(typed);
  const isNumber = /^\d{1,4}$/.test(typed.trim()) && top > 0;
  const path = `winners?top=${top}${students ? "&students=true" : ""}`;
  async function read() {
    const winners = `/exports/${path}&addresses=true`;
    setWinners(await run(() => get<readonly Winner[]>(winners)));
  }
  if (!may("list.export")) return null;
  return (
    <section className="org-card">
      <h2>{words.winners}</h2>
      <Field
        announced
        label={words.winnersTop}
        value={typed}
        inputMode="numeric"
        maxLength={4}
        autoComplete="off"
        fault={isNumber ? null : words.winnersTopFault}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setWinners(null);
        }}
      />
      {may("team.address") && (
        <Tick
          label={words.winnersStudents}
          on={students}
          onChange={(on) => {
            setStudents(on);
            setWinners(null);
          }}
        />
      )}
      {isNumber && (
        <p className="org-links">
          {words.winnersFiles} <Files path={`${path}&`} />
        </p>
      )}
      {may("list.export_addresses") && (
        <p>
          <button
            type="button"
            aria-disabled={!isNumber}
            onClick={() => isNumber && void read().catch(showError)}
          >
            {words.winnersShow}
          </button>
        </p>
      )}
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
  // The winners have a card of their own, with their number.
  const lists = [
    ...["standings", "solves", "teams", "challenges", "overview"],
    ...(may("flag.list") ? ["flags"] : []),
    ...(may("evidence.list") ? ["evidence"] : []),
  ];
  if (!may("list.export")) return null;
  return (
    <section className="org-card">
      <h2>{words.exports}</h2>
      <p className="org-note">{words.exportsNote}</p>
      <ul className="org-stream">
        {lists.map((list) => (
          <li key={list}>
            {wordFor(words.exportOf, list)}:{" "}
            <Files path={view ? `${list}?view=${view}&` : `${list}?`} />
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
