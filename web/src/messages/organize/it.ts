/** Italian messages of the organizer pages, in a separate chunk. */
import { ACTIONS_IT } from "./actions-it";
import { ceremonyIt } from "./ceremony-it";
import { consoleIt } from "./console-it";
import { dayIt } from "./day-it";
import type { OrganizeMessages } from "./en";
import { filtersIt } from "./filters-it";
import { frameIt } from "./frame-it";
import { listsIt } from "./lists-it";
import { manageIt } from "./manage-it";
import { pagesIt } from "./pages-it";
import { setupIt } from "./setup-it";

export const organizeIt: OrganizeMessages = {
  pages: pagesIt,
  filters: filtersIt,
  frame: frameIt,
  lists: listsIt,
  setup: setupIt,
  console: consoleIt,
  ceremony: ceremonyIt,
  manage: manageIt,
  day: dayIt,
  errors: {
    factor_needed: "Inserisci il codice dell'app di autenticazione.",
    code_wrong: "Il codice è sbagliato o è già stato usato.",
    organizer_credentials_wrong: "Nome o password sbagliati.",
    organizer_too_many_connections: "Hai troppe connessioni in diretta; chiudine qualcuna.",
    request_cross_site: "La richiesta non è partita dal sito dell'evento.",
    role_unknown: "Scegli almeno un ruolo: osservatore, autore, supporto, organizzatore, titolare.",
    challenges_mismatch: "Un autore ha almeno una sfida; gli altri ruoli non ne hanno.",
    organizer_name_taken: "Esiste già un organizzatore con questo nome o uno che gli somiglia.",
    organizer_not_found: "Questo organizzatore non esiste.",
    event_running: "L'evento non è ancora finito.",
    last_owner: "È l'ultimo titolare che può accedere: prima un altro deve usare il suo invito.",
    own_reset:
      "Sostituisci la tua app di autenticazione, o chiedi a un altro titolare di reimpostarti.",
    too_many_tokens: "Questo organizzatore ha già 20 token API: prima revocane uno.",
    token_days_invalid: "Un token API vale da 1 a 366 giorni.",
    confirmation_wrong: "Per confermare, scrivi il nome esattamente com'è mostrato.",
    event_not_over: "L'evento non è finito. Conferma che le squadre non possono più entrare.",
    organizer_name_invalid:
      "Il nome di un organizzatore ha da 3 a 25 caratteri, visibili su ogni dispositivo.",
    reason_missing: "Scrivi il motivo, per il registro delle azioni.",
    object_touched:
      "Nel frattempo qualcun altro ha modificato questo oggetto: controlla e riprova.",
    idempotency_conflict:
      "Questa chiave è già stata usata per un'altra richiesta: usane una nuova.",
    idempotency_in_progress:
      "La prima richiesta con questa chiave non ha ancora risposta: riprova tra un momento.",
    later_actions: "Prima annulla le azioni successive sullo stesso oggetto.",
    challenge_id_invalid:
      "Un ID ha da 1 a 64 caratteri tra A-Z, a-z, 0-9, punto, trattino e trattino basso.",
    challenge_taken: "Esiste già una sfida con questo ID.",
    challenge_invalid: "La sfida ha errori, elencati qui.",
    moves_points: "Solo organizzatori e titolari possono modificare ciò che cambia i punti.",
    challenges_altered: "Un altro programma ha modificato sfide o flag: prima applica i file.",
    file_unknown: "Prima carica il file.",
    notice_not_found: "Questo avviso non esiste.",
    question_not_found: "Questa domanda non esiste.",
    signup_code_not_found: "Questo codice di registrazione non esiste.",
    time_invalid: "Scrivi l'ora con il suo fuso, come 2026-11-25T14:00:00+01:00.",
    time_outside_event: "L'ora deve essere durante l'evento e non nel futuro.",
    event_unnamed: "L'evento non ha ancora un nome: prima impostalo.",
    settings_invalid: "Queste impostazioni hanno errori.",
    times_out_of_order: "Inizio, congelamento e fine devono seguirsi in quest'ordine.",
    reveal_waits:
      "L'evento è finito e questo rivelerebbe la classifica finale: usa «Rivela la classifica».",
    not_frozen: "La classifica non è congelata: non c'è nulla da rivelare.",
    event_name_wrong: "Questo non è il nome dell'evento: scrivilo per confermare.",
    points_out_of_range:
      "I punti assegnati o tolti sono almeno 1, e al massimo un miliardo in tutto.",
    not_solved: "La squadra non ha risolto questa sfida.",
    wrong_standing: "La squadra ha già confermato il suo indirizzo, o non ancora.",
    email_has_team: "Un'altra squadra ha questo indirizzo.",
    too_many_mails: "Troppe e-mail o troppi cambi per questo indirizzo: riprova più tardi.",
    too_many_names:
      "Oggi hai rinominato o confermato troppe squadre: chiedi a un organizzatore o a un titolare.",
    urgent_until_invalid: "Solo un avviso urgente ha una fine, che viene dopo la pubblicazione.",
    too_many_messages: "La squadra ha ricevuto 20 messaggi nell'ultima ora: riprova più tardi.",
    undo_impossible: "Questo non si può annullare.",
    import_played:
      "Una squadra di questa importazione ha già giocato, quindi resta; " +
      "escludi o nascondi singole squadre.",
    import_changed: "Il file o le squadre sono cambiati dopo l'anteprima: controllala di nuovo.",
    encoding_unknown: "Nessuna codifica ha questo nome.",
    file_too_large: "Un file ha al massimo 1 GiB.",
    too_many_bytes_uploaded: "Oggi hai caricato 10 GiB: puoi caricarne altri dalle 00:00 UTC.",
    too_many_actions: "Hai raggiunto il limite di azioni all'ora: riprova più tardi.",
    disk_full:
      "Azione non eseguita: il disco del server è quasi pieno. Avvisa chi gestisce il server.",
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
  copyFailed: "Copia non riuscita. Seleziona il testo e copialo a mano.",
  loading: "Caricamento del tuo account…",
  insecure:
    "Le sessioni degli organizzatori richiedono HTTPS. Apri questa pagina con https://, oppure " +
    "come localhost sul server stesso.",

  code: {
    label: "Codice di sei cifre",
    fault: "Inserisci tutte e sei le cifre.",
    recoveryLabel: "Codice di recupero",
    recoveryHint: "Ogni codice di recupero vale una volta sola.",
    useRecovery: "Usa un codice di recupero",
    useApp: "Usa un codice dell'app",
    confirm: "Conferma",
    dialogTitle: "Autenticazione a due fattori",
    dialogNote: "Conferma la tua identità: inserisci il codice attuale dell'app di autenticazione.",
  },

  app: {
    note:
      "Inquadra il codice QR con un'app di autenticazione. L'app mostra poi un nuovo codice " +
      "ogni 30 secondi.",
    qrCode: "Codice QR per l'app di autenticazione",
    open: "Apri in un'app su questo dispositivo",
    secret: "Oppure inserisci questa chiave nell'app:",
    copySecret: "Copia la chiave",
  },

  recovery: {
    title: "Codici di recupero",
    note:
      "Ogni codice permette di accedere una volta senza l'app. Si vedono solo adesso: " +
      "conservali nel tuo gestore di password.",
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
    noToken: "Questa pagina funziona solo da un link d'invito. Apri di nuovo il link.",
    invalid: "Questo invito è già stato usato o è scaduto. Chiedine un altro a un titolare.",
    passwordTitle: "Passo 1 di 2: password",
    password: "Password",
    passwordHint: (min) => `Almeno ${min} caratteri`,
    factorTitle: "Passo 2 di 2: autenticazione a due fattori",
    finish: "Fine",
  },

  signIn: {
    title: "Organizzatori",
    password: "Password",
    button: "Accedi",
    codeNote: "Inserisci il codice attuale dell'app di autenticazione.",
    ended: "Accesso scaduto. Accedi di nuovo.",
  },

  account: {
    signOut: "Esci",
    actionsTitle: "I tuoi permessi",
    challenges: "Le tue sfide",
    factorTitle: "Autenticazione a due fattori",
    codesLeft: (left) =>
      left === 1 ? "Rimane 1 codice di recupero." : `Rimangono ${left} codici di recupero.`,
    fewCodes: "Sostituisci l'app di autenticazione per avere dieci nuovi codici di recupero.",
    replace: "Sostituisci l'app di autenticazione",
    replaceNote:
      "L'app e i codici di recupero attuali valgono finché non confermi la nuova app con un " +
      "codice. Poi le tue altre sessioni terminano. I token API restano validi: revoca quelli " +
      "che altri potrebbero avere.",
    replaceTitle: "Nuova app di autenticazione",
    expired: "Scaduto dopo 15 minuti. Ricomincia.",
  },

  sessions: {
    title: "Sessioni e token API",
    kinds: { session: "Sessione", token: "Token API" },
    isCurrent: "sessione attuale",
    isUnproven: "due fattori non completati",
    created: (time) => `Creato: ${time}`,
    expires: (time) => `Scadenza: ${time}`,
    end: "Revoca",
    endOf: (kind, created) => `Revoca: ${kind}, creato ${created}`,
  },

  organizers: {
    title: "Organizzatori",
    loading: "Caricamento degli organizzatori…",
    add: "Aggiungi un organizzatore",
    enrolled: "attivo",
    invited: "invito in sospeso",
    challenges: (ids) => `Sfide: ${ids}`,
    roles: "Ruoli",
    rolesFault: "Scegli almeno un ruolo.",
    challengesField: "Sfide",
    challengesNone: "Ancora nessuna sfida. Prima creane una.",
    challengesFailed: "Non è stato possibile caricare le sfide. Chiudi la finestra e riprova.",
    nameHint: (min, max) => `Da ${min} a ${max} caratteri`,
    nameFault: (min, max) => `Usa da ${min} a ${max} caratteri.`,
    addButton: "Aggiungi",
    change: "Cambia ruoli",
    changeOf: (name) => `Cambia i ruoli di ${name}`,
    changeNote: "Togliere un ruolo revoca anche i token API dell'organizzatore.",
    save: "Salva",
    reset: "Reimposta",
    resetOf: (name) => `Reimposta ${name}`,
    resetNote:
      "Rimuove la password e l'autenticazione a due fattori e revoca tutte le sessioni e i token " +
      "API. Ricevi un nuovo link d'invito per questo organizzatore.",
    remove: "Rimuovi",
    removeOf: (name) => `Rimuovi ${name}`,
    removeNote: "Revoca tutte le sessioni e i token API. L'organizzatore non può più accedere.",
  },

  invitation: {
    title: (name) => `Invito per ${name}`,
    note: (until) =>
      "Dai questo link solo all'organizzatore. Vale una volta, scade tra 24 ore " +
      `(${until}) e non viene più mostrato.`,
    link: "Link d'invito",
    copy: "Copia il link",
    done: "Fatto",
  },
};
