/** Prize winners with email addresses; for owners only, after two-factor authentication. */
import { useState } from "react";
import { get } from "../../../../api/organize";
import { useOrganizeMessages } from "../../../../messages/organize/words";
import { Field } from "../../../../ui/field/field";
import { Tick } from "../../change/fields";
import { useShowError } from "../../fault";
import { useMay } from "../../frame/queries";
import { useGate } from "../../second-factor-gate";
import styles from "../event.module.css";
import { DivisionChoice, Download, exportPath, type Format, FormatChoice } from "./download";

interface Winner {
  readonly place: number;
  readonly team: string;
  readonly email: string | null;
}

function List({ winners }: { winners: readonly Winner[] | null }) {
  const { event: words } = useOrganizeMessages().pages;
  return (
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
  );
}

export function Winners() {
  const { event: words } = useOrganizeMessages().pages;
  const { results } = useOrganizeMessages().manage;
  const run = useGate();
  const may = useMay();
  const showError = useShowError();
  const [typed, setTyped] = useState("3");
  const [students, setStudents] = useState(false);
  const [division, setDivision] = useState("");
  const [format, setFormat] = useState<Format>("xlsx");
  const [winners, setWinners] = useState<readonly Winner[] | null>(null);
  const top = Number(typed);
  const isNumber = /^\d{1,4}$/.test(typed.trim()) && top > 0;
  const path = exportPath("winners", {
    top: String(top),
    students: students && "true",
    division,
  });
  async function read() {
    setWinners(await run(() => get<readonly Winner[]>(`/exports/${path}addresses=true`)));
  }
  if (!may("list.export")) return null;
  return (
    <section className={styles.card}>
      <header>
        <h2>{words.winners}</h2>
        <p className="org-note">{results.winnersNote}</p>
      </header>
      <div className={styles.body}>
        <div className={styles.fields}>
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
          <DivisionChoice
            value={division}
            onChange={(chosen) => {
              setDivision(chosen);
              setWinners(null);
            }}
          />
          <FormatChoice value={format} onChange={setFormat} />
        </div>
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
        <List winners={winners} />
      </div>
      <div className={styles.foot}>
        {may("list.export_addresses") && (
          <button
            type="button"
            aria-disabled={!isNumber}
            onClick={() => isNumber && void read().catch(showError)}
          >
            {words.winnersShow}
          </button>
        )}
        {isNumber && <Download what={words.winners} path={path} format={format} />}
      </div>
    </section>
  );
}
