/** Who moves on the board: the truth beside what players see. */
import type { Acted, TeamMove } from "../../../api/organize-lists";
import { useOrganizeMessages } from "../../../messages/organize/words";
import { rowsOf } from "./effect";

/** More would not be read; the sentence of the button counts all. */
const ROWS_MAX = 12;

function Step({ move }: { move: TeamMove | undefined }) {
  const { sheet, list } = useOrganizeMessages().pages;
  if (!move) return <>{list.none}</>;
  const text = (place: TeamMove["from"]) => {
    return place ? sheet.place(place.rank, place.points) : sheet.absent;
  };
  return (
    <>
      {text(move.from)} → {text(move.to)}
    </>
  );
}

/** The first bloods that the action takes away, a line each. */
export function FirstBloods({ effect }: { effect: Acted["effect"] }) {
  const { sheet } = useOrganizeMessages().pages;
  const lost = effect?.firstBloods ?? [];
  if (lost.length === 0) return null;
  return (
    <>
      <ul aria-label={sheet.firstBloods} className="org-lines">
        {lost.slice(0, ROWS_MAX).map(({ challengeName, from, to }) => (
          <li key={challengeName}>
            <bdi>{sheet.firstBlood(challengeName, from, to ?? null)}</bdi>
          </li>
        ))}
      </ul>
      {lost.length > ROWS_MAX && <p>{sheet.moreFirstBloods(lost.length - ROWS_MAX)}</p>}
    </>
  );
}

export function MovesTable({ effect }: { effect: Acted["effect"] }) {
  const { sheet } = useOrganizeMessages().pages;
  if (!effect) return <p>{sheet.unknown}</p>;
  const { truth } = effect;
  const rows = rowsOf(truth ?? [], effect.public);
  if (rows.length === 0) return <p>{sheet.nobody}</p>;
  return (
    <>
      <table className="org-table org-moves">
        <thead>
          <tr>
            <th scope="col">{sheet.team}</th>
            {truth && <th scope="col">{sheet.truth}</th>}
            <th scope="col">{sheet.players}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, ROWS_MAX).map((row) => (
            <tr key={row.teamName}>
              <th scope="row">
                <bdi>{row.teamName}</bdi>
              </th>
              {truth && (
                <td>
                  <Step move={row.truth} />
                </td>
              )}
              <td>
                <Step move={row.shown} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > ROWS_MAX && <p>{sheet.more(rows.length - ROWS_MAX)}</p>}
    </>
  );
}
