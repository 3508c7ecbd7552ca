/** Exported lists, one row each: what it holds, and one button. */
import { useState } from "react";
import type { Source } from "../../../../api/organize-sources";
import { isRecord } from "../../../../api/unknown";
import { useOrganizeMessages, wordFor } from "../../../../messages/organize/words";
import { challengeOptions, Select } from "../../change/fields";
import { useAllChallenges, useMay, useSource } from "../../frame/queries";
import { useScoreboardView } from "../../frame/view";
import styles from "../event.module.css";
import { DivisionChoice, Download, exportPath, type Format, FormatChoice } from "./download";

/** True if a flag of the challenge is per team; such a flag is an object in the source. */
function hasTeamFlags({ fields }: Source): boolean {
  const { flags } = fields ?? {};
  return Array.isArray(flags) && flags.some((flag) => isRecord(flag) && flag.type === "team");
}

/** Flags of all teams for a challenge with per-team flags. */
function TeamFlags({ format }: { format: Format }) {
  const { results: words } = useOrganizeMessages().manage;
  const challenges = useAllChallenges().data ?? [];
  const [chosen, choose] = useState("");
  const id = chosen || (challenges[0]?.id ?? "");
  // The list of challenges does not have the kinds of flags.
  const source = useSource(id).data;
  if (id === "") return null;
  return (
    <li>
      <div className={styles.contents}>
        <strong>{words.teamFlags}</strong>
        <span className="org-note">{words.contents.teamFlags}</span>
      </div>
      <Select
        className={`org-field ${styles.inline}`}
        label={words.teamFlagsOf}
        value={id}
        options={challengeOptions(challenges)}
        onChange={choose}
      />
      {source && !hasTeamFlags(source) ? (
        <span className="org-note">{words.noTeamFlags}</span>
      ) : (
        <Download
          what={words.teamFlags}
          path={`team-flags?challenge=${encodeURIComponent(id)}&`}
          format={format}
        />
      )}
    </li>
  );
}

/** Lists that can be limited to the teams of a division. */
const BY_DIVISION = new Set(["standings", "solves", "teams"]);

export function Exports() {
  const { event: words } = useOrganizeMessages().pages;
  const { results } = useOrganizeMessages().manage;
  const may = useMay();
  const view = useScoreboardView();
  const [format, setFormat] = useState<Format>("xlsx");
  const [division, setDivision] = useState("");
  // Winners have a separate card, where their number is chosen.
  const lists = [
    ...["standings", "solves", "teams", "challenges", "overview"],
    ...(may("flag.list") ? ["flags"] : []),
    ...(may("evidence.list") ? ["evidence"] : []),
  ];
  if (!may("list.export")) return null;
  return (
    <section className={styles.list}>
      <header>
        <div>
          <h2>{words.exports}</h2>
          <p className="org-note">{words.exportsNote}</p>
        </div>
        <div className={styles.choices}>
          <DivisionChoice value={division} onChange={setDivision} />
          <FormatChoice value={format} onChange={setFormat} />
        </div>
      </header>
      <ul className={`${styles.lines} ${styles.exports}`}>
        {lists.map((list) => {
          const what = wordFor(words.exportOf, list);
          return (
            <li key={list}>
              <div className={styles.contents}>
                <strong>{what}</strong>
                <span className="org-note">{wordFor(results.contents, list)}</span>
              </div>
              <Download
                what={what}
                path={exportPath(list, { view, division: BY_DIVISION.has(list) && division })}
                format={format}
              />
            </li>
          );
        })}
        {may("challenge.read") && <TeamFlags format={format} />}
      </ul>
    </section>
  );
}
