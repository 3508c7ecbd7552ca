/** Italian messages for what only the command line could do before. */
import type { ConsoleMessages } from "./console-en";
import { importIt } from "./import-it";

export const CONSOLE_VERBS_IT: Readonly<Record<string, string>> = {
  "event.name": "Cambia",
  "solve.count": "Conta una soluzione di",
  "team.test": "Crea",
};

export const CONSOLE_ACTIONS_IT: Readonly<Record<string, string>> = {
  "event.name": "Cambia",
  "solve.count": "Conta una soluzione",
  "team.test": "Crea una squadra di prova",
};

export const CONSOLE_HINTS_IT: Readonly<Record<string, string>> = {
  "solve.count": "La soluzione conta come se fosse arrivata a quell'ora, anche per il first blood.",
  "team.test":
    "La squadra è nascosta dal primo momento e lo resta. Ricevi un codice che ne imposta la " +
    "password su /reset.",
};

export const consoleIt: ConsoleMessages = {
  imports: importIt,
  testTeam: "una squadra di prova",
  timesShown: (zone) => `Orari secondo il fuso dell'evento, ${zone}.`,
  quietForYou: (solves) =>
    `Non è ancora successo nulla in ciò che il tuo ruolo vede. Soluzioni dell'evento: ${solves}.`,
  backup: {
    last: "Ultimo backup:",
    none: "Non è ancora stato fatto alcun backup.",
    how: "Sul server, questo ne fa uno:",
    orHere: "Oppure qui:",
    button: "Scarica un backup…",
    title: "Scarica un backup",
    note:
      "Il file contiene tutto l'evento: account, indirizzi, flag e il segreto dell'evento. " +
      "Conservalo insieme agli altri segreti, e non su un disco condiviso. Il registro dice chi " +
      "l'ha scaricato.",
    wait:
      "Prima il server lo prepara, e può volerci qualche minuto. Intanto lascia aperta la " +
      "pagina.",
    download: "Scarica il backup",
    making: "Il server prepara il backup…",
    done: (name) => `Il backup è salvato come ${name}.`,
    leftOut: (count) =>
      `Il backup è salvato, ma mancano file che sul server sono danneggiati: ${count}. ` +
      "Il log del server dice quali.",
  },
  oneNetwork: "Quasi tutti sono in una sola rete, come un campus o la sede dell'evento",
  oneNetworkNote: "Allora il numero di iscrizioni da una rete non è limitato.",
  theNetwork: "Indirizzo pubblico di quella rete",
  theNetworkHint:
    "Come 192.0.2.7 o 192.0.2.0/24. Allora nemmeno connessioni, pagine dal vivo, download e " +
    "captcha sbagliati da lì hanno un limite. Lascia vuoto se non lo conosci, e con meno di " +
    "circa 100 squadre.",
  tokens: {
    title: "Token degli organizzatori",
    button: "Nuovo token",
    makeOwn: "Nuovo token per script",
    makeOf: (name) => `Nuovo token per script di ${name}`,
    note:
      "Uno script lo manda nell'intestazione X-Api-Key e può fare ciò che possono questi ruoli, " +
      "tranne ciò che chiede di nuovo il secondo fattore.",
    days: "Giorni di validità",
    daysFault: "Un numero intero da 1 a 366",
    make: "Crea il token",
    once: "Viene mostrato una volta sola. Conservalo insieme agli altri segreti.",
    token: "Token",
    copy: "Copia il token",
    close: "Ce l'ho",
    endOf: (name, created) => `Termina il token di ${name} del ${created}`,
  },
  privacy: {
    button: "Dati privati…",
    title: (team) => `Dati privati di ${team}`,
    what: "Che cosa",
    rows: "Righe",
    kept: "Conservati",
    stays: "per sempre: restano",
    hours: (hours) => `per ${hours} ore`,
    until: (time) => `fino al ${time}`,
    erased: "finché non vengono cancellati",
    note:
      "La cancellazione non si può annullare. La squadra resta in classifica con il nome e le " +
      "soluzioni, e non può più entrare. Backup, log e mail inviate conservano i dati.",
    beforeEnd: "L'evento non è finito: cancella ora, e la squadra non può continuare a giocare",
    beforeEndFault: "L'evento non è finito. Spunta la casella per cancellare ora.",
    confirm: (team) => `Per confermare, scrivi ${team}`,
    nameFault: "Scrivi il nome esattamente com'è mostrato.",
    erase: (team) => `Cancella i dati privati di ${team}`,
    done: (rows) => `Cancellati. Righe: ${rows}.`,
  },
  privacyOfAll: {
    title: "Dati privati di tutte le squadre",
    about:
      "Dopo l'evento, cancella indirizzi, password, componenti, reti, domande e flag sbagliate. " +
      "Prima scarica un backup, se ci sono ancora premi o domande in sospeso.",
    button: "Cancella i dati privati…",
    count: (teams, rows) => `Squadre: ${teams}. Righe che verrebbero cancellate: ${rows}.`,
    note:
      "La cancellazione non si può annullare. Le squadre restano in classifica con i nomi e le " +
      "soluzioni, e non possono più entrare. Backup, log e mail inviate conservano i dati.",
    beforeEnd: "L'evento non è finito: cancella ora, e nessuna squadra può continuare a giocare",
    erase: "Cancella i dati privati di tutte le squadre",
  },
  times: {
    is: (text) => `= ${text}.`,
    isHere: (text, here) => `= ${text}; su questo dispositivo ${here}.`,
    zoneUnknown: "Non esiste un fuso con questo nome. I nomi sono come Europe/Rome.",
    zone: (name) => `Secondo l'ora di ${name}`,
  },
  reveal: {
    title: "Alla fine",
    of: (event) => `la rivelazione di ${event}`,
    modes: {
      auto: "mostra la classifica finale",
      manual: "resta congelata e aspetta la cerimonia",
    },
    notes: {
      auto: "Se la classifica è congelata, alla fine tutti vedono quella finale.",
      manual:
        "Se la classifica è congelata, lo resta anche dopo la fine, finché un organizzatore " +
        "preme Rivela.",
    },
    becomes: (before, after) => `Alla fine: ${before} → ${after}`,
    change: "Cambia la rivelazione…",
  },
};
