/** Italian messages and translations of the server's sentences, in their own chunk. */
import type { Messages } from "./en";
import { ERRORS } from "./it-errors";
import { translator } from "./translate";

function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString("it-IT")} ${number === 1 ? one : many}`;
}

const EMAIL_CHANGE_REQUESTED =
  "We sent a confirmation link, unless that address received too many in the last hour. " +
  "Until it is confirmed, emails go to your current address.";
const EMAIL_CHANGE_CANCELED =
  "The change was canceled, and this is still your team's email address. " +
  "All sessions were logged out. Set a new password now.";

/** Sentences without a code, by their English text. */
export const SENTENCES: Readonly<Record<string, string>> = {
  // The client's own errors.
  "error in parsing response": "errore nella lettura della risposta",
  "error, API connection failed": "errore, connessione all'API non riuscita",
  "A proxy in front of the server rejected the request because it is too large.":
    "Un proxy davanti al server ha rifiutato la richiesta: " +
    "è troppo grande per le sue impostazioni.",
  "The captcha could not be loaded.": "Non è stato possibile caricare il captcha.",
  "Your browser rejected the session cookie. Open the site over https:// and log in again.":
    "Il browser non ha conservato l'accesso: apri il sito in https e accedi di nuovo.",
  "Your session has ended, possibly in another tab. Log in again; any flag you typed is kept.":
    "La tua sessione è finita, forse in un'altra scheda. Accedi di nuovo: una flag già scritta è " +
    "conservata.",
  // The server's successes.
  "Team created, check your email for a verification link!":
    "Squadra creata, controlla la tua e-mail: c'è un link di verifica!",
  "Team created, you can log in now!": "Squadra creata, ora puoi accedere!",
  "Your team is on the waiting list, check your email for a verification link!":
    "La squadra è in lista d'attesa, controlla la tua e-mail: c'è un link di verifica!",
  "Your team is on the waiting list. We will send an email when it gets a place.":
    "La squadra è in lista d'attesa. Ti scriveremo quando avrà un posto.",
  "Email confirmed. Your team is on the waiting list and gets an email when it has a place.":
    "Il tuo indirizzo è confermato. La squadra è in lista d'attesa: ti scriveremo quando " +
    "avrà un posto.",
  "Your team is confirmed. You can now log in.": "La tua squadra è confermata. Ora puoi accedere.",
  "Password changed. You can now log in.": "La nuova password è impostata. Ora puoi accedere.",
  "If an unconfirmed team uses this address, we sent it a new link.":
    "Se una squadra con questo indirizzo lo aspetta, un nuovo link è in arrivo.",
  "If a team uses this address, we sent it a reset link.":
    "Se questo indirizzo ha una squadra, un link per una nuova password è in arrivo.",
  "Password changed. All other sessions of your team were logged out.":
    "La nuova password è impostata. Chiunque altro fosse collegato come la tua squadra è " +
    "disconnesso.",
  [EMAIL_CHANGE_REQUESTED]:
    "Un link è in arrivo, a meno che nell'ultima ora non ne siano già partiti molti per quell'" +
    "indirizzo. La posta arriva all'indirizzo attuale.",
  "Your team's emails now go to this address.":
    "Da ora la posta della tua squadra arriva a questo indirizzo.",
  [EMAIL_CHANGE_CANCELED]:
    "Il cambio è fermato: questo è l'indirizzo della tua squadra. Tutti sono disconnessi. " +
    "Imposta ora una nuova password.",
  "Saved.": "È salvato.",
  "We sent a new link to this address.": "Un nuovo link è in arrivo a questo indirizzo.",
  // The example event.
  "My team is fully composed of polito students. (optional)":
    "La mia squadra è composta solo da studenti del Polito. (facoltativo)",
};

export const it: Messages = {
  locale: "it-IT",
  translate: translator({
    errors: ERRORS,
    sentences: SENTENCES,
    chunkFailed: (name) => `Caricamento del blocco ${name} non riuscito`,
  }),

  navigation: {
    main: "Principale",
    scoreboard: "Classifica",
    challenges: "Sfide",
    rules: "Regole",
    login: "Accedi",
    signup: "Iscriviti",
    logout: "Esci",
    more: "Altro",
    skip: "Vai al contenuto",
    organizers: "Organizzatori",
    organizersIn: "Le pagine degli organizzatori sono solo in inglese e in italiano.",
  },
  brand: { sponsors: "Sponsor", more: "Altro sull'evento" },
  settings: {
    title: "Preferenze",
    language: "Lingua",
    theme: "Tema",
    themes: { auto: "Come il dispositivo", dark: "Scuro", light: "Chiaro" },
    zone: "Orari",
    zones: { mine: "Il mio fuso orario", event: (zone) => `Quello dell'evento: ${zone}` },
    keys: "Scorciatoie da tastiera",
  },
  keys: {
    sheet: "Mostra le scorciatoie",
    home: "Pagina iniziale",
    go: "Vai a",
    here: "In una pagina",
    search: "Cerca nella pagina",
    move: "Sfida successiva o precedente",
    file: "Primo file della sfida aperta",
    open: "Apri",
    close: "Chiudi",
    letters: "Scorciatoie di un solo tasto",
    lettersHint: "Disattivale se disturbano la dettatura o la scrittura.",
  },
  notification: { dismiss: "Chiudi" },
  waitingFlag: {
    waits: (challenge) =>
      `Sei offline. La tua flag per ${challenge} parte quando torna la connessione.`,
    cancel: "Annulla",
  },
  statusBanner: {
    unknown: null,
    not_started: "CTF non iniziata",
    running: null,
    frozen: "Classifica congelata",
    ended: "CTF terminata",
  },
  freezeNote: {
    untilTime: (time) => `fino alle ${time}`,
    untilReveal: "finché gli organizzatori non lo rivelano",
    team: (until) =>
      `Ciò che le altre squadre risolvono è nascosto ${until}. ` +
      "Le vostre soluzioni contano ancora e le vedete.",
    visitor: (until) => `Ciò che le squadre risolvono ora è nascosto ${until}. Conta ancora.`,
    ended:
      "La classifica è ancora congelata. Gli organizzatori mostreranno la graduatoria completa.",
    ownRank:
      "La vostra posizione e i vostri punti contano le vostre soluzioni sigillate, " +
      "ma non quelle nascoste degli altri.",
  },
  clock: {
    left: (time) => `${time} alla fine`,
    untilStart: (time) => `Inizia tra ${time}`,
    untilFreeze: (time) => `congelata tra ${time}`,
    days: (number) => `${number} g`,
  },
  live: {
    online: "In diretta",
    connecting: "Connessione in corso",
    offline: (time) => `Offline: classifica delle ${time}, nuovo tentativo in corso`,
    paused: "Diretta sospesa; la classifica si aggiorna ogni mezzo minuto",
  },
  loading: {
    graph: "Caricamento del grafico",
    team: "Caricamento della squadra",
    page: "Caricamento della pagina",
    challenges: "Caricamento delle sfide",
    scoreboard: "Caricamento della classifica",
    rules: "Caricamento delle regole",
  },
  problem: {
    nothingHere: "Qui non c'è nulla",
    leadsNowhere: "Questo indirizzo non porta da nessuna parte.",
    toHome: "Alla pagina iniziale",
    pageBroke: "Qualcosa è andato storto",
    connectionDown: "Controlla la connessione a Internet.",
    offline:
      "Sei offline e questa pagina non è ancora stata caricata. " +
      "Si apre quando torna la connessione.",
    stillDown: "Ancora nessuna connessione.",
    back: "Indietro",
    ourFault: "È colpa nostra, non tua.",
    slow: "Sta richiedendo più tempo del solito.",
    retry: "Riprova",
  },

  divisions: {
    title: "Divisioni",
    all: "Tutte le squadre",
    firsts: "Prime soluzioni",
    challenge: "Sfida",
    event: "Tutto l'evento",
    unknown: "Questa divisione non esiste.",
    code: (name) => `Codice per ${name}`,
    note: "Puoi cambiarlo fino all'inizio.",
    save: "Salva le divisioni",
  },
  home: {
    titleDefault: "Capture the flag",
    notSetUp: "L'evento non è ancora pronto. Torna più tardi.",
    untilStart: "Tempo che manca all'inizio",
    units: { days: "giorni", hours: "ore", minutes: "minuti", seconds: "secondi" },
    timeLeft: ({ days, hours, minutes }) =>
      `Mancano ${count(days, "giorno", "giorni")}, ${count(hours, "ora", "ore")} e ` +
      `${count(minutes, "minuto", "minuti")}.`,
    play: "Premi play per gareggiare.",
    ended: "La CTF è terminata.",
    frozenScoreboard: "Vedi la classifica",
    finalScoreboard: "Vedi la classifica finale",
    signUp: "Iscrivi la tua squadra",
    calendar: "Aggiungila al calendario",
    standing: "La tua squadra",
    rank: (rank, teams) => `${rank}ª su ${count(teams, "squadra", "squadre")}`,
    continue: "Continua",
    firstTime: "Mai giocato?",
    steps: (flag) => [
      "Apri una sfida: ha un compito, a volte con file o un indirizzo.",
      flag === null
        ? "Da qualche parte c'è una flag, un testo segreto. Trovala."
        : `Da qualche parte c'è una flag, un testo come ${flag}. Trovala.`,
      "Scrivi la flag nella sfida. Se è giusta, i punti sono della tua squadra.",
    ],
    stepTitles: ["Iscrivetevi", "Trovate le flag", "Scalate la classifica"],
    shareAccount: "Tutta la squadra usa un solo account e la sua password.",
    riddle: {
      title: "Prova subito",
      prompt: "Qualcuno ha spostato ogni lettera di 13:",
      flag: "Flag dell'indovinello",
      solved: "Era la tua prima.",
      signUp: "Iscriviti",
    },
    figures: "L'evento in cifre",
    challengeCount: (number) => count(number, "sfida", "sfide"),
    solveCount: (number) => count(number, "soluzione", "soluzioni"),
    firstBloodCount: (number) => count(number, "first blood", "first blood"),
    entrants: (teams, countries) =>
      `${teams === 1 ? "C'è già" : "Ci sono già"} ${count(teams, "squadra", "squadre")} da ` +
      count(countries, "paese", "paesi"),
    latest: "Ultime soluzioni",
    podium: "Podio",
    categories: "Categorie",
    result: (rank, teams, solves) =>
      `${rank}ª su ${teams.toLocaleString("it-IT")}, ${count(solves, "soluzione", "soluzioni")}`,
    social: "Social",
    microblog: "Microblog",
    chat: "Chat",
  },

  rules: {
    title: "Regole",
    keepsWrongTexts:
      "Gli organizzatori possono leggere i testi delle flag sbagliate fino alla fine dell'evento.",
  },

  board: {
    title: "Classifica",
    snapshot: "Estratto della classifica",
    standing: (rank, teams, points) =>
      `Classifica: ${rank}ª su ${teams.toLocaleString("it-IT")}, ` +
      count(points, "punto", "punti"),
    teams: (number) => count(number, "squadra", "squadre"),
    noTeam: "Ancora nessuna squadra.",
    country: "Paese",
    team: "Squadra",
    score: "Punti",
    yourTeam: "(la tua squadra)",
    withSealed: "con le vostre soluzioni sigillate",
    frozenStanding: (points) =>
      `Classifica: ${count(points, "punto", "punti")}, con le vostre soluzioni sigillate`,
    yourTeamLater: "(la tua squadra, con le vostre soluzioni sigillate)",
    speedrunColumn: (name) => `${name}, speedrun`,
    valueColumn: (name, points) => `${name}, ${points} punti`,
    firstBlood: "first blood",
    solved: "risolta",
    solvedInPlace: ["risolta per primi", "risolta per secondi", "risolta per terzi"],
    pages: "Pagine della classifica",
    page: (page) => `Pagina ${page}`,
    pageOf: (page, pages) => `Pagina ${page} di ${pages}`,
    previous: "Precedente",
    next: "Successiva",
    trend: "Andamento",
    trendHint: "posti guadagnati o persi negli ultimi 15 minuti",
    ticks: "Una tacca per sfida; alta e rossa: first blood",
    up: (ranks) => `su di ${ranks}`,
    down: (ranks) => `giù di ${ranks}`,
    podium: "Primi tre",
    ahead: (points) => `${count(points, "punto", "punti")} di vantaggio`,
    behind: (points) => `${count(points, "punto", "punti")} di distacco`,
    level: "a pari punti",
    openPlace: "Ancora libero",
    takesLead: (team) => `${team} passa in testa.`,
    toOwnRow: "Vai alla riga della tua squadra",
    pierEmpty: "Il molo è vuoto. Siate i primi.",
  },

  challenges: {
    overTime: "Soluzioni nel tempo",
    copyLink: "Copia il link",
    linkCopied: "Il link è copiato.",
    title: "Sfide",
    list: "Elenco delle sfide",
    hideCategories: "Nascondi categorie",
    everyHidden: "Ogni categoria è nascosta.",
    atTheStart: "Le sfide compaiono qui all'inizio.",
    none: "Ancora nessuna sfida.",
    points: (number) => `${number} punti`,
    noPointsLeft: "0 punti rimasti",
    solves: (number) => count(number, "soluzione", "soluzioni"),
    locked: "Bloccata",
    solved: "Risolta",
    solvedAt: (time) => `La tua squadra l'ha risolta: ${time}.`,
    solvedNow: (name) => `${name}: risolta.`,
    solveFirst: (names) => `Prima risolvi: ${names}`,
    attachments: "Allegati",
    copyDigest: (file) => `Copia lo SHA-256 di ${file}`,
    connection: "Connessione",
    copyConnection: "Copia la connessione",
    flagOf: (name) => `Flag di ${name}`,
    flag: "flag",
    eventOver: "La CTF è terminata: le flag non sono più accettate.",
    practice: "La CTF è terminata. Potete fare pratica: le flag non contano più.",
    afterEnd: "Dopo la fine",
    practicedAt: (time) => `Risolta dopo la fine: ${time}. Non conta.`,
    submit: "Invia",
    wait: (seconds) => `Attendi ${seconds} s`,
    flagsFound: (found, of) => `${found} flag su ${of}`,
    flagFound: (found, of) => `Giusta, ${found} su ${of}. Trova le altre flag.`,
    attemptsLeft: (left) => (left === 1 ? "1 tentativo rimasto" : `${left} tentativi rimasti`),
    lastAttempt: "È l'ultimo tentativo della tua squadra.",
    lastWrong:
      "Flag sbagliata. La tua squadra non ha più tentativi. Chiedi agli organizzatori se " +
      "qualcosa non funziona.",
    author: (name) => `Di ${name}`,
    tags: "Etichette",
    difficulty: "Difficoltà",
    difficulties: { beginner: "Principiante", easy: "Facile", medium: "Media", hard: "Difficile" },
    wrongFlag: "Flag sbagliata.",
    flagsLookLike: (format) => `Flag sbagliata. Le flag hanno la forma ${format}`,
    wrapperMissing: (format) =>
      `Flag sbagliata: manca ciò che la racchiude. Le flag hanno la forma ${format}`,
    notJudged: {
      ended:
        "La CTF è terminata: questa flag non è stata valutata. Nulla è perso: ciò che la squadra " +
        "ha risolto prima conta. Guarda la classifica.",
      notStarted:
        "La CTF non è ancora iniziata: questa flag non è stata valutata. Nulla è perso: resta " +
        "qui. Inviala di nuovo dopo l'inizio.",
      paused:
        "La CTF è in pausa: questa flag non è stata valutata. Nulla è perso: resta qui. " +
        "Inviala di nuovo quando la CTF riprende.",
      locked:
        "Questa sfida ora è bloccata: questa flag non è stata valutata. Nulla è perso: resta " +
        "qui. Risolvi le sfide richieste, poi inviala di nuovo.",
      closed:
        "Questa sfida non accetta più flag: questa non è stata valutata. Nulla è perso: i vostri " +
        "punti restano. Prova un'altra sfida.",
      gone:
        "Questa sfida è stata ritirata: questa flag non è stata valutata. Nulla è perso: resta " +
        "qui. Prova un'altra sfida o chiedi agli organizzatori.",
      tooFast:
        "Troppe flag sbagliate: questa non è stata valutata. Nulla è perso: resta qui. " +
        "Inviala di nuovo quando il pulsante è pronto.",
      busy:
        "Il server è occupato: questa flag non è stata valutata. Nulla è perso: resta qui. " +
        "Inviala di nuovo tra un momento.",
      noAnswer:
        "Nessuna risposta: forse manca la connessione. Nulla è perso: la flag resta qui. " +
        "Controlla la connessione e inviala di nuovo; una flag giusta conta una volta sola.",
      other: (sentence) =>
        `${sentence} Questa flag non è stata valutata. Nulla è perso: resta qui.`,
    },
  },

  find: {
    search: "Trova una sfida",
    more: "Filtri e ordine",
    show: "Mostra",
    shown: { all: "Tutte", unsolved: "Da risolvere", solved: "Risolte" },
    order: "Ordine",
    orders: {
      place: "Per categoria",
      points: "Prima meno punti",
      solves: "Prima le più risolte",
    },
    everyCategory: "Tutte le sfide",
    noCategory: "Altre",
    progress: (solved, all) => `${solved} su ${all} risolte`,
    none: "Nessuna sfida corrisponde a questi filtri.",
    only: (category) => `Solo ${category}`,
    showAll: "Mostra tutte",
    startHere: "Inizia da qui",
  },

  moment: {
    gained: ({ points, rank, up }) =>
      `+${points.toLocaleString("it-IT")}, ora ${rank}ª${up > 0 ? ` (su di ${up})` : ""}`,
    nobodyFaster: "nessuno è stato più veloce",
    gap: (points, team) => `${points} per raggiungere ${team}`,
    level: (team) => `a pari punti con ${team}`,
    lead: (points, team) => `${points} di vantaggio su ${team}`,
    categoryDone: (category) => `${category}: tutte risolte`,
    unlocked: "Ora aperte:",
    next: "Prossima sfida",
    nothingLeft: "Ora non ci sono altre sfide da risolvere.",
  },
  sealed: {
    untilTime: (time) => `sigillata fino alle ${time}`,
    untilReveal: "sigillata finché gli organizzatori non la rivelano",
    plain: "sigillata",
    upTo: (points) => `fino a ${points}`,
    solvesBefore: (solves) => `${solves} prima del congelamento`,
    gain: (points) => `+ fino a ${points.toLocaleString("it-IT")}`,
    counts: "La vostra soluzione conta. Punti e posizione sono sigillati.",
    frozen: "congelata",
  },

  account: {
    countries: "Tutti i Paesi",
    noCountry: "Nessun Paese ha questo nel nome.",
    team: "Squadra",
    teamName: "Nome della squadra",
    email: "E-mail",
    country: "Paese",
    password: "Password",
    captcha: "Captcha",
    login: "Accedi",
    signup: "Iscriviti",
    noTeamYet: "Ancora senza squadra? Iscriviti",
    forgotPassword: "Password dimenticata?",
    confirmationAgain: "Invia di nuovo l'e-mail di conferma",
    haveTeam: "Già iscritti? Accedi",
    eventOver:
      "La CTF è terminata. Una nuova squadra non può più gareggiare e non è in classifica.",
    eventFull: "L'evento è al completo.",
    waitingOffer:
      "Tutti i posti sono occupati. Potete iscrivervi alla lista d'attesa: se si libera un " +
      "posto, la squadra riceve un'e-mail.",
    waitingButton: "Iscriviti alla lista d'attesa",
    waitingTitle: "La tua squadra è in lista d'attesa",
    waitingConfirm:
      "Prima confermate l'indirizzo e-mail. Poi la squadra partecipa appena si libera un " +
      "posto: vi scriveremo un'e-mail. Fino ad allora non può accedere.",
    waitingNote:
      "Appena si libera un posto, la squadra partecipa e vi scriveremo un'e-mail. Fino ad " +
      "allora non può accedere.",
    registrationClosed: "Le iscrizioni sono chiuse.",
    registrationOpens: (time) => `Apertura delle iscrizioni: ${time}`,
    signupCode: "Codice d'iscrizione",
    optional: (label) => `${label} (facoltativo)`,
    registrationCloses: (time) => `Chiusura delle iscrizioni: ${time}`,
    missing: "Compila questo campo.",
    notEmail: "Inserisci un indirizzo email, come nome@example.org.",
    nameHint: (min, max) => `Da ${min} a ${max} caratteri`,
    nameFault: (min, max) => `Il nome della squadra ha da ${min} a ${max} caratteri.`,
    passwordHint: (min) => `Almeno ${min} caratteri`,
    passwordShort: (min) => `La password ha almeno ${min} caratteri.`,
    passwordLong: (max) => `La password ha al massimo ${max} caratteri.`,
    backToLogin: "Torna all'accesso",
    confirmTitle: "Conferma la tua e-mail",
    confirmNote: "Un clic e la tua squadra è dentro.",
    confirmButton: "Conferma l'e-mail",
    resendTitle: "E-mail di conferma",
    resendButton: "Invia di nuovo",
    forgotTitle: "Password dimenticata",
    forgotButton: "Invia un link per reimpostarla",
    resetTitle: "Nuova password",
    resetButton: "Imposta la password",
    haveCode: "Gli organizzatori mi hanno dato un codice",
    code: "Codice degli organizzatori",
    joinTitle: "Entra con la tua squadra",
    joinNote: "Scegli una password per la squadra. La scheda vale una volta e ti fa accedere.",
    joinCode: "Codice sulla scheda",
    joinButton: "Imposta la password e accedi",
    joinVoid:
      "Questa scheda è già stata usata, è stata sostituita da una più recente o è scaduta. " +
      "Chiedine una nuova agli organizzatori.",
    joinWrong: "Nome della squadra o codice errato, oppure la scheda è già stata usata.",
    checkMailTitle: "Controlla la posta",
    checkMail: (email) =>
      `Un link è in arrivo a ${email}. Aprilo e conferma, e la tua squadra gioca.`,
    checkMailNote: "Vale 24 ore. Se non arriva, guarda nella posta indesiderata.",
    otherAddress: "Usa un altro indirizzo",
    otherAddressButton: "Invia il link lì",
    createdTitle: "La squadra è pronta",
    lastStep: "Manca un passo: scrivi la password della squadra.",
    stopTitle: "Tieni il tuo indirizzo",
    stopNote:
      "L'indirizzo della tua squadra sta cambiando. Se non sei stato tu, ferma il cambio: " +
      "questo resta il suo indirizzo e tutti vengono disconnessi.",
    stopButton: "Ferma il cambio",
    stopMissing: "Apri il link che trovi nella mail sul tuo indirizzo.",
  },

  own: {
    title: "La tua squadra",
    loading: "Caricamento dell'account della squadra",
    publicPage: "Guarda la squadra come la vedono tutti",
    progress: "Progressi",
    emailWaits: (email) =>
      `Un link è stato inviato a ${email}. Finché non viene aperto, la posta arriva ` +
      "all'indirizzo qui sopra.",
    newEmail: "Nuova e-mail",
    emailNote:
      "Un link di conferma arriva al nuovo indirizzo. L'indirizzo attuale viene avvisato e per " +
      "un giorno può annullare il cambio.",
    changeEmail: "Invia un link alla nuova e-mail",
    presentPassword: "Password attuale",
    passwordNote:
      "Chiunque altro sia collegato come la tua squadra viene disconnesso, e i link nelle " +
      "e-mail scadono.",
    changePassword: "Cambia la password",
    saveCountry: "Salva il paese",
    countryNote: "Lo vedono tutti. Si può cambiare tre volte al giorno.",
    members: "Persone della squadra",
    membersNote: "Per i premi, se vuoi. Solo gli organizzatori vedono i nomi.",
    member: (number) => `Nome ${number}`,
    saveMembers: "Salva i nomi",
    sessions: "Dove hai effettuato l'accesso",
    thisSession: "questo",
    unknownBrowser: "Browser sconosciuto",
    begun: (time) => `dalle ${time}`,
    seen: (time) => `visto l'ultima volta alle ${time}`,
    end: "Termina",
    endOf: (browser, time) => `Termina l'accesso con ${browser} delle ${time}`,
    addressTitle: "La nuova e-mail della squadra",
    addressNote: "Un clic e la posta della squadra arriva a questo indirizzo.",
    addressButton: "Usa questo indirizzo",
  },

  team: {
    rank: "Posizione",
    ofTeams: (number) => `su ${count(number, "squadra", "squadre")}`,
    points: "Punti",
    solves: "Soluzioni",
    award: "Premio",
    overTime: "Punteggio nel tempo",
    graphLabel: "Punteggio nel tempo; la tabella delle soluzioni qui sotto ha gli stessi numeri",
    noSolve: "Ancora nessuna soluzione.",
    solvesTable: "Soluzioni della squadra",
    challenge: "Sfida",
    category: "Categoria",
    position: "Ordine",
    pointsNow: "Punti ora",
    scoreThen: "Totale allora",
    time: "Ora",
    missing: "Nessuna squadra",
    missingNote: "Nessuna squadra con questo nome è in classifica.",
    toScoreboard: "Alla classifica",
  },

  graph: {
    toggle: "Grafico dei punteggi",
    title: "Le prime dieci nel tempo",
    label: "Punteggi delle prime dieci nel tempo; la tabella qui sotto ha gli stessi numeri",
    table: "Punteggi delle prime dieci, momento per momento",
    line: "Linea",
    now: "Ora",
    moment: "Momento",
    lead: "Cambio in testa",
    falls: "Le linee scendono perché ogni soluzione riduce il valore della sfida.",
    numbers: "Punteggi in tabella",
  },

  solvers: {
    of: (name) => `Chi ha risolto ${name}`,
    ofValue: (name, points) => `${points} punti, chi ha risolto ${name}`,
    ofSpeedrun: (name) => `– speedrun, chi ha risolto ${name}`,
    title: (number) => `Chi l'ha risolta (${number})`,
    none: "Nessuno l'ha ancora risolta.",
    showAll: (number) => `Mostra tutte: ${number}`,
  },

  search: {
    label: "Trova una squadra",
    found: (number) => `${count(number, "squadra trovata", "squadre trovate")}`,
    none: "Nessuna squadra ha questo nel nome.",
  },

  stage: {
    open: "Vista proiettore",
    top: "Le prime dieci",
    others: "Le altre",
    untilStart: "Inizia tra",
    timeLeft: "Tempo rimasto",
    pause: "Pausa",
    fullScreen: "Schermo intero",
    leave: "Esci",
    begun: "La CTF è iniziata!",
    latest: "Ultime soluzioni",
    solved: (team: string, challenge: string) => `${team} ha risolto ${challenge}`,
    address: (address: string) => `Codice QR: ${address}`,
  },

  since: {
    title: (time) => `Dall'ultima volta che hai guardato, ${time}`,
    by: (teams) => `Risolta da ${teams}`,
    value: "Valore cambiato",
    withdrawn: "Soluzione ritirata",
    award: "Premi e suggerimenti",
  },

  firstBlood: {
    title: "First blood",
    solvedFirst: (challenge) => `Prima a risolvere ${challenge}`,
  },

  news: {
    title: "Avvisi",
    notices: "Elenco degli avvisi",
    none: "Ancora nessun avviso. Gli avvisi degli organizzatori appaiono qui.",
    loading: "Carico gli avvisi",
    unread: (number) => `(${number} da leggere)`,
    fresh: "Nuovo",
    urgent: "Urgente",
    corrected: (time) => `modificato alle ${time}`,
    withdrawn: (posted, time) => `Un avviso delle ${posted}, ritirato alle ${time}.`,
    all: "Tutti gli avvisi",
    more: (number) => `altri ${number}`,
  },

  questions: {
    title: "Domande agli organizzatori",
    own: "Le domande della tua squadra",
    loading: "Carico le tue domande",
    about: (challenge) => `Le domande della tua squadra su ${challenge}`,
    onCard: (asked, answered) =>
      asked === 0 ? "Chiedi agli organizzatori" : `Domande: ${asked}, con risposta: ${answered}`,
    ask: "Fai una domanda generale",
    askAbout: (challenge) => `Chiedi qualcosa su ${challenge}`,
    note: "La vedono solo la tua squadra e gli organizzatori. Non scrivere la flag.",
    full: "Tre tue domande aspettano una risposta. Potrai chiedere ancora quando una l'avrà.",
    send: "Invia la domanda",
    sent: "Gli organizzatori hanno la tua domanda. La risposta apparirà qui.",
    received: (time) => `Chiesta alle ${time}, ancora senza risposta`,
    answered: (asked, time) => `Chiesta alle ${asked}, risposta alle ${time}`,
    closed: (asked, time) => `Chiesta alle ${asked}, chiusa alle ${time}`,
    told: (time) => `Dagli organizzatori, alle ${time}`,
    logIn: "Accedi per chiedere qualcosa agli organizzatori",
  },

  challengeStatus: {
    looked_at: "In verifica",
    broken: "Guasta",
    fixed: "Riparata",
    notes: {
      looked_at: "Gli organizzatori stanno verificando un problema con questa sfida.",
      broken: "Questa sfida è guasta. Gli organizzatori lo sanno.",
      fixed: "Questa sfida era guasta e ora funziona.",
    },
  },

  hints: {
    list: "Suggerimenti",
    title: (number) => `Suggerimento ${number}`,
    at: (number, time) => `Suggerimento ${number}, disponibile alle ${time}`,
    take: "Prendi il suggerimento",
    taken: "preso",
    rankAfter: (rank, teams, points) =>
      `Dopo averlo preso: ${rank}ª su ${teams.toLocaleString("it-IT")}, ` +
      count(points, "punto", "punti"),
    pointsAfter: (points) =>
      `Dopo averlo preso: ${count(points, "punto", "punti")}, con le vostre soluzioni sigillate`,
    first: (hints) => `Prendi prima: ${hints}`,
  },

  paused: {
    short: "CTF in pausa",
    banner: "La CTF è in pausa: le flag non sono accettate finché non riprende.",
    beforeFlag: "La CTF è in pausa: invia la flag quando riprende.",
  },

  dialog: { close: "Chiudi" },
  html: { table: "Tabella", copyCode: "Copia il codice" },
  copy: { copy: "Copia", copied: "Copiato", failed: "Non copiato: selezionalo a mano" },
};
