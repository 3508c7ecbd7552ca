/** Italian messages of the pages that run an event. */
import { editorIt } from "./editor-it";
import { effectIt } from "./effect-it";
import { eventIt, SET_KINDS_IT } from "./event-it";
import type { PagesMessages } from "./pages-en";
import { ACTIONS_IT, HINTS_IT, VERBS_IT } from "./sheet-it";

const some = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${count} ${many}`;

/** The server's warnings by code. Commands are in backticks. */
const WARNINGS = {
  not_ready: {
    message: "Questo nodo non accetta flag.",
    cure:
      "La causa è in `/readyz`. Se il registro non è scrivibile, libera spazio su disco; " +
      "se il database non risponde, avvialo. Non serve riavviare",
  },
  lane_fails: {
    message: "Nell'ultimo minuto alcuni invii sono falliti con 503.",
    cure: "Controlla `journalctl -u flagship -n 50 -o cat`, il disco e il database",
  },
  lane_slow: {
    message: "Un invio giusto ha richiesto più di mezzo secondo.",
    cure:
      "Il disco è lento o il database è occupato: ferma gli altri lavori su questa " +
      "macchina, come la copia dei backup",
  },
  connections_refused: {
    message: "Nell'ultimo minuto alcune connessioni sono state rifiutate.",
    cure:
      "Se una rete sta inondando il sito, bloccala nel proxy. Altrimenti aumenta " +
      "`LimitNOFILE` e controlla che il proxy sia in `trusted_proxies`",
  },
  files_low: {
    message: "È in uso più dell'80% del limite di file aperti.",
    cure:
      "Aumenta `LimitNOFILE`, poi esegui `systemctl restart flagship` in un momento " +
      "tranquillo",
  },
  logins_wait: {
    message: "Più di 75 accessi e iscrizioni sono in attesa.",
    cure:
      "Un'ondata di accessi passa da sola. Se dura, il database è lento oppure una rete " +
      "va bloccata nel proxy",
  },
  memory_low: {
    message: "È libero meno del 10% della memoria.",
    cure:
      "Ferma gli altri programmi su questa macchina; vedi la tabella delle dimensioni in " +
      "docs/operate.md",
  },
  disk_low: {
    message: "È libero meno di 1 GiB di disco.",
    cure:
      "Libera spazio, a partire dai vecchi file in `/var/lib/flagship-backups`; a disco " +
      "pieno le flag giuste vengono rifiutate",
  },
  mail_waits: {
    message: "Un'e-mail è in coda da più di 5 minuti.",
    cure:
      "`flagship doctor --event DIR` prova l'accesso al server di posta. Le e-mail " +
      "vengono ritentate per otto ore",
  },
  mail_refused: {
    message: "Alcune e-mail non sono state consegnate.",
    cure:
      "`GET /api/organize/teams?mail=refused` elenca le squadre e la risposta del server " +
      "di posta: correggi l'indirizzo con `team.address` o rispedisci con `team.resend`",
  },
  mail_limit: {
    message: "È usato il 90% del limite orario di e-mail.",
    cure:
      "Se le iscrizioni sono vere, aumenta `mails_per_hour` in `event.toml`, poi esegui " +
      "`systemctl reload flagship`",
  },
  backup_old: {
    message: "L'evento è in corso e l'ultimo backup ha più di un'ora.",
    cure:
      "Esegui `flagship backup FILE`. Con systemd, `systemctl enable --now " +
      "flagship-backup.timer` crea un backup ogni 15 minuti",
  },
  backup_missing: {
    message: "L'evento è in corso e non c'è ancora nessun backup.",
    cure:
      "Esegui `flagship backup FILE`. Con systemd, `systemctl enable --now " +
      "flagship-backup.timer` crea un backup ogni 15 minuti",
  },
  clock_jumped: {
    message: "L'orologio del sistema ha fatto un salto. L'orologio dell'evento non ne risente.",
    cure: "Regola l'orologio (`timedatectl`), poi esegui `systemctl restart flagship`",
  },
  journal_altered: {
    message: "Il registro o le flag sono stati modificati da un altro programma.",
    cure:
      "`flagship journal verify` mostra la prima voce non scritta da Flagship. Controlla " +
      "chi ha accesso al database",
  },
  certificate_fails: {
    message: "Non è stato possibile rinnovare il certificato TLS.",
    cure:
      "Il sito funziona fino alla scadenza del certificato. " +
      "`journalctl -u flagship -n 50 -o cat` mostra il motivo. La porta 80 deve essere " +
      "raggiungibile da internet e il dominio deve puntare a questo server",
  },
  copies_fail: {
    message: "Le squadre non possono scaricare le proprie copie di un file.",
    cure:
      "`journalctl -u flagship -n 50 -o cat` mostra il motivo. Libera spazio se il disco è " +
      "pieno; altrimenti correggi il file, poi esegui `flagship apply --event DIR`. Il server " +
      "riprova ogni 30 secondi",
  },
};

