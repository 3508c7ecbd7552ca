/** Links to the scoreboards of the divisions, and the first solvers of the one that is shown. */
import { useMemo } from "react";
import { scoreboardAddress, teamAddress } from "../../../addresses";
import { useCtf } from "../../../api/queries";
import { useSession } from "../../../api/session";
import { type Board, groupBy } from "../../../domain/board";
import { firstSolvers } from "../../../domain/first-solvers";
import { publicBoard } from "../../../domain/highlights";
import { useMessages } from "../../../messages/language";
import { useView } from "../view";
import styles from "./divisions.module.css";

function Team({ name }: { name: string | null }) {
  if (name === null) return "–";
  return (
    <a href={teamAddress(name)}>
      <bdi>{name}</bdi>
    </a>
  );
}

function Firsts({ board, division, name }: { board: Board; division: string; name: string }) {
  const { divisions: words } = useMessages();
  const firsts = useMemo(() => firstSolvers(board, division), [board, division]);
  if (firsts.length === 0) return null;
  return (
    <details className={styles.firsts}>
      <summary>{words.firsts}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.challenge}</th>
            <th scope="col">{words.event}</th>
            <th scope="col">
              <bdi>{name}</bdi>
            </th>
          </tr>
        </thead>
        <tbody>
          {firsts.map((first) => (
            <tr key={first.id}>
              <th scope="row">
                <bdi>{first.challengeName}</bdi>
              </th>
              <td>
                <Team name={first.event} />
              </td>
              <td>
                <Team name={first.division} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

export default function Divisions({ board }: { board: Board }) {
  const { team } = useSession();
  const { divisions: words } = useMessages();
  const all = useCtf().data?.info.divisions ?? [];
  const view = useView();
  // In the freeze, the position of the team's own later solve is not known.
  const known = useMemo(() => publicBoard(board, team), [board, team]);
  const shown = all.find(({ id }) => id === view.division);
  const link = (label: string, division?: string) => (
    <li key={division}>
      <a
        href={scoreboardAddress({ division })}
        className="button"
        aria-current={view.division === division ? "page" : undefined}
      >
        <bdi>{label}</bdi>
      </a>
    </li>
  );
  return (
    <nav aria-label={words.title} className={styles.groups}>
      <div className={styles.group}>
        <ul className={styles.links}>{link(words.all)}</ul>
        {groupBy(all, ({ group }) => group).map(([group, divisions]) => (
          <div key={group} className={styles.group}>
            <span>
              <bdi>{group}</bdi>
            </span>
            <ul className={styles.links}>{divisions.map(({ id, name }) => link(name, id))}</ul>
          </div>
        ))}
      </div>
      {view.division !== undefined && !shown && <p role="alert">{words.unknown}</p>}
      {shown && <Firsts board={known} division={shown.id} name={shown.name} />}
    </nav>
  );
}
