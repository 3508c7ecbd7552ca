/** The texts of the organizers' pages in Italian; in a chunk of its own. */
import { ACTIONS_IT } from "./actions-it";
import { consoleIt } from "./console-it";
import type { OrganizeMessages } from "./en";
import { pagesIt } from "./pages-it";
import { setupIt } from "./setup-it";

export const organizeIt: OrganizeMessages = {
  pages: pagesIt,
  setup: setupIt,
  console: consoleIt,
  errors: {
    factor_needed: "Inserisci il codice del tuo secondo fattore.",
    code_wrong: "Il codice è sbagliato o è già stato usato.",
    organizer_credentials_wrong: "Nome o password sbagliati.",
    organizer_too_many_connections: "Hai troppe connessioni in diretta; chiudine qualcuna.",
    request_cross_site: "La richiesta non è partita dal sito dell'evento.",
    role_unknown: "Scegli almeno un ruolo: osservatore, autore, supporto, organizzatore, titolare.",
    challenges_mismatch: "Un autore ha almeno una sfida, e nessun altro ne ha.",
    organizer_name_taken: "Esiste già un organizzatore con questo nome o uno che gli somiglia.",
    organizer_not_found: "Questo organizzatore non esiste.",
    last_owner: "È l'ultimo titolare che può accedere: prima un altro deve usare il suo invito.",
    own_reset: "Sostituisci il tuo secondo fattore, o chiedi il ripristino a un altro titolare.",
    too_many_tokens: "Questo organizzatore ha già 20 token: prima terminane uno.",
    token_days_invalid: "Un token vale da 1 a 366 giorni.",
    confirmation_wrong: "Per confermare, scrivi il nome esattamente com'è mostrato.",
    event_not_over: "L'evento non è finito. Conferma che le squadre non possono più entrare.",
    organizer_name_invalid:
      "Il nome di un organizzatore ha da 3 a 25 caratteri, visibili su ogni dispositivo.",
    reason_missing: "Scrivi il motivo, per il registro.",
    object_touched: "Nel frattempo qualcun altro ha agito qui: guarda di nuovo.",
    idempotency_conflict: "Questa chiave era di un'altra richiesta: mandane una nuova.",
    idempotency_in_progress:
      "La prima richiesta con questa chiave non ha ancora risposta: riprova tra un momento.",
    later_actions: "Prima annulla le azioni successive sulla stessa cosa.",
    challenge_id_invalid:
      "Un id ha da 1 a 64 caratteri tra A-Z, a-z, 0-9, punto, trattino e trattino basso.",
    challenge_taken: "Esiste già una sfida con questo id.",
    challenge_invalid: "La sfida ha errori, elencati qui.",
    moves_points: "Solo chi gestisce la gara cambia ciò che sposta punti: chiedi a uno di loro.",
    challenges_altered: "Un altro programma ha cambiato sfide o flag: prima applica i file.",
    file_unknown: "Prima carica il file.",
    notice_not_found: "Questo avviso non esiste.",
    question_not_found: "Questa domanda non esiste.",
    time_invalid: "Scrivi l'ora con il suo fuso, come 2026-11-25T14:00:00+01:00.",
    time_outside_event: "L'ora deve essere durante l'evento e non nel futuro.",
    event_unnamed: "L'evento non ha ancora un nome: daglielo prima.",
    settings_invalid: "Queste impostazioni hanno errori.",
    times_out_of_order: "Inizio, congelamento e fine devono seguirsi in quest'ordine.",
    reveal_waits: "L'evento è finito e questo mostrerebbe la classifica finale: usa Rivela.",
    not_frozen: "La classifica non è congelata: non c'è nulla da rivelare.",
    event_name_wrong: "Questo non è il nome dell'evento, che va scritto per conferma.",
    points_out_of_range: "Un premio va da 1 punto (o 1 in meno) a un miliardo in tutto.",
    not_solved: "La squadra non ha risolto questa sfida.",
    wrong_standing: "La squadra ha già confermato il suo indirizzo, o non ancora.",
    email_has_team: "Un'altra squadra ha questo indirizzo.",
    too_many_mails: "Ci sono state molte mail o molti cambi di questo indirizzo: aspetta un po'.",
    too_many_names:
      "Oggi hai rinominato o confermato molte squadre: chiedi a chi gestisce la gara.",
    urgent_until_invalid: "Solo un avviso urgente ha una fine, che viene dopo la pubblicazione.",
    too_many_messages: "La squadra ha ricevuto 20 messaggi nell'ultima ora: aspetta un po'.",
    undo_impossible: "Questo non si può annullare.",
    import_played:
      "Una squadra di questa importazione ha già giocato, quindi resta; " +
      "escludi o nascondi singole squadre.",
    import_changed: "Il file o le squadre sono cambiati dopo l'anteprima: guarda di nuovo.",
    encoding_unknown: "Nessuna codifica ha questo nome.",
    file_too_large: "Un file ha al massimo 1 GiB.",
    too_many_bytes_uploaded: "Oggi hai caricato 10 GiB: puoi caricarne altri dalle 00:00 UTC.",
    too_many_actions: "Hai fatto quanto si può in un'ora: aspetta un po' e riprova.",
    disk_full:
      "Non è stato fatto nulla: il disco del server è quasi pieno. Avvisa chi gestisce il server.",
    file_type_unsupported: "Invia i byte del file come application/octet-stream.",
    backup_running: "Un backup è già in corso: aspetta che finisca.",
    backup_space_missing:
      "Sul disco del server manca lo spazio per un backup: liberane, o fallo su un altro disco " +
      "con il comando flagship backup.",
    backup_failed:
      "Il backup non è stato fatto. Il log del server dice perché: avvisa chi gestisce il server.",
    file_not_kept:
      "Il file non è stato conservato: forse il disco è pieno. Avvisa chi gestisce il server.",
  },
  roles: {
    observer: "osservatore",
    author: "autore",
    support: "supporto",
    organizer: "organizzatore",
    owner: "titolare",
  },
  actions: ACTIONS_IT,

  name: "Nome",
  back: "Indietro",
  cancel: "Annulla",
  continue: "Continua",
  copied: "Copiato.",
  copyFailed: "Il browser non ha copiato: seleziona il testo e copialo.",
  loading: "Caricamento del tuo account",
  insecure:
    "I browser conservano le sessioni degli organizzatori solo in https. Apri questa pagina con " +
    "un indirizzo che inizia con https, o sul server stesso come localhost.",

  code: {
    label: "Codice di sei cifre",
    fault: "Il codice ha sei cifre.",
    recoveryLabel: "Codice di recupero",
    recoveryHint: "Ogni codice di recupero vale una volta sola.",
    useRecovery: "Usa un codice di recupero",
    useApp: "Usa un codice dell'app",
    confirm: "Conferma",
    dialogTitle: "Secondo fattore",
    dialogNote: "Serve il tuo secondo fattore. Inserisci il codice che l'app mostra adesso.",
  },

  app: {
    note:
      "Inquadra il codice QR con un'app di autenticazione. L'app mostra poi un nuovo codice " +
      "ogni 30 secondi.",
    qrCode: "Codice QR per l'app di autenticazione",
    open: "Apri in un'app su questo dispositivo",
    secret: "Oppure scrivi questo segreto nell'app:",
    copySecret: "Copia il segreto",
  },

  recovery: {
    title: "Codici di recupero",
    note:
      "Ogni codice ti fa entrare una volta quando non hai l'app. Si vedono solo adesso: " +
      "conservali dove conservi le tue password.",
    list: "I tuoi codici di recupero",
    copy: "Copia i codici",
    download: "Scarica i codici",
    saved: "Li ho salvati",
    fileTitle: (name, host) =>
      `Codici di recupero di ${name} per ${host}. Ognuno vale una volta sola.`,
  },

  invite: {
    title: "Invito",
    greeting: "Ti hanno invitato come organizzatore.",
    roles: "Ruoli",
    noToken: "Questa pagina ha bisogno del link di un invito. Apri di nuovo il link.",
    invalid: "Questo invito è già stato usato o ha più di 24 ore. Chiedine un altro a un titolare.",
    passwordTitle: "Passo 1 di 2: password",
    password: "Password",
    passwordHint: (min) => `Almeno ${min} caratteri`,
    factorTitle: "Passo 2 di 2: secondo fattore",
    finish: "Fine",
  },

  signIn: {
    title: "Organizzatori",
    password: "Password",
    button: "Accedi",
    codeNote: "Inserisci il codice che l'app di autenticazione mostra adesso.",
    ended: "È passato troppo tempo. Accedi di nuovo.",
  },

  account: {
    signOut: "Esci",
    actionsTitle: "Che cosa puoi fare",
    challenges: "Le tue sfide",
    factorTitle: "Secondo fattore",
    codesLeft: (left) =>
      left === 1 ? "Rimane 1 codice di recupero." : `Rimangono ${left} codici di recupero.`,
    fewCodes: "Sostituisci il secondo fattore per avere dieci nuovi codici di recupero.",
    replace: "Sostituisci il secondo fattore",
    replaceNote:
      "La vecchia app e i vecchi codici di recupero valgono finché non confermi la nuova app con " +
      "un codice. Allora le tue altre sessioni terminano. I tuoi token restano validi: termina " +
      "quelli che altri possono avere.",
    replaceTitle: "Nuovo secondo fattore",
    expired: "Sono passati più di 15 minuti. Ricomincia.",
  },

  sessions: {
    title: "Sessioni e token",
    kinds: { session: "Sessione", token: "Token" },
    isCurrent: "questa",
    isUnproven: "senza secondo fattore",
    created: (time) => `Inizio: ${time}`,
    expires: (time) => `Scadenza: ${time}`,
    end: "Termina",
    endOf: (kind, created) => `Termina: ${kind}, inizio ${created}`,
  },

  organizers: {
    title: "Organizzatori",
    loading: "Caricamento degli organizzatori",
    add: "Aggiungi un organizzatore",
    enrolled: "registrato",
    invited: "invitato, non ancora registrato",
    challenges: (ids) => `Sfide: ${ids}`,
    roles: "Ruoli",
    rolesFault: "Scegli almeno un ruolo.",
    challengesField: "Sfide",
    challengesNone: "Non ci sono ancora sfide. Prima creale.",
    challengesFailed: "Le sfide non si sono caricate. Chiudi e riprova.",
    nameHint: (min, max) => `Da ${min} a ${max} caratteri`,
    nameFault: (min, max) => `Un nome ha da ${min} a ${max} caratteri.`,
    addButton: "Aggiungi",
    change: "Ruoli",
    changeOf: (name) => `Ruoli di ${name}`,
    changeNote: "Togliere un ruolo termina anche i token dell'organizzatore.",
    save: "Salva",
    reset: "Reimposta",
    resetOf: (name) => `Reimposta ${name}`,
    resetNote:
      "Toglie la password e il secondo fattore e termina tutte le sessioni e i token. " +
      "Ricevi un nuovo link d'invito per l'organizzatore.",
    remove: "Rimuovi",
    removeOf: (name) => `Rimuovi ${name}`,
    removeNote: "Termina tutte le sessioni e i token. L'organizzatore non può più accedere.",
  },

  invitation: {
    title: (name) => `Invito per ${name}`,
    note: (until) =>
      "Dai questo link all'organizzatore e a nessun altro. Vale 24 ore, fino al " +
      `${until}, e una volta sola. Non si vedrà più.`,
    link: "Link d'invito",
    copy: "Copia il link",
    done: "Fatto",
  },
};
