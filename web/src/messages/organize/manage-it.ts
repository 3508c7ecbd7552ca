/** Italian messages of the Event and account pages: layout, checks, commands and roles. */
import type { ManageMessages } from "./manage-en";

export const manageIt: ManageMessages = {
  outline: "In questa pagina",
  chooseFile: "Scegli un file",
  replaceFile: "Sostituisci il file",
  unsaved: (count) => (count === 1 ? "1 modifica non salvata" : `${count} modifiche non salvate`),
  nothingToSave: "Nessuna modifica da salvare",
  theyChanged: "Qualcun altro ha salvato nel frattempo. I tuoi valori restano:",
  was: (label, before, now) => `${label}: ${before} → ${now}`,
  groups: {
    signup: ["Nuove squadre", "Chi può iscriversi, e quando."],
    places: ["Numero di squadre", "Posti per le squadre, e lista d'attesa."],
    addresses: ["Indirizzi e-mail", "Indirizzi con cui ci si può iscrivere o verso cui cambiare."],
    passwords: ["Password", "Per le password nuove e cambiate."],
    names: ["Nomi", "Nomi delle squadre e dei loro membri."],
    questions: ["Domande", "Poste alla registrazione. Solo gli organizzatori vedono le risposte."],
    flags: ["Flag", "Quante flag sbagliate si possono inviare."],
    accounts: ["Account", "Iscrizioni e accessi falliti."],
    mails: ["Email", "Protegge gli indirizzi e il tuo server di posta."],
    networks: ["Reti", "Reti senza limiti, e proxy di cui valgono gli indirizzi dei client."],
    kept: ["Conservazione", "Dati registrati delle squadre, e per quanto tempo."],
  },
  signupFields: {
    label: (number) => `Domanda ${number}`,
    id: (number) => `ID della domanda ${number}, per le esportazioni`,
    type: (number) => `Risposta alla domanda ${number}`,
    types: { text: "Una riga di testo", choice: "Una fra più", consent: "Consenso (casella)" },
    choices: (number) => `Scelte della domanda ${number}, separate da punti e virgola`,
    required: (number) => `La domanda ${number} è obbligatoria`,
    remove: (number) => `Rimuovi la domanda ${number}`,
    add: "Aggiungi una domanda",
  },
  codes: {
    title: "Codici d'iscrizione",
    note: "Ogni codice vale per un certo numero di squadre, se le iscrizioni usano codici.",
    object: "codici d'iscrizione",
    make: "Crea codici",
    none: "Ancora nessun codice",
    code: "Codice",
    label: "Etichetta",
    uses: "Squadre",
    usesOf: (used, uses) => `${used} di ${uses}`,
    made: "Creato",
    revoked: "Revocato",
    revoke: "Revoca",
    revokeOf: (code) => `Revoca ${code}`,
    copy: (count) => (count === 1 ? "Copia 1 codice valido" : `Copia ${count} codici validi`),
  },
  divisions: {
    title: "Divisioni",
    note: "Definite in event.toml. Una squadra è al più in una divisione di ogni gruppo.",
    name: "Nome",
    nameOf: ({ name, private: isPrivate }) => (isPrivate ? `${name} (privata)` : name),
    id: "ID",
    group: "Gruppo",
    join: "Le squadre entrano",
    joins: {
      open: "liberamente",
      code: "con un codice",
      domain: "con un indirizzo e-mail di",
      organizers: "solo tramite gli organizzatori",
    },
    teams: "Squadre",
    one: "Divisione",
    all: "Tutte le squadre",
    loading: "Caricamento delle divisioni…",
  },
  more: "Altre impostazioni",
  moreNote: "Salvate dai passi della preparazione, che puoi riaprire in ogni momento.",
  openStep: (step) => `Apri: ${step}`,
  open: "Apri",

  brand: {
    head: "Nome e colori",
    headNote: "La riga sotto il nome dell'evento, e il colore di pulsanti e link.",
    pictures: "Immagini",
    picturesNote: "SVG, PNG, JPEG, WebP o GIF. Ognuna ha un'immagine predefinita.",
    font: "Carattere",
    fontNote: "Solo per i titoli. Il testo resta in Inter.",
    links: "Link",
    linksNote: "A piè di pagina, con microblog e chat.",
    sponsors: "Sponsor",
    sponsorsNote: "Nella pagina iniziale, raggruppati per livello.",
    preview: "Anteprima",
    previewNote: "I giocatori la vedono dopo il salvataggio.",
    light: "Tema chiaro",
    dark: "Tema scuro",
    example: "Premi play per giocare",
    contrast: (theme, ratio, verdict) => `${theme}: contrasto ${ratio}:1, ${verdict}`,
    good: "ben visibile",
    enough: "sufficiente",
    low: "troppo basso; serve 3:1",
  },

  times: {
    ahead: (time) => `tra ${time}`,
    ago: (time) => `${time} fa`,
    now: "adesso",
    waves: "In programma",
    more: "Altri modi di prolungare",
    modes: { auto: "mostra il risultato", manual: "aspetta la cerimonia" },
    backup: "Backup",
  },

  results: {
    reveal: "Rivelazione",
    revealNote: {
      later: (time) =>
        `Da ${time} i giocatori vedono una classifica congelata fino alla rivelazione. Puoi già ` +
        "provare la cerimonia.",
      frozen:
        "La classifica è congelata. La cerimonia mostra le soluzioni nascoste posto per posto, e " +
        "alla fine pubblica la classifica finale. «Rivela la classifica» la pubblica subito.",
      done: "La classifica finale è pubblica.",
    },
    ceremony: "Apri la cerimonia",
    rehearse: "Prova la cerimonia",
    format: "Formato",
    download: "Scarica",
    downloadOf: (what, format) => `Scarica ${what} in ${format}`,
    contents: {
      standings: "Posizione, squadra, paese e punti",
      solves: "Ogni soluzione con la sua ora",
      teams: "Tutte le squadre con il loro stato; senza indirizzi email",
      challenges: "Valore, soluzioni, tentativi e stato",
      overview: "Misure e avvisi di questo nodo",
      flags: "Ogni invio con il suo esito; senza testi",
      evidence: "Indizi di flag condivise, ognuno con una spiegazione innocente",
      teamFlags: "La flag di ogni squadra per una sfida con flag per squadra",
    },
    teamFlags: "Flag delle squadre",
    teamFlagsOf: "Sfida delle flag delle squadre",
    noTeamFlags: "Questa sfida non ha flag per squadra.",
    journal: "Registro pubblico",
    journalNote:
      "Ogni soluzione in una catena firmata, che chiunque può verificare. Pubblicalo con i " +
      "risultati.",
    journalLater: "Disponibile dopo la fine e la rivelazione.",
    winnersNote: "Per i premi. Gli indirizzi email richiedono un codice dell'app.",
    archive: "Archivio",
    archiveNote: "Tutto l'evento in un file, da conservare o ripristinare altrove.",
  },

  files: {
    object: "Modifica",
    times: "Orari dell'evento",
    by: "Di",
    when: "Quando",
    lines: (added, removed) => `+${added} −${removed}`,
    show: (name) => `Mostra le modifiche di ${name}`,
    sameNote: "La cartella dell'evento e il sito coincidono.",
    edited: (count) => (count === 1 ? "1 modifica dal vivo" : `${count} modifiche dal vivo`),
    commands: "Comandi",
    commandsNote: "Eseguili in una shell, dove si trova la cartella dell'evento.",
  },

  people: {
    name: "Nome",
    roles: "Ruoli",
    factor: "Secondo fattore",
    factorOn: "attivo",
    login: "Ultimo accesso",
    noLogin: "non nelle ultime 12 ore",
    pending: "invito in attesa",
    sessions: "Sessioni",
    tokens: "Token API",
    actionsOf: (name) => `Azioni per ${name}`,
    roleNotes: {
      observer: "Vede la vista pubblica con i conteggi. Non modifica nulla.",
      author: "Scrive le sfide scelte e ne vede gli invii. Nessun'altra sfida.",
      support:
        "Aiuta le squadre: risposte, messaggi, indirizzi email, email di reimpostazione, nomi, " +
        "stato delle sfide. Niente esclusioni, punti, codici di reimpostazione o avvisi.",
      organizer: "Gestisce l'evento: sfide, squadre, orari, rivelazione; legge le impostazioni.",
      owner: "Tutto, anche organizzatori, impostazioni, segreti, backup e dati personali.",
    },
  },

  account: {
    permissions: (count) => `I tuoi permessi (${count})`,
    topics: {
      account: "Il tuo account",
      organizer: "Persone",
      event: "Evento",
      settings: "Impostazioni",
      mail: "Email",
      brand: "Aspetto",
      page: "Pagine",
      challenge: "Sfide",
      file: "File",
      flag: "Flag",
      solve: "Soluzioni",
      evidence: "Indizi",
      team: "Squadre",
      notice: "Avvisi",
      question: "Domande",
      answers: "Risposte salvate",
      action: "Registro delle azioni",
      list: "Esportazioni",
      privacy: "Dati personali",
    },
    other: "Altro",
  },

  commands: {
    checks: "Controlli",
    checksNote:
      "La parte di flagship doctor che non richiede una shell: registro, registro delle azioni, " +
      "server di posta, indirizzo, disco e orologio. Non modifica nulla e non invia email.",
    run: "Esegui i controlli",
    runAgain: "Ripeti",
    running: "Controllo…",
    sound: "Nessun problema.",
    warnings: (count) => `Nessun problema, ${count === 1 ? "1 avviso" : `${count} avvisi`}.`,
    problems: (count) => (count === 1 ? "1 problema." : `${count} problemi.`),
    states: { ok: "ok", warning: "avviso", problem: "problema" },
    found: {
      journal_intact: (detail) => `Registro: ${detail} voci, catena intatta`,
      journal_altered: (detail) => `Registro: modificato da un altro programma (${detail})`,
      audit_log_intact: (detail) => `Registro delle azioni: ${detail} azioni, non modificato`,
      audit_log_altered: (detail) => `Registro delle azioni: modificato (${detail})`,
      mail_ready: (detail) => `Email: ${detail} risponde`,
      mail_to_files: () => "Email: scritte in file sul server, non inviate",
      mail_never_sent: () =>
        "Email: scritte in file, quindi le squadre non ricevono il link di conferma. " +
        "Configura SMTP",
      mail_unreachable: (detail) => `Email: ${detail}`,
      site_https: (detail) => `Indirizzo: ${detail} è protetto da TLS`,
      site_local: (detail) => `Indirizzo: ${detail} funziona solo su questa macchina`,
      site_plain: (detail) => `Indirizzo: ${detail} non usa TLS. Usa https`,
      proxies_trusted: (detail) => `Proxy: ${detail} fidati`,
      proxies_missing: () =>
        "Proxy: nessuno è fidato, quindi tutti i giocatori condividono i limiti di una rete. " +
        "Indica il proxy nei limiti",
      certificate_valid: (detail) =>
        detail === ""
          ? "Certificato TLS: non c'è ancora"
          : `Certificato TLS: valido fino a ${detail}`,
      certificate_fails: (detail) =>
        detail === ""
          ? "Certificato TLS: non ottenuto. Il log del server mostra il motivo"
          : `Certificato TLS: non rinnovato, valido fino a ${detail}. Il log del server mostra ` +
            "il motivo",
      disk_free: (detail) => `Disco: ${detail} MiB liberi`,
      disk_low: (detail) => `Disco: solo ${detail} MiB liberi. Libera spazio`,
      disk_unknown: () => "Disco: spazio libero sconosciuto",
      clock_steady: () => "Orologio: stabile",
      clock_jumped: (detail) => `Orologio: l'orologio di sistema è saltato di ${detail} s`,
      backup_made: (detail) => `Backup: l'ultimo ${detail}`,
      backup_missing: () => "Backup: ancora nessuno",
    },
    shell: "Solo sul server",
    shellNote:
      "Richiedono file della macchina, o un server fermo. Eseguili in una shell sulla macchina.",
    console: "Anche nella console",
    consoleNote: "Ogni pagina, e i comandi che fanno lo stesso.",
    groups: {
      folder: { title: "Cartella dell'evento", note: "I file sono sulla tua macchina." },
      server: { title: "Server", note: "Avviano il server, o richiedono la sua macchina." },
      scripts: { title: "Script e shell", note: "Per i programmi, e per la tua shell." },
    },
    copyOf: (command) => `Copia ${command}`,
    copied: (command) => `Copiato: ${command}`,
    purposes: {
      serve: "Avvia il server. Questa pagina esiste solo mentre è in funzione.",
      init: "Crea una cartella dell'evento da un modello.",
      check: "Controlla i file dell'evento riga per riga.",
      apply: "Applica i file dell'evento, dopo aver mostrato che cosa cambia.",
      pull: "Riporta le modifiche dal vivo nei file dell'evento, con commenti e ordine.",
      restore: "Ripristina un backup in una cartella vuota, su cui nessun server è attivo.",
      rehearse:
        "Prova di carico su una copia temporanea, con giocatori simulati. Le serve tutta la " +
        "macchina.",
      doctor:
        "Controlla anche i permessi dei file, il segreto e gli upload attraverso il proxy. Il " +
        "resto è tra i controlli.",
      health: "Controlla che il server risponda, per i controlli dei container.",
      action: "Esegue un'azione qualsiasi per nome, per gli script. Qui ognuna è un pulsante.",
      completions: "Stampa i completamenti per la tua shell, dove si usa la riga di comando.",
      openapi: "Stampa la descrizione dell'API, per chi programma.",
      "attachments move":
        "Sposta gli allegati in una cartella, nel database o in un bucket. Prima ferma i server.",
      "pass verify": "Mostra la squadra e la sfida di un pass di squadra.",
      "pass secret":
        "Stampa la chiave con cui il servizio di una sfida calcola le flag delle squadre.",
      "journal head":
        "Stampa la testa del registro, per verificare in seguito una copia. Conservala altrove.",
    },
  },
};
