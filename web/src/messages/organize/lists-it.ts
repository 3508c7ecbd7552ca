/** Italian texts of the lists of challenges and teams: selection, quick actions and panels. */
import type { listsEn } from "./lists-en";

const some = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more}`;

const teams = (count: number) => some(count, "squadra", "squadre");

export const listsIt: typeof listsEn = {
  selection: "Selezione",
  chosen: (count) => (count === 1 ? "1 selezionata" : `${count} selezionate`),
  choose: (name) => `Seleziona ${name}`,
  chooseAll: "Seleziona tutto",
  chooseMatching: (count) => `Seleziona tutte (${count})`,
  chooseMost: (count) => `Seleziona le prime ${count}`,
  clear: "Annulla selezione",
  range: "Seleziona le righe fin qui",
  teams,
  hideChallenges: (count) => `Nascondi ${some(count, "sfida", "sfide")}`,
  hideTeams: (count) => `Nascondi ${teams(count)}`,
  showTeams: (count) => `Mostra di nuovo ${teams(count)}`,
  messageTeams: (count) => `Scrivi a ${teams(count)}`,
  resendTeams: (count) => `Reinvia ${some(count, "conferma", "conferme")}`,
  moreActions: (name) => `Altre azioni per ${name}`,
  markAs: { broken: "Segna guasta", looked_at: "Verifica", fixed: "Segna riparata" },
  statusOf: (name, status) => `${name}: ${status.toLowerCase()}`,
  incorrect: "Errate/h",
  incorrectHint: "Invii errati nell'ultima ora",
  stuck: "Bloccate",
  stuckHint: "Squadre che hanno provato senza risolverla",
  median: "Tempo mediano",
  medianHint: "Tempo mediano di soluzione",
  solvesOf: (count) => some(count, "soluzione", "soluzioni"),
  stuckOf: (count) => (count === 1 ? "1 bloccata" : `${count} bloccate`),
  awardOf: (points) => `premio ${points > 0 ? "+" : ""}${points}`,
  details: "Dettagli",
};
