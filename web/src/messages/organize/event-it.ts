/** Italian messages of the Event page: settings, rules, pages and branding. */
import type { EventMessages } from "./event-en";

type Words = Readonly<Record<string, string>>;

export const SET_VERBS_IT: Words = {
  "answers.set": "Salva",
  "brand.set": "Salva",
  "event.rules": "Salva le regole di",
  "page.remove": "Elimina",
  "page.set": "Salva",
  "settings.set": "Salva",
};

export const SET_ACTIONS_IT: Words = {
  "answers.set": "Salva le risposte",
  "brand.set": "Salva l'aspetto",
  "event.rules": "Salva le regole",
  "page.remove": "Elimina la pagina",
  "page.set": "Salva la pagina",
  "settings.set": "Salva le impostazioni",
};

export const SET_HINTS_IT: Words = {
  "event.rules":
    "I giocatori vedono subito le nuove regole. Pubblica un avviso per dire che cosa è cambiato.",
  "settings.set": "Vale subito, su tutti i nodi.",
};

export const SET_KINDS_IT: Words = {
  settings: "impostazioni",
  brand: "aspetto",
  page: "pagine",
  answers: "risposte salvate",
};

export const eventIt: EventMessages = {
  labels: {
    open: "Iscrizioni aperte",
    opens: "Apertura",
    closes: "Chiusura",
    max_teams: "Numero massimo di squadre",
    waiting_list: "Lista d'attesa",
    email_domains: "Domini e-mail ammessi",
    codes: "Codici d'iscrizione",
    fields: "Domande all'iscrizione",
    confirm_email: "Richiedi la conferma dell'e-mail",
    student_label: "Etichetta della casella per studenti",
    password_min: "Lunghezza minima della password",
    refuse_common_passwords: "Rifiuta le password comuni",
    reserved_names: "Nomi di squadra riservati",
    members_max: "Numero massimo di componenti per squadra",
    local_addresses: "Accetta indirizzi e-mail locali",
    trusted_networks: "Reti fidate",
    trusted_proxies: "Proxy fidati",
    submissions_per_challenge_per_10_s: "Flag sbagliate per sfida, ogni 10 secondi",
    submissions_per_team_per_minute: "Flag sbagliate per squadra, al minuto",
    signups_per_network_per_hour: "Iscrizioni per rete, all'ora",
    failed_logins_per_team_per_minute: "Accessi falliti per squadra, al minuto",
    mails_per_address_per_hour: "E-mail di un tipo per indirizzo, all'ora",
    mails_per_hour: "Tutte le e-mail, all'ora",
    sightings_days: "Giorni dopo la fine in cui si conservano le reti delle squadre",
    keep_wrong_texts: "Conserva i testi delle flag sbagliate fino alla fine",
    banner: "Riga sotto il nome dell'evento",
    accent: "Colore d'accento",
    accent_dark: "Colore d'accento, tema scuro",
    microblog: "URL del microblog",
    chat: "URL della chat",
    links: "Link a piè di pagina",
    sponsors: "Sponsor",
    logo: "Logo",
    logo_dark: "Logo, tema scuro",
    favicon: "Icona della scheda",
    hero: "Immagine della pagina iniziale",
    preview: "Immagine di anteprima dei link",
    heading_font: "Carattere dei titoli",
    text: "Contenuto",
    place: "Posizione del link",
    position: "Ordine",
    slug: "Slug nell'URL",
    answers: "Risposte salvate",
  },
  hints: {
    opens: "Lascia vuoto per non avere un'ora di apertura.",
    closes: "Lascia vuoto per non avere un'ora di chiusura.",
    max_teams:
      "0 per nessun limite. Le squadre importate contano; quelle nascoste o escluse no. " +
      "Un'iscrizione non ancora confermata occupa un posto.",
    waiting_list:
      "Quando l'evento è al completo, le squadre possono iscriversi e attendere un posto.",
    email_domains:
      "Uno per riga, come studenti.example.org; i sottodomini non sono inclusi. Lascia vuoto per " +
      "ammetterli tutti.",
    student_label: "Lascia vuoto per il testo predefinito, sugli studenti del Polito.",
    reserved_names: "Uno per riga; anche i nomi simili sono rifiutati.",
    members_max: "Per i premi. 0 per non chiederli.",
    local_addresses: "Come w@localhost; per un evento senza internet.",
    trusted_networks:
      "Una per riga, come 10.0.0.0/8, per un campus dietro un solo indirizzo. Esenti dai limiti " +
      "per rete.",
    trusted_proxies: "Uno per riga. L'indirizzo del client viene accettato solo da questi proxy.",
    sightings_days: "0 per non registrarle.",
    keep_wrong_texts:
      "Visibili solo a titolari e organizzatori, e annunciati nella pagina delle regole. Un " +
      "testo che contiene una flag non viene mai conservato.",
    accent:
      "Come #0077cc. Senza un colore per il tema scuro, deve avere contrasto in entrambi i temi.",
    accent_dark: "Facoltativo. Allora ogni colore deve avere contrasto solo nel proprio tema.",
    logo: "Sostituisce il nome nella barra. SVG, PNG, JPEG, WebP o GIF, fino a 512 KiB.",
    logo_dark: "Facoltativo.",
    favicon: "Fino a 512 KiB.",
    hero: "Dietro al nome dell'evento, larga come la pagina. Meglio 2400 per 1200; fino a 2 MiB.",
    preview: "Meglio 1200 × 630. Fino a 2 MiB, non SVG.",
    heading_font: "Un carattere personalizzato è un file WOFF2 fino a 512 KiB.",
    position: "Un numero; vuoto significa in fondo",
    slug: "Lettere minuscole, cifre e trattini",
  },
  choices: { none: "Non usati", optional: "Facoltativi", required: "Obbligatori" },
  sections: { registration: "Iscrizione", limits: "Limiti di frequenza", privacy: "Privacy" },
  notes: {
    registration: "Chi può iscriversi, e come.",
    limits: "Limiti contro tentativi a caso e abusi. 0: nessun limite; vuoto: valore predefinito.",
    privacy: "Per quanto tempo si conservano i dati personali.",
  },
  owners: "Solo i titolari possono cambiarle.",
  fixed: "Impostato in event.toml: cambialo lì.",
  fixedPage: "Impostata nella cartella dell'evento: cambiala lì.",
  number: (least, most) => `Un numero intero da ${least} a ${most}`,
  becomes: (label, before, after) => `${label}: ${before} → ${after}`,
  nothing: "vuoto",
  some: (count) => (count === 1 ? "1 voce" : `${count} voci`),
  otherText: "nuovo testo",
  otherFile: "nuovo file",

  texts: "Regole e pagine",
  rules: "Regole",
  rulesNote:
    "Markdown. Si compilano {start}, {end}, {freeze}, {length}, {flag_format}, {max} e {min}.",
  rulesFromFiles:
    "Le regole vengono da rules.md. Un testo qui le sostituisce finché non si applicano i file.",
  newPage: "Nuova pagina",
  pageNote: "Markdown, che comincia con il titolo: # Chi siamo",
  pageTemplate: "# ",
  places: { navigation: "nella navigazione", footer: "a piè di pagina" },
  slugWrong: "Usa da 1 a 40 lettere minuscole, cifre e trattini.",
  slugTaken: "Un'altra pagina ha già questo slug.",
  gone: "Pagina non trovata.",
  open: "Apri la pagina",
  preview: "Anteprima",
  currentRules: "Regole attuali",
  previewNothing: "Inizia a scrivere per vedere l'anteprima.",
  previewErrors: "Correggi gli errori per vedere l'anteprima.",

  brand: "Aspetto",
  brandNote: "Logo, colori, link e sponsor. Vale subito, su tutti i nodi.",
  linkName: (number) => `Nome del link ${number}`,
  linkAddress: (number) => `URL del link ${number}`,
  removeLink: (number) => `Elimina il link ${number}`,
  addLink: "Aggiungi un link",
  sponsorName: (number) => `Nome dello sponsor ${number}`,
  sponsorAddress: (number) => `URL dello sponsor ${number}`,
  sponsorTier: (number) => `Livello dello sponsor ${number}`,
  sponsorLogo: (number) => `Logo dello sponsor ${number}`,
  removeSponsor: (number) => `Elimina lo sponsor ${number}`,
  addSponsor: "Aggiungi uno sponsor",
  pick: (name) => `Scegli il file: ${name}`,
  chosen: "Nuovo file, non ancora salvato",
  present: "File impostato",
  absent: "Nessun file",
  remove: "Elimina",
  removeFile: (name) => `Elimina ${name}`,
  sending: "Caricamento…",
  fonts: { inter: "Inter (carattere del testo)", mono: "JetBrains Mono" },
  ownFont: "Carattere personalizzato",

  answers: "Risposte salvate",
  answersNote: "Disponibili quando rispondi a una domanda. Comuni a tutti gli organizzatori.",
  answerTitle: (number) => `Titolo della risposta ${number}`,
  answerText: (number) => `Testo della risposta ${number}`,
  removeAnswer: (number) => `Elimina la risposta ${number}`,
  addAnswer: "Aggiungi una risposta",
  insertAnswer: "Inserisci una risposta salvata",
  answerLacks: "Ogni risposta richiede un titolo e un testo.",
  answerName: (number) => `Risposta ${number}`,
  noAnswers: "Ancora nessuna risposta salvata",
  noAnswersNote: "Salva le risposte che scrivi spesso, e inseriscile nelle prossime.",
};
