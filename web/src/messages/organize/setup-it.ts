/** Italian texts of the steps that set an event up. */
import type { SetupMessages } from "./setup-en";

export const setupIt: SetupMessages = {
  title: "Prepara l'evento",
  progress: "Passi",
  count: (done, all) => `Passi fatti: ${done} di ${all}. Ognuno può aspettare.`,
  done: "fatto",
  save: "Salva e continua",
  skip: "Salta",
  fixed: "Lo stabilisce event.toml: cambialo lì.",
  secrets: {
    set: "È impostato. Se lasci vuoto, resta.",
    environment: "È nell'ambiente del server.",
    unset: "È conservato sigillato e non viene più mostrato.",
  },

  name: {
    title: "Nome e orari",
    note: "Ciò che i giocatori vedono per primo. Tutto si può cambiare dopo.",
    event: "Nome dell'evento",
    start: "Inizio",
    end: "Fine",
    freeze: "Congelamento (facoltativo)",
    freezeHint: "Da qui la classifica nasconde le soluzioni degli altri fino alla fine.",
    timezone: "Fuso orario",
    timezoneHint: "Il fuso in cui i giocatori leggono gli orari, come Europe/Rome",
    flagFormat: "Com'è fatta una flag",
  },

  rules: {
    title: "Regole",
    note: "La pagina che i giocatori leggono prima di cominciare.",
    fromFiles: "Le regole vengono da rules.md. Un testo scritto qui le sostituisce.",
    text: "Regole",
    hint: "Markdown. {start}, {end}, {freeze}, {length} e {flag_format} vengono riempiti.",
    template:
      "# Regole\n\nL'evento comincia alle {start} e dura {length}.\n\nUna flag ha la forma " +
      "`{flag_format}`.\n\n- Non condividere flag o soluzioni prima della fine.\n- Non " +
      "attaccare la piattaforma o le altre squadre.\n- Se qualcosa non è chiaro, chiedi agli " +
      "organizzatori.\n",
  },

  mail: {
    title: "Mail",
    note: "Con un link le squadre confermano l'indirizzo e scelgono una nuova password.",
    transport: "Come si inviano le mail",
    file: "Scritte in file sul server, per prova",
    smtp: "Con un server di posta (SMTP)",
    from: "Mittente",
    fromHint: "Un indirizzo, o un nome con un indirizzo: La nostra CTF <ctf@example.org>",
    host: "Server di posta",
    tls: "Cifratura",
    starttls: "STARTTLS",
    tlsAlways: "TLS dal primo byte",
    noTls: "nessuna",
    port: "Porta",
    portHint: "Vuota: quella consueta",
    username: "Nome utente (facoltativo)",
    password: "Password",
    test: "Prova",
    testTo: "Manda una mail di prova a",
    testSend: "Manda la mail di prova",
    testing: "Invio in corso …",
    sent: "La mail di prova è partita.",
    written: "La mail di prova è ora un file in data/mail. Nessuna mail lascia questa macchina.",
    notSent: "La mail di prova non è partita. Il motivo:",
  },

  captcha: {
    title: "Captcha",
    note: "Impedisce agli script di iscriversi e di indovinare le password.",
    provider: "Captcha",
    altcha: "Incluso: il browser risolve un piccolo rompicapo",
    off: "Nessuno",
    offNote: "Senza, chiunque può iscriversi con uno script.",
    siteKey: "Chiave del sito",
    secret: "Segreto",
  },

  challenge: {
    title: "Prima sfida",
    note: "I giocatori la vedono dall'inizio. Altre si fanno nei file o nella pagina Sfide.",
    name: "Nome della sfida",
    category: "Categoria",
    text: "Testo",
    textHint: "Markdown",
    flag: "Flag",
    points: "Punti",
    button: "Creala e pubblicala",
  },

  start: {
    title: "Inizio",
    unnamed: "L'evento non ha ancora né nome né orari.",
    note: (at) => `L'evento comincia da solo il ${at}.`,
    now: "Comincia subito",
    wait: "Aspetta la sua ora: alle pagine degli organizzatori",
    started: (name) => `${name} è in corso.`,
    players: "Ciò che vedono i giocatori",
    pages: "Le pagine degli organizzatori",
  },
};
