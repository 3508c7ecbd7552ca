/** The words of the interface in Italian, and the server's sentences. A chunk of its own. */
import type { Messages } from "./en";

function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString("it-IT")} ${number === 1 ? one : many}`;
}

/** By the English sentence of the server's catalogue, of the client's, or of the example event. */
export const SENTENCES: Readonly<Record<string, string>> = {
  "The server is stopping.": "Il server si sta fermando.",
  "This server only reads: a newer Flagship writes the journal. Please tell the organizers.":
    "Il server è in sola lettura: scrive un Flagship più recente. Avvisa gli organizzatori.",
  "The database does not answer.": "Il database non risponde.",
  "The journal cannot be written to.": "Non si può scrivere nel registro.",
  "The board is behind the journal.": "La classifica è in ritardo rispetto al registro.",
  // The client's own.
  "error in parsing response": "errore nella lettura della risposta",
  "error, API connection failed": "errore, connessione all'API non riuscita",
  "The captcha could not be loaded.": "Non è stato possibile caricare il captcha.",
  "This browser did not keep the login: open the site over https and log in again.":
    "Il browser non ha conservato l'accesso: apri il sito in https e accedi di nuovo.",
  "My team is fully composed of polito students. (optional)":
    "La mia squadra è composta solo da studenti del Polito. (facoltativo)",
  // The server's errors.
  "This address speaks WebSocket only.": "Questo indirizzo parla solo WebSocket.",
  "The request's body is not valid JSON.": "Il corpo della richiesta non è JSON valido.",
  "A field of the request is missing or of the wrong type.":
    "Un campo della richiesta manca o è del tipo sbagliato.",
  "Send the request's body as application/json.":
    "Il corpo della richiesta va inviato come application/json.",
  "The request is larger than anything that fits here.": "La richiesta è troppo grande.",
  "The request took too long to arrive.": "La richiesta ha impiegato troppo ad arrivare.",
  "This is no request that the server understands.":
    "Questa non è una richiesta che il server capisca.",
  "This address is longer than any that leads somewhere.":
    "Questo indirizzo è più lungo di ogni indirizzo esistente.",
  "The request's headers are larger than anything here.":
    "Le intestazioni della richiesta sono troppo grandi.",
  "The request's body broke off.": "Il corpo della richiesta si è interrotto.",
  "There are too many live connections from your network.":
    "Dalla tua rete ci sono troppe connessioni in diretta.",
  "Please log in first.": "Prima accedi.",
  "There is nothing here.": "Qui non c'è nulla.",
  "This address does not work that way.": "Questo indirizzo non funziona così.",
  "Something went wrong on our side; please try again.":
    "Qualcosa è andato storto da parte nostra; riprova.",
  "The server is busy; please try again in a moment.":
    "Il server è occupato; riprova tra un momento.",
  "The CTF has not started yet.": "La CTF non è ancora iniziata.",
  "The CTF has ended.": "La CTF è terminata.",
  "Solve the challenges that this one requires first.":
    "Prima risolvi le sfide richieste da questa.",
  "There is no such challenge.": "Questa sfida non esiste.",
  "There is no such team.": "Questa squadra non esiste.",
  "flag missing": "manca la flag",
  "A flag has at most 256 characters.": "Una flag ha al massimo 256 caratteri.",
  "Too many wrong flags; take a breath and try again.":
    "Troppe flag sbagliate; prendi fiato e riprova.",
  "Too many attempts; please wait a little and try again.":
    "Troppi tentativi; aspetta un poco e riprova.",
  "Invalid captcha": "Captcha non valido",
  "The captcha cannot be checked now; please try again.":
    "Ora il captcha non può essere verificato; riprova.",
  "Wrong team name or password.": "Nome della squadra o password sbagliati.",
  "Confirm your e-mail first: follow the link that we sent you.":
    "Prima conferma la tua e-mail: segui il link che ti abbiamo inviato.",
  "Registration is closed.": "Le iscrizioni sono chiuse.",
  "Many teams have this address already; pick another.":
    "Molte squadre hanno già questo indirizzo; scegline un altro.",
  "The file does not have the bytes that were asked for.": "Il file non contiene i byte richiesti.",
  "A team with this or a look-alike name already exists.":
    "Esiste già una squadra con questo nome o uno che gli somiglia.",
  "This name is kept for the organizers; pick another.":
    "Questo nome è riservato agli organizzatori; scegline un altro.",
  "A team name has 3 to 25 characters.": "Il nome di una squadra ha da 3 a 25 caratteri.",
  "A team name has no invisible or control characters.":
    "Il nome di una squadra non ha caratteri invisibili o di controllo.",
  "A team name has only characters that every device can show.":
    "Il nome di una squadra ha solo caratteri che ogni dispositivo sa mostrare.",
  "A team name has at most two accents on a letter.":
    "Il nome di una squadra ha al massimo due accenti su una lettera.",
  "The password is too short.": "La password è troppo corta.",
  "A password has at most 128 characters.": "Una password ha al massimo 128 caratteri.",
  "This password is among the first that anyone tries; pick another.":
    "Questa password è tra le prime che chiunque prova; scegline un'altra.",
  "This is not an e-mail address.": "Questo non è un indirizzo e-mail.",
  "This is not a country of the list.": "Questo non è un paese dell'elenco.",
  "This link was used before or is too old.": "Questo link è già stato usato o è troppo vecchio.",
  // What the server says when something worked.
  "Team created, check your email for a verification link!":
    "Squadra creata, controlla la tua e-mail: c'è un link di verifica!",
  "Team created, you can log in now!": "Squadra creata, ora puoi accedere!",
  "Your team is confirmed. You can log in now.": "La tua squadra è confermata. Ora puoi accedere.",
  "The new password is set. You can log in now.":
    "La nuova password è impostata. Ora puoi accedere.",
  "If a team of this address waits for it, a new link is on its way.":
    "Se una squadra con questo indirizzo lo aspetta, un nuovo link è in arrivo.",
  "If this address has a team, a link for a new password is on its way.":
    "Se questo indirizzo ha una squadra, un link per una nuova password è in arrivo.",
  // The live channel's.
  "The live channel does not know this action.": "Il canale in diretta non conosce questa azione.",
  "This message is not JSON of the live channel.":
    "Questo messaggio non è JSON del canale in diretta.",
  "Too many messages; please slow down.": "Troppi messaggi; rallenta.",
};

export const it: Messages = {
  locale: "it-IT",
  said: (sentence) =>
    SENTENCES[sentence] ??
    sentence.replace(/^Loading chunk (\S+) failed$/, "Caricamento del blocco $1 non riuscito"),

  navigation: {
    main: "Principale",
    scoreboard: "Classifica",
    challenges: "Sfide",
    rules: "Regole",
    login: "Accedi",
    signup: "Iscriviti",
    logout: "Esci",
    skip: "Vai al contenuto",
    language: "Lingua",
  },
  notification: { dismiss: "Chiudi" },
  statusBanner: {
    unknown: null,
    not_started: "CTF non iniziata",
    running: null,
    frozen: "Classifica congelata",
    ended: "CTF terminata",
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
    pageBroke: "Questa pagina si è rotta",
    connectionDown: "Forse manca la connessione.",
    ourFault: "È colpa nostra, non tua.",
    retry: "Riprova",
  },

  home: {
    titleDefault: "Capture the flag",
    untilStart: "Tempo che manca all'inizio",
    units: { days: "giorni", hours: "ore", minutes: "minuti", seconds: "secondi" },
    timeLeft: ({ days, hours, minutes }) =>
      `Mancano ${count(days, "giorno", "giorni")}, ${count(hours, "ora", "ore")} e ` +
      `${count(minutes, "minuto", "minuti")}.`,
    play: "Premi play per gareggiare.",
    ended: "La CTF è terminata.",
    finalScoreboard: "Vedi la classifica finale",
    social: "Social",
    microblog: "Microblog",
    chat: "Chat",
  },

  rules: { title: "Regole" },

  board: {
    title: "Classifica",
    snapshot: "Estratto della classifica",
    teams: (number) => count(number, "squadra", "squadre"),
    noTeam: "Ancora nessuna squadra.",
    country: "Paese",
    team: "Squadra",
    score: "Punti",
    yourTeam: "(la tua squadra)",
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
  },

  challenges: {
    copyLink: "Copia il link",
    linkCopied: "Il link è copiato.",
    title: "Sfide",
    list: "Elenco delle sfide",
    hideCategories: "Nascondi categorie",
    everyHidden: "Ogni categoria è nascosta.",
    atTheStart: "Le sfide compaiono qui all'inizio.",
    none: "Ancora nessuna sfida.",
    points: (number) => `${number} punti`,
    solves: (number) => count(number, "soluzione", "soluzioni"),
    locked: "Bloccata",
    solved: "Risolta",
    solveFirst: (names) => `Prima risolvi: ${names}`,
    attachments: "Allegati",
    flagOf: (name) => `Flag di ${name}`,
    flag: "flag",
    submit: "Invia",
    wait: (seconds) => `Attendi ${seconds} s`,
    wrongFlag: "Flag sbagliata.",
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
    registrationClosed: "Le iscrizioni sono chiuse.",
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
    timeUtc: "Ora (UTC)",
    timeLocal: "La tua ora",
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
  },

  solvers: {
    of: (name) => `Chi ha risolto ${name}`,
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
  },

  firstBlood: {
    title: "First blood",
    solvedFirst: (challenge) => `Prima a risolvere ${challenge}`,
  },

  dialog: { close: "Chiudi" },
};