export const pagesIt: PagesMessages = {
  editor: editorIt,
  forms: eventIt,
  menu: "Pagine degli organizzatori",
  names: {
    overview: "Panoramica",
    challenges: "Sfide",
    teams: "Squadre",
    submissions: "Invii",
    messages: "Messaggi",
    event: "Evento",
    auditLog: "Registro azioni",
    account: "Account",
  },
  missing: "L'indirizzo non ha una pagina, o il tuo ruolo non può vederla.",
  missingTitle: "Pagina non trovata",

  head: {
    label: "L'evento",
    status: {
      unknown: "Non preparato",
      not_started: "Non iniziato",
      running: "In corso",
      frozen: "In corso",
      ended: "Finito",
    },
    until: { start: "all'inizio", end: "alla fine" },
    truth: "CONGELATA: vista senza congelamento",
    shown: "CONGELATA: vista pubblica",
    shownPlain: "Vista pubblica",
    switchView: "Passa dalla vista senza congelamento a quella pubblica, e viceversa",
    paused: "IN PAUSA",
    keys: "Scorciatoie",
    stale: "Offline: ultimi dati ricevuti.",
  },

  keys: {
    title: "Scorciatoie da tastiera",
    letters: "Scorciatoie di un solo tasto",
    lettersNote: "Disattivale se disturbano la dettatura o la scrittura.",
    goto: "vai alla pagina",
    next: "Riga successiva",
    previous: "Riga precedente",
    open: "Apri la riga",
    close: "Chiudi il pannello",
    help: "Mostra le scorciatoie",
    undo: "Annulla la mia ultima azione",
    view: "Cambia vista: senza congelamento o pubblica",
    find: "Cerca",
    menu: "Azioni della riga",
    choose: "Seleziona la riga",
    send: "Invia la finestra",
  },

  palette: {
    title: "Vai a",
    key: "Trova una pagina, una squadra, una sfida o un'azione",
    field: "Pagina, squadra, sfida o azione",
    none: "Nessun risultato",
  },

  list: {
    search: "Cerca",
    more: "Mostra altro",
    loading: "Caricamento…",
    all: "Tutti",
    of: (shown, total) => `${shown} di ${total}`,
    close: "Chiudi",
    none: "–",
    actions: (name) => `Azioni per ${name}`,
    looks: (names) =>
      `${names.join(", ")} ${names.length === 1 ? "sta guardando" : "stanno guardando"} qui`,
  },

  sheet: {
    verbs: VERBS_IT,
    actions: ACTIONS_IT,
    hints: HINTS_IT,
    reason: "Motivo",
    reasonHint: "Riportato nel registro delle azioni",
    reasonFault: "Scrivi il motivo.",
    optional: "facoltativo",
    moves: "Cambi di posizione",
    ...effectIt,
    asking: "Calcolo dei cambi di posizione…",
    nobody: "nessun cambio di posizione",
    unknown: "Non è stato possibile calcolare i cambi di posizione.",
    team: "Squadra",
    truth: "Senza congelamento",
    players: "Vista pubblica",
    place: (rank, points) => `${rank}ª\u00a0·\u00a0${points}\u00a0pt`,
    rankColumn: "Posizione",
    pointsColumn: "Punti",
    leaves: (rank) => `#${rank} → esce dalla classifica`,
    enters: (rank) => `entra in classifica al #${rank}`,
    leavesShort: (rank) => `#${rank} → fuori`,
    entersShort: (rank) => `entra → #${rank}`,
    absent: "non in classifica",
    more: (count) => (count === 1 ? "e un'altra" : `e altre ${count}`),
    fewer: "Mostra meno",
    objects: "Selezione",
    moreObjects: (count) => `e altri ${count}`,
    recentReasons: "Motivi recenti",
    rises: (count, byOne) =>
      `${some(count, "squadra sale", "squadre salgono")}${byOne ? " di una posizione" : ""}`,
    falls: (count, byOne) =>
      `${some(count, "squadra scende", "squadre scendono")}${byOne ? " di una posizione" : ""}`,
    and: " e ",
    announce: "Pubblica un avviso per tutti i giocatori",
    announceTitle: "Titolo dell'avviso",
    announceText: "Testo dell'avviso",
    announceFault: "Inserisci titolo e testo dell'avviso.",
    urgent: "Urgente (in evidenza su ogni pagina)",
    doneNotTold: (sentence) =>
      `${sentence} Fatto, ma l'avviso non è stato pubblicato. Riprova a pubblicarlo.`,
    postNotice: "Pubblica l'avviso",
    changes: "Modifiche",
    touched: (sentence) => `${sentence} Controlla e riprova: ciò che hai scritto resta.`,
    someoneTouched: "Qualcun altro l'ha modificato.",
    nowIs: (value) => `Nel frattempo è cambiato in: ${value}`,
    takeNow: "Usa questo valore",
    empty: "vuoto",
    question: "Domanda",
    undone: "Non si può annullare.",
    laterActions: "Prima annulla queste azioni successive, in quest'ordine:",
    undo: "Annulla",
    undoOf: (what) => `Annulla: ${what}`,
    undoReason: "Fatto per errore",
    undoToast: "Annulla",
    nothingToUndo: "Non hai azioni da annullare.",
    event: "l'evento",
    notice: "un avviso",
    challenges: (count) => some(count, "sfida", "sfide"),
    fields: {
      at: "Ora",
      atHint: "Lascia vuoto per farlo subito.",
      challenge: "Sfida",
      count: "Numero di codici",
      divisions: "Divisioni",
      country: "Paese",
      email: "Nuova e-mail",
      end: "Fine",
      freeze: "Congelamento",
      label: "Etichetta, come la scuola che li riceve",
      moves: "Sposta congelamento, fine e pubblicazioni future della durata della pausa",
      name: "Nuovo nome",
      eventName: "Scrivi il nome dell'evento per confermare",
      note: "Nota per i giocatori (una riga)",
      offensive: "Il nome precedente è offensivo: nessun reindirizzamento dal suo indirizzo",
      points: "Punti",
      solvedAt: "Ora della soluzione",
      start: "Inizio",
      state: "Stato",
      status: "Stato",
      team: "Squadra (vuoto per tutte le squadre)",
      text: "Testo",
      title: "Titolo",
      toAll: "Pubblica anche come avviso per tutti",
      uses: "Squadre per codice",
      urgent: "Urgente (in evidenza su ogni pagina)",
      until: "Mostra in evidenza",
    },
    untilWithdrawn: "finché non viene ritirato",
    minutes: (count) => `${count} minuti`,
    fieldFault: "Questo campo è obbligatorio.",
  },

  statuses: {
    works: "Funzionante",
    looked_at: "In verifica",
    broken: "Guasta",
    fixed: "Riparata",
  },

  teams: {
    code: "Codice di reimpostazione",
    codeOf: (team) => `Codice di reimpostazione per ${team}`,
    codeNote:
      "Leggi questo codice alla squadra. Imposta una nuova password una volta e scade dopo un'ora.",
    codeAddress: "La squadra lo scrive su",
    copyCode: "Copia il codice",
    title: "Squadre",
    searchHint: "Nome, e-mail o ID",
    resendReason: "La squadra non ha ricevuto il link.",
    standing: "Stato",
    standings: {
      plays: "Attiva",
      hidden: "Nascosta",
      banned: "Esclusa",
      late: "Iscritta dopo la fine",
      waiting: "In lista d'attesa",
      unconfirmed: "Non confermata",
    },
    mail: "Stato dell'e-mail",
    mails: { queued: "in coda", refused: "rifiutata", sent: "inviata" },
    mailGaveUp: "consegna fallita",
    serverSaid: "Risposta del server di posta",
    nextTry: "Prossimo tentativo",
    order: "Ordina per",
    orders: { rank: "Posizione", joined: "Data d'iscrizione" },
    rank: "Posizione",
    rankShown: "Posizione pubblica",
    team: "Squadra",
    points: "Punti",
    solves: "Soluzioni",
    award: "Premio",
    lastSolve: "Ultima soluzione",
    address: "E-mail",
    newAddress: "Nuova e-mail",
    members: "Componenti",
    divisions: "Divisioni",
    student: "Squadra di studenti",
    yes: "Sì",
    no: "No",
    country: "Paese",
    signedUp: "Iscritta",
    number: "ID",
    flags: "Vedi gli invii",
    actions: "Vedi il registro azioni",
    page: "Pagina pubblica della squadra",
    empty: "Nessuna squadra corrispondente",
    noneYet: "Ancora nessuna squadra",
    noneYetNote: "Le squadre appaiono qui quando si iscrivono o vengono importate.",
  },

  story: {
    title: "Attività",
    kind: "Tipo",
    kinds: {
      signed_up: "iscritta",
      confirmed: "confermata",
      mail: "e-mail",
      login: "accesso",
      list: "ha visto le sfide",
      download: "download",
      right: "flag giusta",
      part: "flag giusta, una delle richieste",
      wrong: "flag sbagliata",
      question: "domanda",
      told: "messaggio degli organizzatori",
      action: "azione degli organizzatori",
    },
    from: (network) => `da ${network}`,
    times: (count) => some(count, "volta", "volte"),
    last: "più di recente",
    none: "Nessuna attività corrispondente",
    noneYet: "Nessuna attività corrispondente tra le righe mostrate",
  },

  evidence: {
    title: "Indizi",
    pair: "Squadre",
    facts: "Segnali",
    fact: "Segnale",
    last: "Ultima volta",
    state: "Stato",
    states: { new: "Nuovo", looked_at: "Esaminato", cleared: "Archiviato" },
    kinds: {
      team_flag: "flag di un'altra squadra",
      same_text: "stessa flag sbagliata",
      no_download: "risolta senza download",
      same_order: "stesso ordine di soluzione",
      same_network: "stessa rete",
    },
    said: (kind, by, other) =>
      ({
        team_flag: `${by} ha inviato la flag personale di ${other}`,
        same_text: `${by} ha inviato la stessa rara flag sbagliata di ${other}`,
        no_download: `${by} l'ha risolta senza scaricare un allegato`,
        same_order: `${by} ha risolto nell'ordine di ${other}, pochi minuti dopo`,
        same_network: "Entrambe le squadre hanno usato questa rete",
      })[kind] ?? `${by ?? ""} ${other}`,
    times: (count) => some(count, "volta", "volte"),
    teams: (count, of) =>
      of === null
        ? some(count, "squadra in tutto", "squadre in tutto")
        : `${count} squadre su ${of}`,
    other: "altra squadra",
    harmless: "Spiegazione innocente:",
    explanations: {
      published: "Molte squadre hanno inviato questa flag: può essere stata pubblicata.",
      passed_on: "Qualcun altro può aver passato la flag, o è stata data alla squadra sbagliata.",
      found_decoy: "Chi guarda dove sta l'esca la trova.",
      shared_source:
        "Una soluzione, un indizio o l'uscita di un programma danno lo stesso testo a chi li usa.",
      file_from_elsewhere: "Il file può essere noto da altrove, o non servire.",
      obvious_order: "Chi va dalle sfide facili alle difficili le risolve nello stesso ordine.",
      campus: "Molte squadre sono state viste in questa rete: un campus, un congresso, un gestore.",
      one_place: "Le squadre di una scuola, un'azienda o una casa condividono la rete.",
    },
    noVerdict: "Sono segnali, non prove. Senti entrambe le squadre prima di decidere.",
    none: "Nessun indizio corrispondente",
    noneYet: "Ancora nessun indizio",
    noneYetNote: "Qui appaiono i segni di flag condivise, ognuno con una spiegazione innocente.",
    more: (count) =>
      `${some(count, "coppia più vecchia non si vede", "coppie più vecchie non si vedono")}.`,
  },

  auditLog: {
    title: "Registro azioni",
    when: "Ora",
    who: "Chi",
    what: "Azione",
    reason: "Motivo",
    undone: (id) => `annullata da #${id}`,
    undoes: (id) => `annulla #${id}`,
    final: "non si può annullare",
    kind: "Categoria",
    kinds: {
      team: "squadre",
      solve: "soluzioni",
      challenge: "sfide",
      event: "evento",
      notice: "avvisi",
      question: "domande",
      evidence: "indizi",
      ...SET_KINDS_IT,
    },
    empty: "Nessuna azione corrispondente",
    erased: "cancellato",
  },

  challenges: {
    title: "Sfide",
    name: "Sfida",
    category: "Categoria",
    state: "Visibilità",
    states: {
      shown: "Visibile",
      from_start: "Dall'inizio",
      waits: "In attesa di un requisito",
      timed: "Programmata",
      hidden: "Nascosta",
    },
    status: "Stato",
    value: "Valore",
    solves: "Soluzioni",
    tries: "Tentativi",
    triedBy: "Squadre che ci provano",
    wrong: "Sbagliate, ultima ora",
    median: "Tempo mediano di soluzione",
    stuck: "Squadre bloccate",
    problems: "Problemi",
    problemsOf: (count) => some(count, "problema", "problemi"),
    releases: "Ora di pubblicazione",
    closes: "Ora di chiusura",
    firstSolve: "Prima soluzione",
    changed: "Ultima modifica",
    stuckTeams: "Squadre bloccate",
    triesOf: (count) => some(count, "tentativo", "tentativi"),
    choose: (name) => `Seleziona ${name}`,
    chosen: (count) => some(count, "selezionata", "selezionate"),
    wave: (count) => `Pubblica ${some(count, "sfida", "sfide")}`,
    clear: "Annulla la selezione",
    flags: "Vedi gli invii",
    empty: "Nessuna sfida corrispondente",
    noneYet: "Ancora nessuna sfida",
    noneYetNote: "Creane una qui, o applica una cartella dell'evento con flagship apply.",
    tabs: "Vista",
    list: "Elenco",
    graph: "Requisiti",
    graphOf: "Grafo dei requisiti",
    graphInWords: "Come testo",
    requires: (names) => `richiede ${names}`,
    noRequirements: "Ancora nessun requisito",
    noRequirementsNote:
      "Una sfida resta bloccata finché la squadra non ha risolto quelle che richiede. Sceglile " +
      "nell'editor della sfida, sotto Requisiti.",
    tryFlag: "Prova una flag",
    tryNote: "Non viene contata né registrata.",
    flag: "Flag",
    tryButton: "Prova",
    right: (flag) => (flag === null ? "Giusta." : `Giusta: corrisponde alla flag ${flag}.`),
    wrongFlag: "Sbagliata.",
    sentBy: (teams, since) =>
      `${some(teams, "squadra l'ha inviata", "squadre l'hanno inviata")} quando era sbagliata` +
      `${since === null ? "" : `, la prima volta alle ${since}`}.`,
  },

  submissions: {
    title: "Invii",
    when: "Ora",
    team: "Squadra",
    challenge: "Sfida",
    verdict: "Esito",
    verdicts: { right: "Giusta", part: "Giusta, una delle richieste", wrong: "Sbagliata" },
    near: "Quasi giusta",
    nears: {
      any: "Qualsiasi",
      case: "maiuscole",
      wrapper: "formato della flag",
      blanks: "spazi",
      form: "più differenze",
      former: "flag precedente",
      elsewhere: "flag di un'altra sfida",
      decoy: "esca",
      team: "flag di un'altra squadra",
    },
    afterEnd: "dopo la fine",
    countsNow: "ora conta",
    sent: "Invii identici",
    sentHint:
      "Quante volte questo testo esatto è stato inviato per questa sfida, e da quante squadre",
    times: (times, teams) =>
      `${some(times, "volta", "volte")} da ${some(teams, "squadra", "squadre")}`,
    from: "Da",
    until: "A",
    network: "Rete",
    text: "Testo",
    list: "Elenco",
    tabs: "Sezioni",
    newer: (count) => some(count, "nuovo invio", "nuovi invii"),
    nearTab: "Quasi giuste",
    exactTeam: "Nome esatto della squadra",
    withdraw: "Ritira la soluzione",
    empty: "Nessun invio corrispondente",
    noneYet: "Ancora nessun invio",
    noneYetNote: "Ogni flag inviata appare qui entro un secondo.",
  },

  overview: {
    title: "Panoramica",
    waits: "Da fare",
    warnings: WARNINGS,
    reveal: "L'evento è finito e la classifica è ancora congelata: rivelala",
    ceremony: "L'evento è finito. La classifica resta congelata fino alla cerimonia",
    startCeremony: "Inizia la cerimonia",
    teamFlag: (count) =>
      count === 1
        ? "Nuovo indizio: una squadra ha inviato la flag di un'altra"
        : `Nuovi indizi: inviata la flag di un'altra squadra, in ${count} coppie di squadre`,
    question: (count) => some(count, "domanda senza risposta", "domande senza risposta"),
    broken: (name) => `${name} è guasta`,
    looked: (name) => `${name} è in verifica`,
    mails: (count) => `${count} e-mail in coda`,
    refused: (count) => some(count, "e-mail rifiutata", "e-mail rifiutate"),
    problems: (count) => some(count, "sfida ha errori", "sfide hanno errori"),
    quiet: "Ancora nessuna attività.",
  },

  messages: {
    title: "Messaggi",
    questions: "Domande",
    notices: "Avvisi",
    states: { open: "Aperta", answered: "Con risposta", closed: "Chiusa" },
    state: "Stato",
    empty: "Nessuna domanda corrispondente",
    noneYet: "Ancora nessuna domanda",
    noneYetNote: "Qui appaiono le domande delle squadre, e un numero accanto a Messaggi le conta.",
    noNotices: "Ancora nessun avviso",
    noNoticesNote: "Un avviso raggiunge subito le pagine aperte di tutti i giocatori.",
    about: (challenge) => `su ${challenge}`,
    unasked: "messaggio degli organizzatori",
    answer: "Risposta",
    urgent: "urgente",
    until: "fino a",
    waits: "programmato",
    withdrawn: "ritirato",
    corrected: "modificato",
  },

  event: {
    title: "Evento",
    start: "Inizio",
    freeze: "Congelamento",
    end: "Fine",
    none: "non impostato",
    extend: (minutes) => `Prolunga di ${minutes} min`,
    extendEndOnly: (minutes) => `Prolunga solo la fine di ${minutes} min`,
    exports: "Esportazioni",
    exportOf: {
      standings: "Classifica",
      solves: "Soluzioni",
      winners: "Vincitori",
      teams: "Squadre",
      challenges: "Sfide",
      flags: "Invii",
      overview: "Metriche",
      evidence: "Indizi",
    },
    line: "Linea del tempo",
    lineNote: (zone) =>
      "Trascina un punto, spostalo di un minuto con le frecce, o inserisci un'ora nel fuso " +
      `dell'evento, ${zone}. Nulla cambia finché non confermi.`,
    now: "adesso",
    noTimes: "Ancora nessun orario impostato.",
    releaseOf: (names) => `Pubblicazione di ${names}`,
    noticeAt: "Avviso",
    moved: "non ancora applicato",
    moveTimes: "Salva questi orari…",
    moveRelease: (name, at) => `${name}: ${at}…`,
    asBefore: "Reimposta tutto",
    faults: {
      end_before_start: "La fine deve essere dopo l'inizio.",
      freeze_before_start: "Il congelamento non può essere prima dell'inizio.",
      freeze_after_end: "Il congelamento non può essere dopo la fine.",
    },
    tabs: "Sezioni dell'evento",
    tabOf: {
      times: "Orari",
      settings: "Impostazioni",
      texts: "Regole e pagine",
      brand: "Aspetto",
      results: "Risultati",
      files: "File",
      people: "Organizzatori",
      commands: "Riga di comando",
    },
    ctftime: "Esportazione per CTFtime",
    ctftimeNote:
      "Un caricamento su CTFtime è definitivo. Questo è il file attuale, dalla vista pubblica.",
    ctftimeHas: (teams, tasks) =>
      `${some(teams, "squadra", "squadre")} e ${some(tasks, "sfida", "sfide")}.`,
    ctftimeFirst: "Prima:",
    ctftimeGood: "Nessun problema trovato.",
    ctftimeFindings: {
      not_started: "L'evento non è ancora cominciato.",
      not_ended: "L'evento è ancora in corso: la classifica può cambiare.",
      frozen: "La classifica è congelata: mancano le soluzioni successive. Prima rivelala.",
      no_teams: "Il file non contiene squadre.",
      no_scores: "Nessuna squadra ha punti.",
      same_name: "Due squadre hanno nomi quasi identici: CTFtime può unirle.",
      order: "Le posizioni non seguono l'ordine dei punti.",
      shape: "Il file non è nel formato di CTFtime.",
    },
    ctftimeFile: "ctftime.json",
    checkAgain: "Controlla di nuovo",
    files: "Modifiche dal vivo dopo l'ultima applicazione dei file",
    filesNote: "Non sono ancora nella cartella dell'evento. Aprine una per vederla.",
    filesSame: "Nessuna modifica dal vivo",
    changedBy: "modificata da",
    madeLive: "(creata dal vivo; non ancora nella cartella dell'evento)",
    came: "aggiunto:",
    went: "rimosso:",
    winners: "Vincitori",
    winnersTop: "Numero di squadre",
    winnersTopFault: "Un numero intero da 1 a 9999",
    winnersStudents: "Solo squadre di studenti",
    exportsNote: "Per Excel e LibreOffice usa XLSX. I file CSV sono in UTF-8, separati da virgole.",
    winnersShow: "Mostra i vincitori e gli indirizzi e-mail",
    winnersNone: "Nessuna squadra corrispondente ha ancora risolto una sfida.",
    journal: "Registro pubblico",
  },
};
