/** Italian messages for the effects of an action on points, submissions and event times. */
import type { effectEn, Scored } from "./effect-en";

const some = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${count} ${many}`;

/** Number of names that fit on a button. */
const NAMES_MAX = 5;

function named(teams: readonly string[]): string {
  const more = teams.length - NAMES_MAX;
  return `${teams.slice(0, NAMES_MAX).join(", ")}${more > 0 ? ` e altre ${more}` : ""}`;
}

function scored({ points, isSame, moving }: Scored, one: string, many: string): string {
  const amount = `${isSame ? "" : "fino a "}${some(points, "punto", "punti")}`;
  return moving === 0 ? amount : `${amount}, ${moving} di esse ${moving === 1 ? one : many}`;
}

export const effectIt: typeof effectEn = {
  nothingToChange: "Nulla da cambiare.",
  noTime: "non impostato",
  stays: (time) => `${time} (invariato)`,
  staysRevealed:
    "La classifica è stata rivelata: il congelamento non nasconde più nulla, anche a evento in " +
    "corso.",
  runsAgain: (time) => `L'evento riprende fino alle ${time}`,
  startsAtOnce: "L'evento inizia subito: tutte le sfide diventano pubbliche.",
  endsAtOnce: "L'evento finisce subito.",
  showsHidden: "Le soluzioni nascoste diventano subito visibili a tutti. Non si può annullare.",
  left: (duration, end) => `, per ${duration}, fino alle ${end}`,
  earlyReveal: (left) =>
    `L'evento è ancora in corso${left}. Rivelare ora termina per sempre il congelamento: tutti ` +
    "vedono le soluzioni nascoste, e subito ogni soluzione successiva. La classifica non è " +
    "definitiva.",
  gain: (gain) =>
    `${some(gain.teams.length, "squadra guadagna", "squadre guadagnano")} ` +
    scored(gain, "sale", "salgono"),
  lose: (lose) =>
    `${some(lose.teams.length, "squadra perde", "squadre perdono")} ` +
    scored(lose, "scende", "scendono"),
  leave: (count) => `${count} squadre escono dalla classifica`,
  enter: (count) => `${count} squadre entrano in classifica`,
  firstBloods: "First blood",
  firstBlood: (challenge, from, to) =>
    to === null
      ? `${from} perde il first blood di ${challenge}. Non passa a un'altra squadra.`
      : `Il first blood di ${challenge} passa da ${from} a ${to}.`,
  moreFirstBloods: (count) => `e ${some(count, "altro first blood", "altri first blood")}`,
  gainInRejudge: (teams) => `punti in classifica per ${named(teams)}`,
};
