/** Italian messages of the ceremony. */
import type { CeremonyMessages } from "./ceremony-en";

const some = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const ceremonyIt: CeremonyMessages = {
  title: "Cerimonia",
  lead: "La classifica finale sul proiettore: dal posto scelto in su, un tasto per posto.",
  back: "Evento",
  loading: "Caricamento della classifica…",

  mode: {
    legend: "Classifica",
    rehearsal: "Prova",
    rehearsalNote:
      "Soluzioni inventate sulla classifica pubblica. Restano in questo browser, e ogni " +
      "schermata dice PROVA.",
    real: "Quella vera",
    realNote:
      "La classifica sigillata, dopo un nuovo codice. Il pubblico non vede nulla finché non " +
      "pubblichi, all'ultimo passo.",
    blocked: {
      notEnded: "L'evento non è ancora finito.",
      notFrozen: "Non c'è stato congelamento: la classifica mostra già tutto.",
      revealed: "La classifica finale è già pubblica.",
      notFrozenYet: "La classifica non è congelata.",
    },
    times: "Orari dell'evento",
    results: "Risultati",
    scoreboard: "Classifica",
  },
  board: { legend: "Squadre", all: "Tutte le squadre", students: "Studenti" },
  from: "Primo posto da annunciare",
  fromNote: (teams) => `${some(teams, "squadra", "squadre")}; i posti più bassi si vedono subito`,
  show: { legend: "Sullo schermo", points: "Punti", solves: "Soluzioni nascoste per nome" },
  name: "Nome dell'evento, per confermare la pubblicazione",
  nameFault: "Scrivi il nome esatto dell'evento.",

  load: "Carica la classifica sigillata",
  loadAgain: "Ricarica",
  begin: "Comincia",
  check: {
    legend: "Prima di cominciare",
    loaded: (teams, solves) =>
      `Caricata: ${some(teams, "squadra", "squadre")}, ` +
      some(solves, "soluzione nascosta", "soluzioni nascoste"),
    notLoaded: "Non ancora caricata",
    proven: "Ogni passo è stato rifatto e porta alla classifica finale",
    notProven: "I passi non portano alla classifica finale. Non cominciare: ricarica.",
    offline: "Da ora funziona senza rete, fino all'ultimo passo",
    notOffline: "Caratteri, bandiere e pagine si stanno caricando…",
    screen: (width, height) => `Schermo ${width} × ${height}`,
    small: "Porta la finestra sul proiettore, poi premi F per lo schermo intero",
    keep: "Tieni aperta la scheda: se la ricarichi, la classifica va caricata di nuovo",
    noTeams: "Nessuna squadra è ancora in classifica.",
  },

  keys: {
    title: "Tasti",
    next: "posto seguente; durante le soluzioni: alla loro fine",
    nextKeys: ["Spazio", "→", "Invio", "Pag giù"],
    back: "un passo indietro",
    backKeys: ["←", "Pag su"],
    pages: "pagine di una classifica",
    pagesKeys: ["↑", "↓"],
    full: "schermo intero",
    fullKeys: ["F"],
    help: "questi tasti",
    helpKeys: ["?"],
    leave: "esci",
    leaveKeys: ["Esc"],
  },
  leave: {
    title: "Uscire dalla cerimonia?",
    notes: {
      real:
        "Nulla è pubblicato. Finché non apri un'altra pagina, la cerimonia riprende da questo " +
        "passo con le stesse opzioni.",
      rehearsal: "Nulla è pubblicato. La prossima prova ricomincia dal primo passo.",
    },
    stay: "Resta",
    leave: "Esci",
  },
  control: {
    previous: "Indietro",
    next: "Avanti",
    full: "Schermo intero",
    keys: "Tasti",
    leave: "Esci",
  },

  rehearsal: "Prova",
  rehearsalMark: "soluzioni inventate",
  opening: {
    title: "La classifica finale",
    sealed: (solves) =>
      some(solves, "soluzione sigillata dal congelamento", "soluzioni sigillate dal congelamento"),
    students: "Studenti",
    hint: "Spazio",
  },
  frozen: { title: "Dove si è congelata", note: "L'ultima classifica vista da tutti" },
  start: {
    title: "Si aprono i sigilli",
    note: "Da qui ogni sfida ha il suo valore finale",
    from: (place) => `Dal ${place}° posto in su`,
  },
  place: (place) => `${place}° posto`,
  placeLabel: "Posto",
  up: (place) => `sale al ${place}°`,
  stays: "resta",
  points: (points) => `${points} punti`,
  sealedLeft: (count) => some(count, "sigillata", "sigillate"),
  settled: (place, team, points) => `${place}° posto: ${team}, ${points} punti`,
  podiumPlaces: ["Primo posto", "Secondo posto", "Terzo posto"],
  podium: "Il podio",
  boards: {
    all: "Classifica finale",
    students: "Classifica finale degli studenti",
    division: (name) => `Classifica finale – ${name}`,
  },
  pageOf: (first, last, all) => `${first}–${last} di ${all}`,

  publish: {
    title: "Ora tocca al mondo",
    note:
      "La classifica pubblica è ancora congelata. Un tasto pubblica quella finale, subito e per " +
      "tutti. Non si può annullare.",
    button: "Pubblica la classifica finale",
    sending: "Pubblicazione…",
    offline: "Niente rete. Nulla è pubblicato: premi di nuovo quando torna.",
    isOffline: "Al momento non c'è rete.",
    failed: (sentence) => `Non pubblicata: ${sentence}`,
    done: "Pubblicata",
    doneNote: "Ora tutti vedono la classifica finale.",
    scoreboard: "Apri la classifica",
    rehearsed: "Fine della prova",
    rehearsedNote:
      "Qui la cerimonia vera pubblica la classifica finale. Non è stato pubblicato nulla.",
    again: "Torna alla preparazione",
    console: "Torna alle pagine degli organizzatori",
  },
};
