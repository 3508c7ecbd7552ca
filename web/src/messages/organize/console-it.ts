/** Italian messages for tokens, backups, personal data, the reveal and imports. */
import type { ConsoleMessages } from "./console-en";
import { importIt } from "./import-it";

export const CONSOLE_VERBS_IT: Readonly<Record<string, string>> = {
  "challenge.attempts": "Ridai i tentativi per",
  "event.name": "Cambia",
  "solve.count": "Accredita una soluzione a",
  "team.test": "Crea",
};

export const CONSOLE_ACTIONS_IT: Readonly<Record<string, string>> = {
  "challenge.attempts": "Ridai i tentativi",
  "event.name": "Cambia l'evento",
  "solve.count": "Accredita una soluzione",
  "team.test": "Crea una squadra di prova",
};

export const CONSOLE_HINTS_IT: Readonly<Record<string, string>> = {
  "challenge.attempts": "La squadra può inviare di nuovo flag sbagliate, fino al limite.",
  "solve.count": "La soluzione conta da quell'ora, anche per il first blood.",
  "team.test":
    "La squadra è nascosta e lo resta. Ricevi un codice che ne imposta la password su /reset.",
};

export const consoleIt: ConsoleMessages = {
  imports: importIt,
  testTeam: "una squadra di prova",
  timesShown: (zone) => `Gli orari sono nel fuso dell'evento, ${zone}.`,
  quietForYou: (solves) =>
    `Ancora nessuna attività che il tuo ruolo possa vedere. Soluzioni dell'evento: ${solves}.`,
  backup: {
    last: "Ultimo backup:",
    none: "Ancora nessun backup.",
    how: "Per crearne uno sul server, esegui:",
    orHere: "Oppure scaricane uno qui:",
    button: "Scarica un backup…",
    title: "Scarica un backup",
    note:
      "Il file contiene tutto l'evento: account, indirizzi e-mail, flag e segreto dell'evento. " +
      "Conservalo insieme agli altri segreti, non su un disco condiviso. Il download è riportato " +
      "nel registro delle azioni.",
    wait: "Prima il server crea il backup, anche in qualche minuto. Lascia aperta la pagina.",
    download: "Scarica il backup",
    making: "Creazione del backup…",
    done: (name) => `Backup salvato come ${name}.`,
    leftOut: (count) =>
      `Backup salvato, ma senza i file che sul server sono danneggiati o mancano: ${count}. ` +
      "I loro nomi sono nel log del server.",
  },
  cards: {
    button: "Schede di accesso…",
    buttonOf: (count) => `Schede di accesso per ${count}`,
    title: "Schede di accesso da stampare",
    note: (count) =>
      count === 0
        ? "Crea una scheda per ogni squadra confermata e non esclusa."
        : `Crea una scheda per ogni squadra scelta: ${count}.`,
    use:
      "Con il codice QR o il codice breve della scheda, una squadra imposta la password e " +
      "accede, una volta, fino alla fine dell'evento. Nuove schede annullano le precedenti.",
    secret:
      "Il foglio è l'unica copia. Chi ha una scheda può accedere come la sua squadra: elimina il " +
      "file dopo la stampa.",
    download: "Crea le schede",
    making: "Creazione delle schede…",
    done: "Il foglio è stato salvato come cards.html. Aprilo per stamparlo.",
  },
  theNetwork: "Indirizzo pubblico di quella rete",
  theNetworkHint:
    "Come 192.0.2.7 o 192.0.2.0/24. Toglie anche i limiti alle sue connessioni, alle pagine in " +
    "diretta, ai download e ai captcha falliti. Lascia vuoto se non lo conosci, o con meno di " +
    "circa 100 squadre.",
  tokens: {
    title: "Token API degli organizzatori",
    button: "Nuovo token API",
    makeOwn: "Nuovo token API",
    makeOf: (name) => `Nuovo token API per ${name}`,
    note:
      "Va inviato nell'intestazione X-Api-Key. Ha gli stessi permessi dell'organizzatore, tranne " +
      "le azioni che chiedono di nuovo un codice a due fattori.",
    days: "Scade dopo (giorni)",
    daysFault: "Un numero intero da 1 a 366",
    make: "Crea il token",
    once: "Il token viene mostrato una volta sola. Conservalo insieme agli altri segreti.",
    token: "Token API",
    copy: "Copia il token",
    close: "Fatto",
    endOf: (name, created) => `Revoca il token API di ${name}, creato ${created}`,
  },
  privacy: {
    button: "Dati personali…",
    title: (team) => `Dati personali di ${team}`,
    what: "Dati",
    rows: "Righe",
    kept: "Conservazione",
    stays: "permanenti, mai cancellati",
    hours: (hours) => `${hours} ore`,
    until: (time) => `fino al ${time}`,
    erased: "fino alla cancellazione",
    note:
      "La cancellazione non si può annullare. La squadra resta in classifica con il nome e le " +
      "soluzioni, ma non può più accedere. Backup, log ed e-mail inviate contengono ancora i dati.",
    beforeEnd: "Cancella ora, prima della fine dell'evento. La squadra non può più giocare",
    beforeEndFault: "L'evento non è finito. Spunta la casella per cancellare ora.",
    confirm: (team) => `Per confermare, scrivi ${team}`,
    nameFault: "Scrivi il nome esattamente com'è mostrato.",
    erase: (team) => `Cancella i dati personali di ${team}`,
    done: (rows) => `Cancellati. Righe: ${rows}.`,
  },
  privacyOfAll: {
    title: "Dati personali di tutte le squadre",
    about:
      "Dopo l'evento, cancella indirizzi e-mail, password, componenti, reti, domande e flag " +
      "sbagliate. Se ci sono premi o domande in sospeso, prima scarica un backup.",
    button: "Cancella i dati personali…",
    count: (teams, rows) => `Squadre: ${teams}. Righe da cancellare: ${rows}.`,
    note:
      "La cancellazione non si può annullare. Le squadre restano in classifica con i nomi e le " +
      "soluzioni, ma non possono più accedere. Backup, log ed e-mail inviate contengono ancora " +
      "i dati.",
    beforeEnd: "Cancella ora, prima della fine dell'evento. Le squadre non possono più giocare",
    erase: "Cancella i dati personali di tutte le squadre",
  },
  times: {
    is: (text) => `= ${text}.`,
    isHere: (text, here) => `= ${text}; su questo dispositivo ${here}.`,
    zoneUnknown: "Fuso orario sconosciuto. Usa un nome come Europe/Rome.",
    zone: (name) => `Nel fuso orario ${name}`,
  },
  practice: {
    title: "Pratica dopo la fine",
    of: (event: string) => `la pratica dopo la fine di ${event}`,
    states: { off: "disattivata", on: "attivata" },
    notes: {
      off: "Dopo la fine non si accettano flag.",
      on:
        "Dopo la fine e la rivelazione le flag vengono controllate. Non cambiano né la " +
        "classifica né feed ed esportazioni.",
    },
    becomes: (before: string, after: string) => `Pratica dopo la fine: ${before} → ${after}`,
    turnOn: "Attiva la pratica…",
    turnOff: "Disattiva la pratica…",
  },
  reveal: {
    title: "Alla fine",
    of: (event) => `la modalità di rivelazione di ${event}`,
    modes: {
      auto: "rivela la classifica finale",
      manual: "tienila congelata per la cerimonia",
    },
    notes: {
      auto: "Se la classifica è congelata, alla fine viene rivelata a tutti.",
      manual:
        "Se la classifica è congelata, lo resta anche dopo la fine, finché un organizzatore non " +
        "la rivela.",
    },
    becomes: (before, after) => `Alla fine: ${before} → ${after}`,
    change: "Cambia la modalità di rivelazione…",
  },
};
