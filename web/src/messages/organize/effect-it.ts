/** Italian texts of what an action changes: points, submissions and the times of the event. */
import type { effectEn, Scored } from "./effect-en";

const some = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${count} ${many}`;

/** As many names as can be read on a button. */
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
  nothingToChange: "Non c'è nulla da cambiare.",
  noTime: "non fissato",
  stays: (time) => `${time} (resta)`,
  staysRevealed:
    "La classifica è stata rivelata: il congelamento non nasconde più nulla, neanche in gara.",
  runsAgain: (time) => `L'evento riprende fino alle ${time}`,
  startsAtOnce: "L'evento inizia subito: tutte le sfide diventano pubbliche.",
  endsAtOnce: "L'evento finisce subito.",
  showsHidden: "Tutti vedono subito ciò che il congelamento nasconde. Non si può annullare.",
  left: (duration, end) => `, per ${duration}, fino alle ${end}`,
  earlyReveal: (left) =>
    `L'evento è ancora in corso${left}. Rivelare ora termina per sempre il congelamento: tutti ` +
    "vedono ciò che nasconde, e subito ogni soluzione successiva. La classifica non è definitiva.",
  gain: (gain) =>
    `${some(gain.teams.length, "squadra guadagna", "squadre guadagnano")} ` +
    scored(gain, "sale", "salgono"),
  lose: (lose) =>
    `${some(lose.teams.length, "squadra perde", "squadre perdono")} ` +
    scored(lose, "scende", "scendono"),
  firstBloods: "First blood",
  firstBlood: (challenge, from, to) =>
    to === null
      ? `${from} perde il first blood di ${challenge}; non ce l'ha più nessuno.`
      : `Il first blood di ${challenge} passa da ${from} a ${to}.`,
  moreFirstBloods: (count) => `e ${some(count, "altro first blood", "altri first blood")}`,
  gainInRejudge: (teams) => `punti in classifica per ${named(teams)}`,
};
