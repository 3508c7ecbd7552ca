/** The first teams of the event, after its end. */
import type { Team } from "../../../api/organize-lists";
import { useMessages } from "../../../messages/language";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { useMay, useTeams } from "../frame/queries";
import { PageLink, TeamLink, useScoreboardView } from "../frame/view";
import card from "./card.module.css";
import styles from "./overview.module.css";

const TEAMS_MAX = 12;

function Rows() {
  const { day } = useOrganizeMessages();
  const { locale } = useMessages();
  const isPublic = useScoreboardView() === "public";
  const { data } = useTeams({ order: "rank" });
  const scoreOf = ({ truth, public: shown }: Team) => (isPublic ? shown : (truth ?? shown));
  const ranked = (data?.pages[0]?.teams ?? [])
    .flatMap((team) => {
      const score = scoreOf(team);
      return score && score.points > 0 ? [{ team, score }] : [];
    })
    .toSorted((a, b) => a.score.rank - b.score.rank)
    .slice(0, TEAMS_MAX);
  if (data && ranked.length === 0) return <p className={styles.none}>{day.noResults}</p>;
  return (
    <table className={styles.results}>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{day.rank}</th>
          <th scope="col">{day.team}</th>
          <th scope="col">{day.points}</th>
        </tr>
      </thead>
      <tbody>
        {ranked.map(({ team, score }) => (
          <tr key={team.teamName} data-rank={score.rank}>
            <td className={styles.number}>{score.rank}</td>
            <th scope="row">
              <TeamLink team={team.teamName} />
            </th>
            <td className={styles.number}>{score.points.toLocaleString(locale)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Results() {
  const { day } = useOrganizeMessages();
  const may = useMay();
  if (!may("team.list")) return null;
  return (
    <section className={card.card} aria-labelledby="results">
      <h2 id="results">{day.results}</h2>
      <Rows />
      <p className={styles.links}>
        <PageLink to="/organize/teams">{day.allTeams}</PageLink>
        <PageLink to="/organize/event" query={{ tab: "results" }}>
          {day.exports}
        </PageLink>
      </p>
    </section>
  );
}
